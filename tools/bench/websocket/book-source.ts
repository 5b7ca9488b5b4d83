// Publishes books like the publisher, as fast as a bench wants: only their number changes. Frames
// start far above those of the exchange, which are then ignored.

import { headers } from '@nats-io/transport-node';
import type { Nats } from '../../../infra/bus/index.ts';
import { FRAME_HEADER } from '../../../infra/live-feed/index.ts';

export const SYMBOL = 'btc-usdt';
export const BOOK_SUBJECT = `rialto.feed.book.${SYMBOL}`;
/** The gateway's envelope; its time has ten digits. */
export const ENVELOPE = [
  `{"topic":"orderbook","action":"partial","symbol":"${SYMBOL}","data":`,
  ',"time":1700000000}',
] as const;

const LEVELS = 9;
const FRAME_FROM = 1_000_000_000;

export class BookSource {
  readonly #nats: Nats;
  #frame = FRAME_FROM;

  constructor(nats: Nats) {
    this.#nats = nats;
  }

  /** Always has the same length; the number is the size of the best bid. */
  say(number: number, paddedTo = 0): void {
    const made = headers();
    this.#frame += 1;
    made.set(FRAME_HEADER, String(this.#frame));
    this.#nats.client.publish(BOOK_SUBJECT, bookText(number, paddedTo), { headers: made });
  }

  /** Size on the wire, including the frame header. */
  messageBytes(paddedTo = 0): number {
    const length = ENVELOPE.join('').length + bookText(0, paddedTo).length;
    return length + (length < 126 ? 2 : length < 65_536 ? 4 : 10);
  }
}

function bookText(number: number, paddedTo: number): string {
  const levels = Array.from({ length: LEVELS }, (_, at) => `[${60_000.25 + at},0.${1_000 + at}]`);
  // Larger than 1, so JSON can write it in this form.
  const best = 10_000_000 + number;
  const text =
    `{"bids":[[60000.10,${best}],${levels}],"asks":[${levels}]` +
    ',"timestamp":"2026-01-01T00:00:00.000Z"';
  return `${text.padEnd(paddedTo)}}`;
}

/** Returns the number in a recorded size. */
export function numberOf(size: number): number {
  return size - 10_000_000;
}
