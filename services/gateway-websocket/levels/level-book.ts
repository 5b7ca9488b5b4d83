// A level 2 book: the total at each price, with a checksum of the ten best levels on both sides.
// docs/api/levels.md defines the checksum's text, and clients rely on it.

import { crc32 } from 'node:zlib';
import { PriceLevels, priceText, volumeText } from '../../../core/market-data/index.ts';
import type { Atoms, LotSize, TickSize } from '../../../core/money/index.ts';
import type { FullLevels, LevelChanges, LevelRow } from '../../../infra/live-feed/index.ts';
import type { BookFields, BookState } from './book-state.ts';

const CHECKED_LEVELS = 10;

export interface Scales {
  readonly lot: LotSize;
  readonly tick: TickSize;
}

export class LevelBook implements BookState {
  #scales: Scales | undefined;
  #bids = new PriceLevels('bids');
  #asks = new PriceLevels('asks');
  #timeMs = 0;

  load(payload: string): boolean {
    const full = JSON.parse(payload) as FullLevels;
    const isFirst = this.#scales === undefined;
    const isSame = isEqual(this.#bids, full.bids) && isEqual(this.#asks, full.asks);
    this.#scales = scalesOf(full);
    this.#timeMs = full.timeMs;
    if (isSame) return isFirst;
    this.#bids = levelsOf('bids', full.bids);
    this.#asks = levelsOf('asks', full.asks);
    return true;
  }

  apply(payload: string): BookFields | undefined {
    const { asks, bids, timeMs } = JSON.parse(payload) as LevelChanges;
    const rows = { bids: this.#put(this.#bids, bids), asks: this.#put(this.#asks, asks) };
    this.#timeMs = timeMs;
    if (rows.bids.length + rows.asks.length === 0) return undefined;
    return this.#fields(rows);
  }

  full(): BookFields {
    const all = Number.POSITIVE_INFINITY;
    return this.#fields({ bids: this.#texts(this.#bids, all), asks: this.#texts(this.#asks, all) });
  }

  get checksum(): number {
    const bids = this.#texts(this.#bids, CHECKED_LEVELS);
    return checksumOf(bids, this.#texts(this.#asks, CHECKED_LEVELS));
  }

  #fields({ asks, bids }: { readonly bids: string[][]; readonly asks: string[][] }): BookFields {
    const fields =
      `"bids":${JSON.stringify(bids)},"asks":${JSON.stringify(asks)}` +
      `,"checksum":${this.checksum}`;
    return { fields, timeMs: this.#timeMs };
  }

  /** Returns the changed levels as sent to clients. */
  #put(levels: PriceLevels, rows: readonly LevelRow[]): string[][] {
    const scales = this.#scales!;
    const different: string[][] = [];
    for (const [priceTicks, text] of rows) {
      const totalLots = BigInt(text);
      if (levels.totalAt(priceTicks) === totalLots) continue;
      levels.set(priceTicks, totalLots);
      different.push([priceText(scales, priceTicks), volumeText(scales, totalLots)]);
    }
    return different;
  }

  #texts(levels: PriceLevels, count: number): string[][] {
    const scales = this.#scales!;
    return levels
      .top(count)
      .map(({ priceTicks, totalLots }) => [
        priceText(scales, priceTicks),
        volumeText(scales, totalLots),
      ]);
  }
}

/** Checksum of the best levels on both sides, best first, over the texts that clients receive. */
export function checksumOf(bids: readonly string[][], asks: readonly string[][]): number {
  const words: string[] = [];
  for (let place = 0; place < Math.max(bids.length, asks.length); place += 1) {
    if (place < bids.length) words.push(...bids[place]);
    if (place < asks.length) words.push(...asks[place]);
  }
  return crc32(words.join(':'));
}

export function scalesOf({ lot, tick }: Pick<FullLevels, 'lot' | 'tick'>): Scales {
  return { lot: { atoms: BigInt(lot.atoms) as Atoms, scale: lot.scale }, tick };
}

function levelsOf(side: 'bids' | 'asks', rows: readonly LevelRow[]): PriceLevels {
  const levels = new PriceLevels(side);
  // Worst first, so each insertion appends.
  for (let at = rows.length - 1; at >= 0; at -= 1) levels.set(rows[at][0], BigInt(rows[at][1]));
  return levels;
}

function isEqual(levels: PriceLevels, rows: readonly LevelRow[]): boolean {
  return (
    levels.count === rows.length &&
    rows.every(([priceTicks, text]) => levels.totalAt(priceTicks) === BigInt(text))
  );
}
