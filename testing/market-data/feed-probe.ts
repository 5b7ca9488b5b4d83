// A feed subscriber, like a gateway: drops repeats by frame and index, and stores the newest
// version of each last value. A repeat that differs from the original is a bug.

import assert from 'node:assert/strict';
import { decodeUserEvents, type UserEvents } from '../../infra/live-feed/index.ts';

export interface ReceivedEntry {
  readonly frame: number;
  readonly index: number;
  // biome-ignore lint/suspicious/noExplicitAny: received data is checked field by field.
  readonly messages: readonly any[];
}

export class FeedProbe {
  readonly entries = new Map<number, ReceivedEntry[]>();
  /** By symbol, oldest first. */
  readonly trades = new Map<string, object[]>();
  readonly values = new Map<string, { frame: number; payload: string }>();
  repeatCount = 0;
  messageCount = 0;
  /** Number of messages that did not continue the previous one. */
  gapCount = 0;
  readonly #known = new Map<string, string>();
  readonly #lastTrade = new Map<string, number>();

  get entryCount(): number {
    return [...this.entries.values()].reduce((sum, { length }) => sum + length, 0);
  }

  onPrivate(payload: string): void {
    this.messageCount += 1;
    const events = decodeUserEvents(Buffer.from(payload));
    assert.ok(events !== undefined, 'user events can be decoded');
    const { after, frame, user } = events;
    const entries = entriesOf(events);
    const heard = this.entries.get(user) ?? [];
    const last = heard.at(-1) ?? { frame: 0, index: 0 };
    const fresh = entries.filter((entry: ReceivedEntry) => this.#isNew(user, frame, entry));
    if (fresh.length > 0 && (after.frame !== last.frame || after.index !== last.index)) {
      this.gapCount += 1;
    }
    for (const { index, messages } of fresh) heard.push({ frame, index, messages });
    this.entries.set(user, heard);
  }

  onTrades(symbol: string, numbers: string, payload: string): void {
    const [first, last] = numbers.split('-').map(Number);
    const known = this.#lastTrade.get(symbol) ?? 0;
    if (last <= known) {
      this.repeatCount += 1;
      return;
    }
    assert.ok(first > known, 'a batch of trades arrives completely or not at all');
    this.#lastTrade.set(symbol, last);
    const list = this.trades.get(symbol) ?? [];
    list.push(...JSON.parse(payload).reverse());
    this.trades.set(symbol, list);
  }

  /** `name` is the subject after the prefix for last values. */
  onValue(name: string, frame: number, payload: string): void {
    const known = this.values.get(name);
    if (known === undefined || frame >= known.frame) this.values.set(name, { frame, payload });
  }

  #isNew(user: number, frame: number, entry: ReceivedEntry): boolean {
    const key = `${user} ${frame} ${entry.index}`;
    const text = JSON.stringify(entry.messages);
    const first = this.#known.get(key);
    if (first === undefined) {
      this.#known.set(key, text);
      return true;
    }
    assert.equal(text, first, 'a repeated entry equals the first');
    this.repeatCount += 1;
    return false;
  }
}

function entriesOf({ frame, messages }: UserEvents): ReceivedEntry[] {
  const groups = Map.groupBy(messages, ({ index }) => index);
  return [...groups].map(([index, found]) => {
    return { frame, index, messages: found.map(({ text }) => JSON.parse(text)) };
  });
}
