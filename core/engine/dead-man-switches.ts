// The armed dead man's switches. Few, and touched by heartbeats far more often than they fire:
// a plain map, with a bound before which nothing can be due.

import type { KeyId, TimeMs, UserId } from '../money/index.ts';

export interface DeadManSwitch {
  readonly user: UserId;
  readonly key: KeyId;
  readonly deadlineMs: TimeMs;
}

// Keys are below 2^32 and users below 2^31; a number would not hold both.
function nameOf(user: UserId, key: KeyId): string {
  return `${user}:${key}`;
}

export class DeadManSwitches {
  readonly #armed = new Map<string, DeadManSwitch>();
  /** No switch is due before this. It may lag behind the true earliest deadline, never lead. */
  #noneDueBeforeMs = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#armed.size;
  }

  /** No switch is due before this; infinity when none is armed. */
  get noneDueBeforeMs(): number {
    return this.#noneDueBeforeMs;
  }

  has(user: UserId, key: KeyId): boolean {
    return this.#armed.has(nameOf(user, key));
  }

  arm(armed: DeadManSwitch): void {
    this.#armed.set(nameOf(armed.user, armed.key), armed);
    if (armed.deadlineMs < this.#noneDueBeforeMs) this.#noneDueBeforeMs = armed.deadlineMs;
  }

  disarm(user: UserId, key: KeyId): void {
    this.#armed.delete(nameOf(user, key));
  }

  /** The switches due by now, earliest first, at most `most` of them. */
  due(nowMs: TimeMs, most: number): readonly DeadManSwitch[] {
    if (nowMs < this.#noneDueBeforeMs) return [];
    const sorted = this.inOrder();
    const due = sorted.filter((one) => one.deadlineMs <= nowMs).slice(0, most);
    this.#noneDueBeforeMs = sorted[due.length]?.deadlineMs ?? Number.POSITIVE_INFINITY;
    return due;
  }

  /** By deadline, then user, then key: an order that no history can change. */
  inOrder(): readonly DeadManSwitch[] {
    return [...this.#armed.values()].sort(
      (one, other) =>
        one.deadlineMs - other.deadlineMs || one.user - other.user || one.key - other.key,
    );
  }
}
