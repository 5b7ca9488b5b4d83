// A book's levels as decimal strings, for quotes and estimates. Never through a float.

/** The number of levels per side in a `book`; a shorter side has no more levels. */
export const BOOK_LEVELS = 10;

export type DepthLevel = readonly [priceText: string, sizeText: string];

export interface Depth {
  readonly frame: number;
  /** Best first. */
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

// The third parameter is not in the language's types yet.
type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source: string }) => unknown,
) => Omit<Depth, 'frame'>;

/** Parses the value of a `depth` or `book` subject. */
export function parseDepth({ frame, text }: { frame: number; text: string }): Depth {
  const parse = JSON.parse as ParseWithSource;
  const { asks, bids } = parse(text, (_, value, { source }) =>
    typeof value === 'number' ? source : value,
  );
  return { frame, bids, asks };
}
