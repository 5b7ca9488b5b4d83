// Hashes passwords with argon2id in the thread pool. One hash takes about 35 ms of a core, so
// concurrency, queue length and waiting time are bounded: a flood of logins is rejected, not
// queued. Known devices are hashed first and have reserved places.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Clock } from '../../../infra/process/index.ts';

/** A hashed password. Memory is in KiB. */
export interface PasswordTag {
  readonly salt: Uint8Array;
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
  readonly tag: Uint8Array;
}

export interface HashPriority {
  /** The device has logged in to this account before. */
  readonly isKnownDevice: boolean;
}

export interface HasherWatcher {
  queued(waiting: number): void;
  refused(): void;
  hashed(durationMs: number): void;
}

export interface HasherOptions {
  readonly clock: Clock;
  readonly watcher?: HasherWatcher;
  readonly threads?: number;
  readonly queueMax?: number;
  /** Places in the queue for unknown devices. */
  readonly strangersMax?: number;
  readonly waitMsMax?: number;
}

/** Too many passwords are queued. Nothing was hashed; the client can retry. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull';
  readonly retryAfterS = 2;
}

/** OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. */
const MINIMUM = { memory: 19_456, passes: 2, lanes: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const DUMMY_TAG = Buffer.alloc(TAG_BYTES);
const QUEUE_MAX = 32;
const STRANGERS_MAX = 24;
const WAIT_MS_MAX = 2_000;

interface Waiting {
  readonly sinceMs: number;
  start(): void;
  refuse(): void;
}

type Parameters = Omit<PasswordTag, 'tag'>;

export class PasswordHasher {
  readonly #clock: Clock;
  readonly #watcher: HasherWatcher | undefined;
  readonly #threads: number;
  readonly #queueMax: number;
  readonly #strangersMax: number;
  readonly #waitMsMax: number;
  readonly #known: Waiting[] = [];
  readonly #strangers: Waiting[] = [];
  #running = 0;

  constructor(options: HasherOptions) {
    this.#clock = options.clock;
    this.#watcher = options.watcher;
    this.#threads = options.threads ?? availableParallelism();
    this.#queueMax = options.queueMax ?? QUEUE_MAX;
    this.#strangersMax = options.strangersMax ?? STRANGERS_MAX;
    this.#waitMsMax = options.waitMsMax ?? WAIT_MS_MAX;
  }

  /** Throws HashQueueFull. */
  async hash(password: string, priority: HashPriority): Promise<PasswordTag> {
    const parameters = { ...MINIMUM, salt: randomBytes(SALT_BYTES) };
    return { ...parameters, tag: await this.#run(password, parameters, priority) };
  }

  /** Without a tag it takes as long as with one and returns false. Throws HashQueueFull. */
  async verify(
    password: string,
    tag: PasswordTag | undefined,
    priority: HashPriority,
  ): Promise<boolean> {
    const parameters = tag ?? { ...MINIMUM, salt: randomBytes(SALT_BYTES) };
    const found = await this.#run(password, parameters, priority);
    return timingSafeEqual(found, tag?.tag ?? DUMMY_TAG) && tag !== undefined;
  }

  async #run(password: string, parameters: Parameters, priority: HashPriority): Promise<Buffer> {
    await this.#turn(priority);
    const startedMs = this.#clock.elapsedMs();
    try {
      return await hashOnce(password, parameters);
    } finally {
      this.#watcher?.hashed(this.#clock.elapsedMs() - startedMs);
      this.#running -= 1;
      this.#next();
    }
  }

  #turn({ isKnownDevice }: HashPriority): Promise<void> {
    if (this.#running < this.#threads) {
      this.#running += 1;
      return Promise.resolve();
    }
    this.#dropOverdue();
    const queue = isKnownDevice ? this.#known : this.#strangers;
    const isFull =
      this.#waiting >= this.#queueMax || (!isKnownDevice && queue.length >= this.#strangersMax);
    if (isFull) {
      this.#watcher?.refused();
      return Promise.reject(new HashQueueFull('the password hash queue is full'));
    }
    const { promise, reject, resolve } = Promise.withResolvers<void>();
    const refuse = () => {
      this.#watcher?.refused();
      reject(new HashQueueFull('timed out waiting for a password hash thread'));
    };
    queue.push({ sinceMs: this.#clock.elapsedMs(), start: resolve, refuse });
    this.#watcher?.queued(this.#waiting);
    return promise;
  }

  get #waiting(): number {
    return this.#known.length + this.#strangers.length;
  }

  #next(): void {
    this.#dropOverdue();
    const next = this.#known.shift() ?? this.#strangers.shift();
    this.#watcher?.queued(this.#waiting);
    if (next === undefined) return;
    this.#running += 1;
    next.start();
  }

  // A thread becomes free many times per second while anything is queued, so no timer is needed.
  #dropOverdue(): void {
    const earliestMs = this.#clock.elapsedMs() - this.#waitMsMax;
    for (const queue of [this.#known, this.#strangers]) {
      while (queue.length > 0 && queue[0].sinceMs < earliestMs) queue.shift()?.refuse();
    }
  }
}

/**
 * Whether the tag has weaker parameters than today's; if so, hash the password again at its login.
 */
export function isBelowMinimum({ lanes, memory, passes }: PasswordTag): boolean {
  return memory < MINIMUM.memory || passes < MINIMUM.passes || lanes < MINIMUM.lanes;
}

/** Returns the tag as text, for the sealed payload of a code. */
export function passwordTagText({ lanes, memory, passes, salt, tag }: PasswordTag): string {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return JSON.stringify({ memory, passes, lanes, salt: base64(salt), tag: base64(tag) });
}

/** Reads `passwordTagText`; the text comes from a sealed value, so it is never malformed. */
export function passwordTagOf(text: string): PasswordTag {
  const { lanes, memory, passes, salt, tag } = JSON.parse(text);
  return {
    memory,
    passes,
    lanes,
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** Normalizes each character, so a password works from every keyboard. */
export function normalPassword(password: string): string {
  return password.normalize('NFKC');
}

function hashOnce(password: string, { lanes, memory, passes, salt }: Parameters): Promise<Buffer> {
  const asked = {
    message: Buffer.from(normalPassword(password)),
    nonce: salt,
    parallelism: lanes,
    tagLength: TAG_BYTES,
    memory,
    passes,
  };
  return new Promise((resolve, reject) => {
    argon2('argon2id', asked, (fault, tag) => (fault === null ? resolve(tag) : reject(fault)));
  });
}
