// Resources that are opened for their first user and closed a grace time after the last one:
// clients reconnect, and reopening a market costs requests.

import type { Clock, Timer } from '../../../infra/process/index.ts';

export interface Closable {
  close(): void;
}

interface Kept<Thing> {
  readonly thing: Thing;
  users: number;
  closing: Timer | undefined;
}

export class RefCountedMap<Thing extends Closable> {
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #open: (name: string) => Thing;
  readonly #kept = new Map<string, Kept<Thing>>();

  constructor(options: {
    readonly clock: Clock;
    readonly graceMs: number;
    readonly open: (name: string) => Thing;
  }) {
    this.#clock = options.clock;
    this.#graceMs = options.graceMs;
    this.#open = options.open;
  }

  /** The number of open resources. */
  get size(): number {
    return this.#kept.size;
  }

  get(name: string): Thing | undefined {
    return this.#kept.get(name)?.thing;
  }

  /** Every `acquire` needs a `release`. */
  acquire(name: string): Thing {
    let kept = this.#kept.get(name);
    if (kept === undefined) {
      kept = { thing: this.#open(name), users: 0, closing: undefined };
      this.#kept.set(name, kept);
    }
    kept.users += 1;
    kept.closing?.cancel();
    kept.closing = undefined;
    return kept.thing;
  }

  release(name: string): void {
    const kept = this.#kept.get(name);
    if (kept === undefined) return;
    kept.users -= 1;
    if (kept.users > 0) return;
    kept.closing = this.#clock.after(this.#graceMs, () => {
      this.#kept.delete(name);
      kept.thing.close();
    });
  }

  closeAll(): void {
    for (const { closing, thing } of this.#kept.values()) {
      closing?.cancel();
      thing.close();
    }
    this.#kept.clear();
  }
}
