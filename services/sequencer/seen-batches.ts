// Remembers which batches have arrived, to give each exactly one outcome. A batch can overtake
// another, because two paths lead to a leader. A batch far behind the last one is treated as a
// copy. Memory is bounded: an evicted gateway starts over.

import type { BatchHeader } from '../../infra/command-link/index.ts';

/** Limit on gateway sessions per epoch; each takes two numbers. */
const SOURCES_MAX = 65_536;

/** How far behind its source's last batch a batch can arrive. */
export const OVERTAKEN_MAX = 31;

interface Seen {
  readonly sender: string;
  readonly last: number;
  /** Bit `n` is set if batch `last - n` has arrived. */
  readonly bits: number;
}

const NONE_SEEN = { last: 0, bits: 0 };

type SentHeader = Pick<BatchHeader, 'batch' | 'source'> & { readonly sender: string };

export class SeenBatches {
  readonly #bySource = new Map<number, Seen>();

  /**
   * Returns false if another sender uses this source, because a source is one process's session.
   */
  isOwner({ sender, source }: SentHeader): boolean {
    const seen = this.#bySource.get(source);
    return seen === undefined || seen.sender === sender;
  }

  /** Returns true at most once for each batch from a source. */
  isNew({ batch, sender, source }: SentHeader): boolean {
    const seen = { ...(this.#bySource.get(source) ?? NONE_SEEN), sender };
    const added = batch > seen.last ? ahead(seen, batch) : behind(seen, batch);
    if (added === undefined) return false;
    // Inserted again, so the least recently active source is evicted first.
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

function ahead({ bits, last, sender }: Seen, batch: number): Seen {
  const steps = batch - last;
  return { sender, last: batch, bits: steps > OVERTAKEN_MAX ? 1 : ((bits << steps) | 1) >>> 0 };
}

function behind({ bits, last, sender }: Seen, batch: number): Seen | undefined {
  const steps = last - batch;
  if (steps > OVERTAKEN_MAX || (bits >>> steps) & 1) return undefined;
  return { sender, last, bits: (bits | (1 << steps)) >>> 0 };
}
