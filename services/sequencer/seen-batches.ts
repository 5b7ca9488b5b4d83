// Which batches have come already: each may have one fate. Two ways lead to a leader, so that a
// batch may overtake another; one that is far behind the last is taken for a copy. Bounded; a
// gateway that was forgotten begins anew.

import type { BatchHeader } from '../../infra/command-link/index.ts';

/** Gateway sessions of one reign; each is two numbers. */
const SOURCES_MAX = 65_536;

/** So far behind the last of its source a batch may be. */
export const OVERTAKEN_MAX = 31;

interface Seen {
  readonly last: number;
  /** Bit `n` is set when the batch `last - n` has come. */
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
    // Set anew, so that those heard of last are forgotten last.
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
