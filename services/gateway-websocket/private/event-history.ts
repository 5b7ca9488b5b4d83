// User events of the last minutes, from the stream that captures them. The stream is ordered by
// frame except for repeats, so a binary search with cacheable single reads finds a frame. Only
// later messages are searched for the user's own.

import type { Msg } from '@nats-io/transport-node';
import type { Nats } from '../../../infra/bus/index.ts';
import {
  feedSubjects,
  frameOfUserEvents,
  type Position,
  privateStreamName,
} from '../../../infra/live-feed/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { readUserEntries, type UserEntries } from './user-entries.ts';
import type { PastEvents } from './user-stream.ts';

export interface EventHistoryOptions {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly exchange: string;
  /** Beyond this, a snapshot is cheaper. */
  readonly messagesMax: number;
  readonly bytesMax: number;
  onProblem(problem: unknown): void;
}

export const EVENT_HISTORY_DEFAULTS = { messagesMax: 2_000, bytesMax: 4 * 1024 * 1024 };

interface Extent {
  readonly first: number;
  readonly last: number;
}

const TIMEOUT_MS = 2_000;
const CONCURRENT_MAX = 16;
// A stale end of the stream only makes the search slightly longer.
const EXTENT_CACHED_MS = 500;
const FRAMES_CACHED_MAX = 20_000;
const BATCH = 250;

export class EventHistory {
  readonly #options: EventHistoryOptions;
  readonly #stream: string;
  /** Subject prefix of user events: `…private`. */
  readonly #subject: string;
  readonly #limit = new ConcurrencyLimit(CONCURRENT_MAX);
  #extent: { readonly atMs: number; readonly answer: Promise<Extent | undefined> } | undefined;
  /** Message frames by stream sequence: immutable, and shared by all searches. */
  readonly #frames = new Map<number, number>();

  constructor(options: EventHistoryOptions) {
    this.#options = options;
    this.#stream = privateStreamName(options.exchange);
    this.#subject = feedSubjects(options.exchange).private;
  }

  /** Returns undefined if there are too many events, or they cannot be read now. */
  async read(user: number, from: Position): Promise<PastEvents | undefined> {
    try {
      return await this.#limit.run(() => this.#read(user, from));
    } catch (problem) {
      this.#options.onProblem(problem);
      return undefined;
    }
  }

  async #read(user: number, from: Position): Promise<PastEvents | undefined> {
    const extent = await this.#readExtent();
    if (extent === undefined) return undefined;
    if (extent.last < extent.first) return { events: [], reachesBack: false };
    const start = await this.#find(from.frame, extent);
    const events = await this.#readFrom(start, user);
    return events && { events, reachesBack: start > extent.first };
  }

  /** Returns the sequence of the first message at or after this frame. */
  async #find(frame: number, { first, last }: Extent): Promise<number> {
    // Messages before `low` are earlier. Messages at or after `high` are not, except for repeats.
    let [low, high] = [first, last + 1];
    while (low < high) {
      const middle = roundMiddle(low, high);
      const found = await this.#frameAt(middle);
      // The message has expired in the meantime, and so have all earlier ones.
      if (found === undefined || found < frame) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #frameAt(seq: number): Promise<number | undefined> {
    const known = this.#frames.get(seq);
    if (known !== undefined) return known;
    const message = await this.#request(JSON.stringify({ seq }));
    if (isStatus(message)) return undefined;
    const frame = frameOfUserEvents(message.data) ?? 0;
    if (this.#frames.size >= FRAMES_CACHED_MAX) this.#frames.clear();
    this.#frames.set(seq, frame);
    return frame;
  }

  async #readFrom(start: number, user: number): Promise<UserEntries[] | undefined> {
    const { messagesMax, bytesMax } = this.#options;
    const found: UserEntries[] = [];
    let [seq, bytes] = [start, 0];
    for (;;) {
      const batch = await this.#readBatch(seq, user);
      for (const { data, headers } of batch.messages) {
        seq = Number(headers?.get('Nats-Sequence')) + 1;
        bytes += data.length;
        const entries = readUserEntries(data);
        // Written by another release, so the history is unreadable and a snapshot replaces it.
        if (entries === undefined) return undefined;
        found.push(entries);
      }
      if (batch.isLast) return found;
      if (found.length > messagesMax || bytes > bytesMax) return undefined;
    }
  }

  async #readBatch(
    seq: number,
    user: number,
  ): Promise<{ readonly messages: readonly Msg[]; readonly isLast: boolean }> {
    const next_by_subj = `${this.#subject}.${user}`;
    const question = JSON.stringify({ seq, next_by_subj, batch: BATCH });
    const answers = await this.#options.nats.client.requestMany(this.#api(), question, {
      strategy: 'sentinel',
      maxWait: TIMEOUT_MS,
    });
    const messages: Msg[] = [];
    for await (const message of answers) {
      if (!isStatus(message)) messages.push(message);
      else if (message.headers?.code === NOT_FOUND) return { messages: [], isLast: true };
      else if (message.headers?.code === END_OF_BATCH) {
        const isLast = Number(message.headers.get('Nats-Num-Pending')) === 0;
        return { messages, isLast };
      } else break;
    }
    throw new Error('incomplete batch of past events');
  }

  #readExtent(): Promise<Extent | undefined> {
    const { clock, nats } = this.#options;
    const nowMs = clock.elapsedMs();
    if (this.#extent !== undefined && nowMs - this.#extent.atMs < EXTENT_CACHED_MS) {
      return this.#extent.answer;
    }
    const api = `$JS.API.STREAM.INFO.${this.#stream}`;
    const answer = nats.client.request(api, '', { timeout: TIMEOUT_MS }).then((answer) => {
      const { state } = answer.json<StreamInfo>();
      if (state === undefined) return undefined;
      // The sequences of an empty stream are meaningless.
      return state.messages === 0
        ? { first: 1, last: 0 }
        : { first: state.first_seq, last: state.last_seq };
    });
    this.#extent = { atMs: nowMs, answer };
    return answer;
  }

  #request(question: string): Promise<Msg> {
    return this.#options.nats.client.request(this.#api(), question, { timeout: TIMEOUT_MS });
  }

  #api(): string {
    return `$JS.API.DIRECT.GET.${this.#stream}`;
  }
}

const END_OF_BATCH = 204;
const NOT_FOUND = 404;

function isStatus({ headers }: Msg): boolean {
  return (headers?.code ?? 0) > 0;
}

/** Returns a number in between, as round as possible, so all searches share their probes. */
export function roundMiddle(low: number, high: number): number {
  const middle = Math.floor((low + high) / 2);
  for (let unit = 2 ** 30; unit > 1; unit /= 2) {
    const round = Math.ceil(middle / unit) * unit;
    // Keeps about half, at least a quarter away from both ends.
    const margin = Math.floor((high - low) / 4);
    if (round >= low + margin && round < high - margin) return round;
  }
  return middle;
}

type StreamInfo = {
  readonly state?: {
    readonly messages: number;
    readonly first_seq: number;
    readonly last_seq: number;
  };
};
