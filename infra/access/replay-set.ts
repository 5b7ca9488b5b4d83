// The signatures of accepted writes, until they expire: each counts once, except that an order may
// repeat for two seconds. A gateway publishes the signatures it accepts, in one message for each
// turn of its event loop, receives those of others, and asks them for theirs when it starts.
// Bounded: when it is full, the signatures that expire first are dropped first.

import { randomBytes } from 'node:crypto';
import type { KeyId } from '../../core/money/index.ts';
import type { Bus, Subscription } from '../bus/index.ts';
import type { Clock } from '../process/index.ts';

export interface ReplaySetOptions {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly subject: string;
  readonly signaturesMax: number;
}

export interface TakenSignature {
  readonly key: KeyId;
  readonly signature: Uint8Array;
  /** In whole seconds since 1970; the signature is valid until the end of that second. */
  readonly expiresS: number;
  /** Clients sign in whole seconds: equal orders in a row have one signature. */
  readonly mayRepeat?: boolean | undefined;
}

/** From its first sight, a signature of equal orders counts for so long. */
export const REPEATS_WITHIN_MS = 2_000;
// The number of bytes of a signature that are kept: enough that no two collide.
const KEPT_BYTES = 16;
// A record of a message: key and expiry as doubles, and the kept bytes. The first record has no
// expiry, and the sender's name instead of the bytes: a release without senders ignores it as
// expired.
const RECORD_BYTES = 8 + 8 + KEPT_BYTES;
const RECORDS_PER_MESSAGE_MAX = 8_192;
// No signature is valid for longer than an hour; the clocks of gateways differ a little.
const EXPIRY_AHEAD_S_MAX = 3_630;
// Age of signatures from other gateways, which is unknown.
const LONG_AGO_MS = Number.NEGATIVE_INFINITY;

/**
 * Signatures in the order of arrival, and an iterator at the oldest. An iterator that restarted
 * each time would pass all deleted names again.
 */
interface Second {
  /** With the time of the first sight, in milliseconds since 1970. */
  readonly names: Map<string, number>;
  /** Undefined until it is needed: an idle iterator keeps old memory alive. */
  oldestFirst: Iterator<string, undefined> | undefined;
}

export class ReplaySet {
  readonly #options: ReplaySetOptions;
  /** By second of expiry: a few hundred at most. */
  readonly #seconds = new Map<number, Second>();
  /** Identifies the gateway's own messages, whose signatures are already here. */
  readonly #sender = randomBytes(KEPT_BYTES);
  #count = 0;
  #forgottenEarly = 0;
  #unpublished: TakenSignature[] = [];
  #earliestS = Number.POSITIVE_INFINITY;
  #subscriptions: Subscription[] = [];

  constructor(options: ReplaySetOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  /** The number of signatures that were dropped before they expired. */
  get forgottenEarly(): number {
    return this.#forgottenEarly;
  }

  start(): void {
    const { bus, clock, subject } = this.#options;
    this.#subscriptions = [
      bus.subscribe(subject, (message) => this.#onMessage(message, clock.nowMs())),
      bus.subscribe(`${subject}.known`, (message) => this.#onMessage(message, LONG_AGO_MS)),
      bus.subscribe(`${subject}.asked`, (asker) => this.#tell(asker)),
    ];
    this.ask();
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.stop();
  }

  /** Requests the signatures that other gateways have, because their memory outlives a restart. */
  ask(): void {
    const { bus, subject } = this.#options;
    bus.publish(`${subject}.asked`, this.#sender);
  }

  /** True if the signature is new, or repeats in time. */
  take(taken: TakenSignature): boolean {
    const nowMs = this.#options.clock.nowMs();
    const firstMs = this.#add(nameOf(taken), taken.expiresS, nowMs);
    if (firstMs !== undefined) {
      return taken.mayRepeat === true && nowMs - firstMs <= REPEATS_WITHIN_MS;
    }
    this.#unpublished.push(taken);
    if (this.#unpublished.length === 1) this.#options.clock.soon(() => this.#publish());
    return true;
  }

  /** The first sight of the signature if it is known, else undefined. */
  #add(name: string, expiresS: number, seenMs: number): number | undefined {
    this.#forgetExpired();
    const firstMs = this.#seconds.get(expiresS)?.names.get(name);
    if (firstMs !== undefined) return firstMs;
    if (this.#count >= this.#options.signaturesMax) this.#forgetOne();
    let second = this.#seconds.get(expiresS);
    if (second === undefined) {
      second = { names: new Map(), oldestFirst: undefined };
      this.#seconds.set(expiresS, second);
      this.#earliestS = Math.min(this.#earliestS, expiresS);
    }
    second.names.set(name, seenMs);
    this.#count += 1;
    return undefined;
  }

  #forgetExpired(): void {
    const nowS = Math.floor(this.#options.clock.nowMs() / 1_000);
    if (this.#earliestS >= nowS) return;
    for (const [expiresS, { names }] of this.#seconds) {
      if (expiresS >= nowS) continue;
      this.#seconds.delete(expiresS);
      this.#count -= names.size;
    }
    this.#findEarliest();
  }

  #forgetOne(): void {
    const second = this.#seconds.get(this.#earliestS);
    if (second === undefined) return;
    const { names } = second;
    second.oldestFirst ??= names.keys();
    names.delete(second.oldestFirst.next().value!);
    this.#count -= 1;
    this.#forgottenEarly += 1;
    if (names.size > 0) return;
    this.#seconds.delete(this.#earliestS);
    this.#findEarliest();
  }

  #findEarliest(): void {
    this.#earliestS = Number.POSITIVE_INFINITY;
    for (const second of this.#seconds.keys()) {
      if (second < this.#earliestS) this.#earliestS = second;
    }
  }

  #publish(): void {
    const untold = this.#unpublished;
    this.#unpublished = [];
    this.#send(this.#options.subject, untold);
  }

  #tell(asker: Uint8Array): void {
    if (this.#sender.equals(asker)) return;
    this.#forgetExpired();
    const known = [...this.#seconds].flatMap(([expiresS, { names }]) =>
      Array.from(names.keys(), (name) => ({ ...readName(name), expiresS })),
    );
    this.#send(`${this.#options.subject}.known`, known);
  }

  #send(subject: string, taken: readonly TakenSignature[]): void {
    for (let from = 0; from < taken.length; from += RECORDS_PER_MESSAGE_MAX) {
      const records = taken.slice(from, from + RECORDS_PER_MESSAGE_MAX);
      this.#options.bus.publish(subject, encode(this.#sender, records));
    }
  }

  #onMessage(message: Uint8Array, seenMs: number): void {
    if (this.#isOwn(message)) return;
    const nowS = Math.floor(this.#options.clock.nowMs() / 1_000);
    const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
    for (let at = 0; at + RECORD_BYTES <= message.length; at += RECORD_BYTES) {
      const key = view.getFloat64(at) as KeyId;
      const expiresS = view.getFloat64(at + 8);
      const signature = message.subarray(at + 16, at + RECORD_BYTES);
      const isGood = expiresS >= nowS && expiresS <= nowS + EXPIRY_AHEAD_S_MAX;
      if (!Number.isSafeInteger(expiresS) || !isGood) continue;
      this.#add(nameOf({ key, signature }), expiresS, seenMs);
    }
  }

  #isOwn(message: Uint8Array): boolean {
    return this.#sender.equals(message.subarray(RECORD_BYTES - KEPT_BYTES, RECORD_BYTES));
  }
}

function nameOf({ key, signature }: Pick<TakenSignature, 'key' | 'signature'>): string {
  const { buffer, byteOffset } = signature;
  return key + Buffer.from(buffer, byteOffset, KEPT_BYTES).toString('latin1');
}

function readName(name: string): Pick<TakenSignature, 'key' | 'signature'> {
  const signature = Buffer.from(name.slice(-KEPT_BYTES), 'latin1');
  return { key: Number(name.slice(0, -KEPT_BYTES)) as KeyId, signature };
}

function encode(sender: Uint8Array, records: readonly TakenSignature[]): Uint8Array {
  const message = new Uint8Array((1 + records.length) * RECORD_BYTES);
  const view = new DataView(message.buffer);
  message.set(sender, RECORD_BYTES - KEPT_BYTES);
  records.forEach(({ expiresS, key, signature }, index) => {
    const at = (1 + index) * RECORD_BYTES;
    view.setFloat64(at, key);
    view.setFloat64(at + 8, expiresS);
    message.set(signature.subarray(0, KEPT_BYTES), at + 16);
  });
  return message;
}
