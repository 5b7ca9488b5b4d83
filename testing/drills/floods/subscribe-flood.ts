// Sockets without an account that repeatedly subscribe to every market, in messages that repeat one
// topic 500 times.

import { setTimeout as delay } from 'node:timers/promises';
import type { Flood } from './flood-target.ts';
import { RawSocket, textFrameOf } from './raw-socket.ts';

export interface SubscribeWave {
  readonly url: string;
  readonly address: string;
  readonly sockets: number;
  /** Messages per socket: one below the message limit. */
  readonly messages: number;
}

const ARGS = 500;
const WAVE = { sockets: 20, messages: 19 };
// The attackers have a few addresses.
const ADDRESSES = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
const WAVE_EVERY_MS = 3_000;
const PAUSE_MS = 100;

const SUBSCRIBE = textFrameOf(
  JSON.stringify({ op: 'subscribe', args: Array<string>(ARGS).fill('orderbook') }),
);

/** Opens the sockets first, then sends everything in one burst. */
export async function sendSubscribeWave(wave: SubscribeWave): Promise<RawSocket[]> {
  const opening = Array.from({ length: wave.sockets }, () => RawSocket.open(wave));
  const sockets = (await Promise.all(opening)).filter((socket) => socket !== undefined);
  for (let count = 0; count < wave.messages; count += 1) {
    for (const socket of sockets) socket.write(SUBSCRIBE);
  }
  return sockets;
}

export const subscribeFlood: Flood = async ({ streamUrl: url }, stop) => {
  const tally = { subscribeSockets: 0, subscribeRefused: 0, subscribeClosed: 0 };
  const attack = async (address: string): Promise<void> => {
    while (!stop.aborted) {
      const sockets = await sendSubscribeWave({ url, address, ...WAVE });
      tally.subscribeSockets += sockets.length;
      tally.subscribeRefused += WAVE.sockets - sockets.length;
      const untilMs = performance.now() + WAVE_EVERY_MS;
      while (!stop.aborted && performance.now() < untilMs) await delay(PAUSE_MS);
      tally.subscribeClosed += sockets.filter(({ isClosed }) => isClosed).length;
      for (const socket of sockets) socket.destroy();
    }
  };
  await Promise.all(ADDRESSES.map(attack));
  return tally;
};
