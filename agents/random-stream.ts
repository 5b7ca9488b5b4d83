// Seeded random numbers, one stream for each (seed, agent, purpose): a new agent or a new purpose
// changes no number of another. sfc32, the same sequence on every machine.

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const WORDS = 2 ** 32;
/** The first results still correlate with the key. */
const WARM_UP = 15;

export class RandomStream {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;
  #spare = Number.NaN;

  constructor(seed: number, agent: string, purpose: string) {
    const key = `${agent}/${purpose}`;
    this.#a = hashText(key, FNV_OFFSET);
    this.#b = hashText(key, this.#a) ^ (seed | 0);
    this.#c = Math.floor(seed / WORDS) | 0;
    for (let turn = 0; turn < WARM_UP; turn += 1) this.#word();
  }

  /** From 0 to just below 1. */
  uniform(): number {
    return this.#word() / WORDS;
  }

  /** From 0 to one less than `count`. */
  below(count: number): number {
    return Math.floor(this.uniform() * count);
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Mean 0, standard deviation 1. */
  normal(): number {
    const spare = this.#spare;
    if (!Number.isNaN(spare)) {
      this.#spare = Number.NaN;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  /** Median 1. */
  logNormal(sigma: number): number {
    return Math.exp(sigma * this.normal());
  }

  /** At least `least`, with a tail of this exponent, at most `most`. */
  pareto(exponent: number, least: number, most: number): number {
    return Math.min(least * (1 - this.uniform()) ** (-1 / exponent), most);
  }

  #word(): number {
    const result = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }
}

function hashText(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  }
  return hash | 0;
}
