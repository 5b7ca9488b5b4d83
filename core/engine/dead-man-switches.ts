// The armed dead man's switches. They are few, and heartbeats move them far more often than they
// fire: a plain map with a lower bound on the earliest deadline.

import type { KeyId, TimeMs, UserId } from '../money/index.ts';
import { hashNumber, hashPair } from '../structures/index.ts';

export interface DeadManSwitch {
  readonly user: UserId;
  readonly key: KeyId;
  readonly deadlineMs: TimeMs;
}

/** Whether a due switch does not fire now. */
export type IsSpared = (one: DeadManSwitch) => boolean;

// Keys are below 2^32 and users below 2^31: a number cannot hold both.
function keyOf(user: UserId, key: KeyId): string {
  return `${user}:${key}`;
}

export class DeadManSwitches {
  readonly #armed = new Map<string, DeadManSwitch>();
  readonly #counts = new Map<UserId, number>();
  /** A lower bound: at or before the earliest deadline, never after it. */
  #noneDueBeforeMs = Number.POSITIVE_INFINITY;
  #checksum = 0;

  get size(): number {
    return this.#armed.size;
  }

  /** No switch is due before this time; infinity if none is armed. */
  get noneDueBeforeMs(): number {
    return this.#noneDueBeforeMs;
  }

  /** Equal for equal sets of armed switches, in any arming order. */
  get checksum(): number {
    return this.#checksum;
  }

  has(user: UserId, key: KeyId): boolean {
    return this.#armed.has(keyOf(user, key));
  }

  /** The number of armed switches of a user. */
  countOf(user: UserId): number {
    return this.#counts.get(user) ?? 0;
  }

  arm(armed: DeadManSwitch): void {
    const { user, key } = armed;
    const before = this.#armed.get(keyOf(user, key));
    if (before === undefined) this.#counts.set(user, this.countOf(user) + 1);
    else this.#checksum = (this.#checksum - checksumOf(before)) | 0;
    this.#checksum = (this.#checksum + checksumOf(armed)) | 0;
    this.#armed.set(keyOf(user, key), armed);
    if (armed.deadlineMs < this.#noneDueBeforeMs) this.#noneDueBeforeMs = armed.deadlineMs;
  }

  disarm(user: UserId, key: KeyId): void {
    const armed = this.#armed.get(keyOf(user, key));
    if (armed === undefined) return;
    this.#armed.delete(keyOf(user, key));
    this.#checksum = (this.#checksum - checksumOf(armed)) | 0;
    const left = this.countOf(user) - 1;
    if (left > 0) this.#counts.set(user, left);
    else this.#counts.delete(user);
  }

  /** The switches due at `nowMs`, earliest first, at most `countMax`, without the spared ones. */
  due(nowMs: TimeMs, countMax: number, isSpared: IsSpared): readonly DeadManSwitch[] {
    if (nowMs < this.#noneDueBeforeMs) return [];
    const due: DeadManSwitch[] = [];
    let nextMs = Number.POSITIVE_INFINITY;
    for (const one of this.#armed.values()) {
      if (one.deadlineMs <= nowMs && !isSpared(one)) due.push(one);
      else if (one.deadlineMs < nextMs) nextMs = one.deadlineMs;
    }
    due.sort(earlierFirst);
    this.#noneDueBeforeMs = Math.min(due[countMax]?.deadlineMs ?? nextMs, nextMs);
    return due.slice(0, countMax);
  }

  /** By deadline, then user, then key: independent of the order of arming. */
  inOrder(): readonly DeadManSwitch[] {
    return [...this.#armed.values()].sort(earlierFirst);
  }
}

function earlierFirst(one: DeadManSwitch, other: DeadManSwitch): number {
  return one.deadlineMs - other.deadlineMs || one.user - other.user || one.key - other.key;
}

function checksumOf({ deadlineMs, key, user }: DeadManSwitch): number {
  return Math.imul(hashPair(user, key), hashNumber(deadlineMs) | 1);
}
