// Lease that lets one publisher work while others are standbys, in the stream with cursor and
// checkpoint. Its holder writes it every second; a lease that is not renewed for a while is free. A
// holder that was paused for long detects its successor at its next write and ends. Repeats that it
// sent in the meantime are dropped by their frames.

import { headers } from '@nats-io/transport-node';
import type { Nats } from '../../infra/bus/index.ts';
import type { FeedSubjects } from '../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';

export interface PublisherLeaseOptions {
  readonly nats: Nats;
  readonly subjects: FeedSubjects;
  readonly clock: Clock;
  /** Unique among all publishers. A restarted publisher takes its own lease back immediately. */
  readonly instance: string;
  onProblem(problem: unknown): void;
}

/** Another publisher has taken the lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const CHECK_EVERY_MS = 500;
const RENEW_EVERY_MS = 1_000;
/** Longer than a stream election, during which the holder cannot renew. */
const EXPIRES_AFTER_MS = 6_000;
const TIMEOUT_MS = 2_000;
const NO_MESSAGE = 10_037;
const WRONG_LAST_SEQUENCE = 10_071;
const EXPECTED_SEQUENCE = 'Nats-Expected-Last-Subject-Sequence';
const RELEASED = '';

interface Lease {
  /** Sequence of its last write; 0 if there is none. */
  readonly sequence: number;
  readonly holder: string;
}

// standing by ──acquire──▶ held ──release──▶ released; held ──another writes──▶ lost
export class PublisherLease {
  readonly #options: PublisherLeaseOptions;
  #sequence = 0;
  #isHeld = false;
  #isStandby = false;
  #isStopped = false;
  #timer: Timer | undefined;
  #endPause: () => void = () => {};

  constructor(options: PublisherLeaseOptions) {
    this.#options = options;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** True if another publisher holds it. */
  get isStandby(): boolean {
    return this.#isStandby;
  }

  /** Resolves with true when the lease is held, or with false if it was stopped first. */
  async acquire(onLost: (fault: LeaseLost) => void): Promise<boolean> {
    const { clock, instance, onProblem } = this.#options;
    let seen = { sequence: -1, sinceMs: 0 };
    while (!this.#isStopped) {
      try {
        const lease = await this.#read();
        const nowMs = clock.elapsedMs();
        if (seen.sequence !== lease.sequence) seen = { sequence: lease.sequence, sinceMs: nowMs };
        const isExpired = nowMs - seen.sinceMs >= EXPIRES_AFTER_MS;
        const isFree = isExpired || [RELEASED, instance].includes(lease.holder);
        if (isFree && !this.#isStopped && (await this.#write(instance, lease.sequence))) {
          this.#isHeld = true;
          this.#isStandby = false;
          this.#renewLater(onLost);
          return true;
        }
        this.#isStandby = true;
      } catch (problem) {
        onProblem(problem);
      }
      await this.#pause();
    }
    return false;
  }

  /** Lets a standby take over immediately. */
  async release(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#endPause();
    if (!this.#isHeld) return;
    this.#isHeld = false;
    // If it fails, the lease expires.
    await this.#write(RELEASED, this.#sequence).catch(this.#options.onProblem);
  }

  #renewLater(onLost: (fault: LeaseLost) => void): void {
    this.#timer = this.#options.clock.after(RENEW_EVERY_MS, () => {
      this.#renew().then(
        (holder) => {
          if (this.#isStopped) return;
          if (holder === this.#options.instance) this.#renewLater(onLost);
          else this.#lose(holder, onLost);
        },
        (problem: unknown) => {
          if (this.#isStopped) return;
          // While the stream does not respond, no other publisher can take the lease either.
          this.#options.onProblem(problem);
          this.#renewLater(onLost);
        },
      );
    });
  }

  /** Returns the current holder. A write whose response was lost might have been stored. */
  async #renew(): Promise<string> {
    const { instance } = this.#options;
    if (await this.#write(instance, this.#sequence)) return instance;
    const { holder, sequence } = await this.#read();
    this.#sequence = sequence;
    return holder;
  }

  #lose(holder: string, onLost: (fault: LeaseLost) => void): void {
    this.#isHeld = false;
    onLost(new LeaseLost(`publisher ${holder} has taken the lease`));
  }

  async #read(): Promise<Lease> {
    const { nats, subjects } = this.#options;
    const api = `$JS.API.STREAM.MSG.GET.${subjects.stateStream}`;
    const body = JSON.stringify({ last_by_subj: `${subjects.state}.lease` });
    const answer = await nats.client.request(api, body, { timeout: TIMEOUT_MS });
    const { error, message } = answer.json<Stored>();
    if (error?.err_code === NO_MESSAGE) return { sequence: 0, holder: RELEASED };
    if (message === undefined) throw new Error(`lease: ${error?.description ?? 'no response'}`);
    const holder = Buffer.from(message.data ?? '', 'base64').toString();
    return { sequence: message.seq, holder };
  }

  /** Returns false if another write came first. */
  async #write(holder: string, after: number): Promise<boolean> {
    const { nats, subjects } = this.#options;
    const expected = headers();
    expected.set(EXPECTED_SEQUENCE, String(after));
    const options = { headers: expected, timeout: TIMEOUT_MS };
    const answer = await nats.client.request(`${subjects.state}.lease`, holder, options);
    const { error, seq } = answer.json<{ seq?: number; error?: Stored['error'] }>();
    if (error?.err_code === WRONG_LAST_SEQUENCE) return false;
    if (seq === undefined) throw new Error(`lease: ${error?.description ?? 'not stored'}`);
    this.#sequence = seq;
    return true;
  }

  #pause(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      this.#endPause = resolve;
      this.#timer = this.#options.clock.after(CHECK_EVERY_MS, resolve);
    });
  }
}

type Stored = {
  readonly message?: { readonly seq: number; readonly data?: string };
  readonly error?: { readonly err_code?: number; readonly description?: string };
};
