// The armed dead man's switches. They are few, and heartbeats move them far more often than they
// fire: a plain map with a lower bound on the earliest deadline.

import type { KeyId, TimeMs, UserId } from '../money/index.ts';

export interface DeadManSwitch {
  readonly user: UserId;
  readonly key: KeyId;
  readonly deadlineMs: TimeMs;
}

// Keys are below 2^32 and users below 2^31: a number cannot hold both.
function keyOf(user: UserId, key: KeyId): string {
  return `${user}:${key}`;
}

export class DeadManSwitches {
  readonly #armed = new Map<string, DeadManSwitch>();
  /** A lower bound: at or before the earliest deadline, never after it. */
  #noneDueBeforeMs = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#armed.size;
  }

  /** No switch is due before this time; infinity if none is armed. */
  get noneDueBeforeMs(): number {
    return this.#noneDueBeforeMs;
  }

  has(user: UserId, key: KeyId): boolean {
    return this.#armed.has(keyOf(user, key));
  }

  arm(armed: DeadManSwitch): void {
    this.#armed.set(keyOf(armed.user, armed.key), armed);
    if (armed.deadlineMs < this.#noneDueBeforeMs) this.#noneDueBeforeMs = armed.deadlineMs;
  }

  disarm(user: UserId, key: KeyId): void {
    this.#armed.delete(keyOf(user, key));
  }

  /** The switches due at `nowMs`, earliest first, at most `countMax`. */
  due(nowMs: TimeMs, countMax: number): readonly DeadManSwitch[] {
    if (nowMs < this.#noneDueBeforeMs) return [];
    const sorted = this.inOrder();
    const due = sorted.filter((one) => one.deadlineMs <= nowMs).slice(0, countMax);
    this.#noneDueBeforeMs = sorted[due.length]?.deadlineMs ?? Number.POSITIVE_INFINITY;
    return due;
  }

  /** By deadline, then user, then key: independent of the order of arming. */
  inOrder(): readonly DeadManSwitch[] {
    return [...this.#armed.values()].sort(
      (one, other) =>
        one.deadlineMs - other.deadlineMs || one.user - other.user || one.key - other.key,
    );
  }
}
