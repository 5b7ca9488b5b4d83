// Floods of the REST interface: wrong signatures over large bodies, expensive reads of one account,
// and files that are requested and never read.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpConnection } from '../../../tools/bench/http/loader/http-connection.ts';
import { sign } from '../../../tools/sandbox/rest-client.ts';
import type { Flood } from './flood-target.ts';

/** Account of the attacker with many fills. */
export interface FloodAccount {
  readonly key: string;
  readonly secret: string;
}

const BODY_BYTES = 100_000;
// The attackers have a few addresses.
const ADDRESSES = ['198.51.100.11', '198.51.100.12', '198.51.100.13'];
const CONNECTIONS_EACH = 4;
const READERS = 20;
const FILES = 6;
const PAUSE_MS = 20;
const FILE_EVERY_MS = 1_000;
const EXPIRES_AFTER_S = 60;

/** Sends large signed bodies with nonexistent keys. */
export const signatureFlood: Flood = async ({ restUrl }, stop) => {
  const tally = { signatures: 0, signaturesRefused: 0 };
  const note = 'x'.repeat(BODY_BYTES);
  const body = JSON.stringify({ symbol: 'btc-usdt', side: 'buy', size: 1, type: 'market', note });
  const attack = (address: string) =>
    keepSending(restUrl, stop, () => {
      tally.signatures += 1;
      return {
        text:
          `POST /v2/order HTTP/1.1\r\nhost: exchange\r\nx-forwarded-for: ${address}\r\n` +
          `api-key: ${'0'.repeat(40)}\r\napi-signature: ${'0'.repeat(64)}\r\n` +
          `api-expires: ${expiresAt()}\r\ncontent-type: application/json\r\n` +
          `content-length: ${body.length}\r\n\r\n${body}`,
        answered: (status) => {
          if (status >= 400) tally.signaturesRefused += 1;
        },
      };
    });
  const connections = ADDRESSES.flatMap((one) => Array<string>(CONNECTIONS_EACH).fill(one));
  await Promise.all(connections.map(attack));
  return tally;
};

/** Requests sorted lists of an account with many rows, many at the same time. */
export function readFlood(account: FloodAccount): Flood {
  return async ({ restUrl }, stop) => {
    const tally = { reads: 0, readsRefused: 0 };
    const paths = [
      '/v2/user/trades?order_by=price&order=desc',
      '/v2/user/trades?order_by=size&page=400&limit=50',
      '/v2/orders?order_by=price',
    ];
    const attack = () =>
      keepSending(restUrl, stop, () => {
        const target = paths[tally.reads++ % paths.length];
        return {
          text: signedGet(account, target),
          answered: (status) => {
            if (status >= 400) tally.readsRefused += 1;
          },
        };
      });
    await Promise.all(Array.from({ length: READERS }, attack));
    return tally;
  };
}

/** Requests files of an account with many rows, and never reads them. */
export function fileFlood(account: FloodAccount): Flood {
  return async ({ restUrl }, stop) => {
    const tally = { files: 0, filesCut: 0 };
    const { hostname: host, port } = new URL(restUrl);
    while (!stop.aborted) {
      const sockets = Array.from({ length: FILES }, (): Socket => {
        const socket = connect({ host, port: Number(port) });
        socket.on('error', () => socket.destroy());
        socket.pause();
        socket.write(signedGet(account, '/v2/user/trades?format=csv'));
        return socket;
      });
      tally.files += sockets.length;
      await Promise.race([delay(FILE_EVERY_MS), once(stop, 'abort')]);
      tally.filesCut += sockets.filter(({ destroyed }) => destroyed).length;
      for (const socket of sockets) socket.destroy();
    }
    return tally;
  };
}

interface Sent {
  readonly text: string;
  answered(status: number): void;
}

/** One connection that sends request after request, and reopens when it is closed. */
async function keepSending(url: string, stop: AbortSignal, next: () => Sent): Promise<void> {
  const port = Number(new URL(url).port);
  while (!stop.aborted) {
    try {
      const connection = await HttpConnection.open(port);
      try {
        while (!stop.aborted) {
          const { answered, text } = next();
          const { head, status } = await connection.send(text);
          answered(status);
          if (status === 429) await delay(PAUSE_MS);
          if (/connection: close|transfer-encoding: chunked/i.test(head)) break;
        }
      } finally {
        connection.close();
      }
    } catch {
      // The gateway closed the connection; the attacker opens the next one.
      await delay(PAUSE_MS);
    }
  }
}

/** Without another address, because the account's key is bound to this one. */
function signedGet({ key, secret }: FloodAccount, target: string): string {
  const expires = expiresAt();
  return (
    `GET ${target} HTTP/1.1\r\nhost: exchange\r\n` +
    `api-key: ${key}\r\napi-expires: ${expires}\r\n` +
    `api-signature: ${sign(secret, `GET${target}${expires}`)}\r\n\r\n`
  );
}

function expiresAt(): string {
  return String(Math.floor(Date.now() / 1_000) + EXPIRES_AFTER_S);
}
