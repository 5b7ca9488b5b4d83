// Resources opened for their first user and closed some time after the last one leaves, because
// clients reconnect and reopening a market costs requests.

import type { Clock, Timer } from '../../../infra/process/index.ts';

export interface Closable {
  close(): void;
}

interface Entry<Resource> {
  readonly resource: Resource;
  users: number;
  closing: Timer | undefined;
}

export class RefCountedMap<Resource extends Closable> {
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #open: (name: string) => Resource;
  readonly #entries = new Map<string, Entry<Resource>>();

  constructor(options: {
    readonly clock: Clock;
    readonly graceMs: number;
    readonly open: (name: string) => Resource;
  }) {
    this.#clock = options.clock;
    this.#graceMs = options.graceMs;
    this.#open = options.open;
  }

  /** Number of open resources. */
  get size(): number {
    return this.#entries.size;
  }

  get(name: string): Resource | undefined {
    return this.#entries.get(name)?.resource;
  }

  /** Every `acquire` needs a `release`. */
  acquire(name: string): Resource {
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      entry = { resource: this.#open(name), users: 0, closing: undefined };
      this.#entries.set(name, entry);
    }
    entry.users += 1;
    entry.closing?.cancel();
    entry.closing = undefined;
    return entry.resource;
  }

  release(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.users -= 1;
    if (entry.users > 0) return;
    entry.closing = this.#clock.after(this.#graceMs, () => {
      this.#entries.delete(name);
      entry.resource.close();
    });
  }

  closeAll(): void {
    for (const { closing, resource } of this.#entries.values()) {
      closing?.cancel();
      resource.close();
    }
    this.#entries.clear();
  }
}
