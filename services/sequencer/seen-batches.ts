// Remembers which batches have arrived, so that each gets one outcome. A batch may overtake
// another, because two paths lead to a leader; one that is far behind the last is treated as a
// copy. Memory is bounded: a gateway that was evicted starts over.

import type { BatchHeader } from '../../infra/command-link/index.ts';

/** Gateway sessions per epoch; each takes two numbers. */
const SOURCES_MAX = 65_536;

/** How far behind the last batch of its source a batch may arrive. */
export const OVERTAKEN_MAX = 31;

interface Seen {
  readonly last: number;
  /** Bit `n` is set when batch `last - n` has arrived. */
  readonly bits: number;
}

const NONE_SEEN: Seen = { last: 0, bits: 0 };

export class SeenBatches {
  readonly #bySource = new Map<number, Seen>();

  /** True at most once for each batch of a source. */
  isNew({ batch, source }: BatchHeader): boolean {
    const seen = this.#bySource.get(source) ?? NONE_SEEN;
    const added = batch > seen.last ? ahead(seen, batch) : behind(seen, batch);
    if (added === undefined) return false;
    // Inserted again, so that the least recently active source is evicted first.
    this.#bySource.delete(source);
    this.#bySource.set(source, added);
    if (this.#bySource.size > SOURCES_MAX) this.#forgetOldest();
    return true;
  }

  #forgetOldest(): void {
    const [oldest] = this.#bySource.keys();
    this.#bySource.delete(oldest);
  }
}

function ahead({ bits, last }: Seen, batch: number): Seen {
  const steps = batch - last;
  return { last: batch, bits: steps > OVERTAKEN_MAX ? 1 : ((bits << steps) | 1) >>> 0 };
}

function behind({ bits, last }: Seen, batch: number): Seen | undefined {
  const steps = last - batch;
  if (steps > OVERTAKEN_MAX || (bits >>> steps) & 1) return undefined;
  return { last, bits: (bits | (1 << steps)) >>> 0 };
}
