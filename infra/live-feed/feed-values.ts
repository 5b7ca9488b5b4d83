// The newest value of every subject of the feed, whichever way it came: heard as it was published,
// or read from the stream. Texts are kept as they are; nothing here talks to a server.

import { type Depth, parseDepth } from './depth.ts';

/** As the subjects name them. The candles of each resolution are a kind of their own. */
export type FeedKind =
  | ('book' | 'depth' | 'trades' | 'ticker' | 'minichart' | `candle.${string}`)
  /** Of an asset, not of a market. */
  | 'price';

export interface FeedValue {
  /** The last frame that is in it. */
  readonly frame: number;
  /** JSON, as the publisher made it. */
  readonly text: string;
}

/** What has come in, by the words behind the prefix of the feed: `candle.1m.btc-usdt`. */
export interface FeedUpdate extends FeedValue {
  readonly name: string;
}

interface Kept extends FeedValue {
  /** The reading during which, or after which, it was last heard. */
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

  /** Parsed when it is asked for, and then kept until the next value arrives. */
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
   * Published just now. Of one frame the later counts: a ticker's window moves without trades.
   * Says whether anything changed, as the next does.
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

  /** Found in the stream; what was heard while it was being read is newer than an equal frame. */
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

/** The symbol is the last word; symbols have no dots. */
export function parseName(name: string): { readonly kind: FeedKind; readonly symbol: string } {
  const dot = name.lastIndexOf('.');
  return { kind: name.slice(0, dot) as FeedKind, symbol: name.slice(dot + 1) };
}
