// The newest value of every subject of the feed, from published messages and from reads of the
// stream. Texts are kept verbatim; nothing here uses the network.

import { type Depth, parseDepth } from './depth.ts';

/** As in the subjects. Each resolution of candles is a kind. */
export type FeedKind =
  | ('book' | 'depth' | 'auction' | 'trades' | 'ticker' | 'minichart' | `candle.${string}`)
  /** Value of an asset, not of a market. */
  | 'price';

export interface FeedValue {
  /** The last frame included. */
  readonly frame: number;
  /** JSON from the publisher, verbatim. */
  readonly text: string;
}

/** An incoming value, named by the subject after the feed's prefix: `candle.1m.btc-usdt`. */
export interface FeedUpdate extends FeedValue {
  readonly name: string;
}

interface Kept extends FeedValue {
  /** The read during or after which it was last published. */
  round: number;
}

interface ParsedBook {
  readonly of: FeedValue;
  readonly levels: Depth;
}

const NONE: ReadonlyMap<string, FeedValue> = new Map();

export class FeedValues {
  readonly #kinds = new Map<string, Map<string, Kept>>();
  readonly #parsed: Record<'book' | 'depth', Map<string, ParsedBook>> = {
    book: new Map(),
    depth: new Map(),
  };
  #round = 0;

  get(kind: FeedKind, symbol: string): FeedValue | undefined {
    return this.#kinds.get(kind)?.get(symbol);
  }

  /** By symbol. A live view: it changes as values arrive. */
  all(kind: FeedKind): ReadonlyMap<string, FeedValue> {
    return this.#kinds.get(kind) ?? NONE;
  }

  /** Parsed on first use, and cached until the next value. */
  levelsOf(kind: 'book' | 'depth', symbol: string): Depth | undefined {
    const value = this.get(kind, symbol);
    if (value === undefined) return undefined;
    let parsed = this.#parsed[kind].get(symbol);
    if (parsed?.of !== value) {
      parsed = { of: value, levels: parseDepth(value) };
      this.#parsed[kind].set(symbol, parsed);
    }
    return parsed.levels;
  }

  /** The stream is about to be read. */
  beginReading(): void {
    this.#round += 1;
  }

  /**
   * A published message. Of one frame the later message wins: a ticker's window moves without
   * trades. Returns whether the value changed.
   */
  applyPublished({ frame, name, text }: FeedUpdate): boolean {
    const { symbol, values } = this.#placeOf(name);
    const known = values.get(symbol);
    if (known !== undefined && frame < known.frame) return false;
    if (known !== undefined && frame === known.frame && text === known.text) {
      known.round = this.#round;
      return false;
    }
    values.set(symbol, { frame, text, round: this.#round });
    return true;
  }

  /**
   * A stored value. A message published during the read wins over the same frame. Returns whether
   * the value changed.
   */
  applyStored({ frame, name, text }: FeedUpdate): boolean {
    const { symbol, values } = this.#placeOf(name);
    const known = values.get(symbol);
    if (known !== undefined) {
      if (frame < known.frame) return false;
      if (frame === known.frame && (known.round === this.#round || known.text === text)) {
        return false;
      }
    }
    values.set(symbol, { frame, text, round: this.#round - 1 });
    return true;
  }

  #placeOf(name: string): { symbol: string; values: Map<string, Kept> } {
    const { kind, symbol } = parseName(name);
    let values = this.#kinds.get(kind);
    if (values === undefined) {
      values = new Map();
      this.#kinds.set(kind, values);
    }
    return { symbol, values };
  }
}

/** The symbol is the last token; symbols have no dots. */
export function parseName(name: string): { readonly kind: FeedKind; readonly symbol: string } {
  const dot = name.lastIndexOf('.');
  return { kind: name.slice(0, dot) as FeedKind, symbol: name.slice(dot + 1) };
}
