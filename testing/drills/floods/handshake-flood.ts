// Connections that never complete a handshake, and sockets from every address of an IPv6 network.
// Both use connection slots that other clients need.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Flood } from './flood-target.ts';
import { RawSocket } from './raw-socket.ts';

const CONNECTIONS = 500;
const SOCKETS = 300;
const NETWORK = '2001:db8:66:66';
const PAUSE_MS = 500;
const CONNECT_WITHIN_MS = 5_000;

/** A request that never ends. */
const HALF_REQUEST = 'GET /stream HTTP/1.1\r\nhost: exchange\r\nx-slow: ';

/** Opens connections that send half a request and then nothing. */
export async function openHalfHandshakes(url: string, count: number): Promise<Socket[]> {
  const { hostname: host, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ host, port: Number(port) });
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {});
    socket.write(HALF_REQUEST);
    return socket;
  });
  const opened = (socket: Socket) => once(socket, 'connect').catch(() => undefined);
  await Promise.race([Promise.all(sockets.map(opened)), delay(CONNECT_WITHIN_MS)]);
  return sockets;
}

/** Opens sockets, each from another address in one /64; leaves out rejected sockets. */
export async function openSocketsOfNetwork(url: string, count: number): Promise<RawSocket[]> {
  const sockets: RawSocket[] = [];
  for (let number = 1; number <= count; number += 1) {
    const address = `${NETWORK}::${number.toString(16)}`;
    const socket = await RawSocket.open({ url, address });
    if (socket !== undefined) sockets.push(socket);
  }
  return sockets;
}

export const handshakeFlood: Flood = async ({ restUrl, streamUrl }, stop) => {
  const tally = { halfHandshakes: 0, halfHandshakesCut: 0, networkSockets: 0, networkRefused: 0 };
  const half = async (url: string): Promise<void> => {
    while (!stop.aborted) {
      const connections = await openHalfHandshakes(url, CONNECTIONS);
      tally.halfHandshakes += connections.length;
      await delay(PAUSE_MS);
      tally.halfHandshakesCut += connections.filter(({ destroyed }) => destroyed).length;
      for (const connection of connections) connection.destroy();
    }
  };
  const network = async (): Promise<void> => {
    while (!stop.aborted) {
      const sockets = await openSocketsOfNetwork(streamUrl, SOCKETS);
      tally.networkSockets += sockets.length;
      tally.networkRefused += SOCKETS - sockets.length;
      for (const socket of sockets) socket.destroy();
      await delay(PAUSE_MS);
    }
  };
  await Promise.all([half(restUrl), half(streamUrl), network()]);
  return tally;
};
