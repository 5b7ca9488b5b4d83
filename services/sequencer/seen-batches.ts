// Which batches have come already. A gateway counts its batches, so one that is not above the last
// is a copy, or late: its fate may have been told, and it must not have another. Bounded; a gateway
// that was forgotten begins anew.

import type { BatchHeader } from '../../infra/command-link/index.ts';

/** Gateway sessions of one reign; each is two numbers. */
const SOURCES_MAX = 65_536;

export class SeenBatches {
  readonly #lastBySource = new Map<number, number>();

  /** True once for each batch of a source, in the order they were made; false for all others. */
  isNew({ batch, source }: BatchHeader): boolean {
    const last = this.#lastBySource.get(source) ?? 0;
    if (batch <= last) return false;
    // Set anew, so that those heard of last are forgotten last.
    this.#lastBySource.delete(source);
    this.#lastBySource.set(source, batch);
    if (this.#lastBySource.size > SOURCES_MAX) this.#forgetOldest();
    return true;
  }

  #forgetOldest(): void {
    const [oldest] = this.#lastBySource.keys();
    this.#lastBySource.delete(oldest);
  }
}
