// Maintains the stream that captures user events: creates it, even after a loss, and resizes it. It
// is optional: without it, reconnecting clients get a snapshot.

import type { Nats, Watch } from '../../infra/bus/index.ts';
import { PRIVATE_STREAM_KEEPS_MS, privateStreamName } from '../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { FeedStreamFault, requestStreamApi, STREAM_NOT_FOUND } from './nats-streams.ts';

export interface PrivateStreamOptions {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly exchange: string;
  /** Subject prefix of user events: `…private`. */
  readonly subject: string;
  readonly replicas: number;
  /** Beyond this, the oldest messages are removed. */
  readonly bytesMax: number;
  onProblem(problem: unknown): void;
}

const CHECK_EVERY_MS = 10_000;
const RETRY_AFTER_MS = 500;
const NANOSECONDS_IN_MS = 1_000_000;

export function privateStream({
  bytesMax,
  exchange,
  replicas,
  subject,
}: Pick<PrivateStreamOptions, 'bytesMax' | 'exchange' | 'replicas' | 'subject'>) {
  return {
    name: privateStreamName(exchange),
    subjects: [`${subject}.>`],
    num_replicas: replicas,
    // Losing it with a server is acceptable, because it only avoids snapshots.
    storage: 'memory',
    retention: 'limits',
    discard: 'old',
    max_age: PRIVATE_STREAM_KEEPS_MS * NANOSECONDS_IN_MS,
    max_bytes: bytesMax,
    max_msgs_per_subject: -1,
    // Gateways read single messages from any replica.
    allow_direct: true,
    // Messages are for subscribers; the stream only captures them.
    no_ack: true,
  } as const;
}

type PrivateStreamConfig = ReturnType<typeof privateStream>;

// new ──start──▶ maintained, checked periodically ──stop──▶ stopped
export class PrivateStream {
  readonly #options: PrivateStreamOptions;
  readonly #config: PrivateStreamConfig;
  #watch: Watch | undefined;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: PrivateStreamOptions) {
    this.#options = options;
    this.#config = privateStream(options);
  }

  /** Rejects if a stream with that name has other subjects or storage. */
  async start(): Promise<void> {
    await this.#ensure();
    this.#watch = this.#options.nats.watch((isConnected) => {
      if (isConnected) this.#scheduleCheck(0);
    });
    this.#scheduleCheck(CHECK_EVERY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#watch?.stop();
    this.#timer?.cancel();
  }

  #scheduleCheck(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#isStopped) return;
    this.#timer = this.#options.clock.after(delayMs, () => {
      this.#ensure().then(
        () => this.#scheduleCheck(CHECK_EVERY_MS),
        (problem: unknown) => {
          if (this.#options.nats.isConnected) this.#options.onProblem(problem);
          this.#scheduleCheck(RETRY_AFTER_MS);
        },
      );
    });
  }

  async #ensure(): Promise<void> {
    const { nats } = this.#options;
    const config = this.#config;
    let answer = await requestStreamApi(nats, `INFO.${config.name}`, {});
    if (answer.error?.err_code === STREAM_NOT_FOUND) {
      answer = await requestStreamApi(nats, `CREATE.${config.name}`, config);
    }
    const { config: found, error } = answer;
    if (error !== undefined) throw new FeedStreamFault(`${config.name}: ${error.description}`);
    if (found?.storage !== config.storage || found.subjects?.join() !== config.subjects.join()) {
      throw new FeedStreamFault(
        `stream ${config.name} exists with other settings; delete it or change the settings`,
      );
    }
    if (hasItsSize(found, config)) return;
    const { error: refusal } = await requestStreamApi(nats, `UPDATE.${config.name}`, config);
    if (refusal !== undefined) throw new FeedStreamFault(`${config.name}: ${refusal.description}`);
  }
}

function hasItsSize(found: object, config: PrivateStreamConfig): boolean {
  const { max_age, max_bytes, num_replicas } = found as Partial<PrivateStreamConfig>;
  return (
    max_age === config.max_age &&
    max_bytes === config.max_bytes &&
    num_replicas === config.num_replicas
  );
}
