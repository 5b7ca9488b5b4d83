// Draws trades as candles with volume, prices and hours into a PNG file, pixel by pixel. Needs no
// dependency, and the same trades produce the same file.

import { crc32, deflateSync } from 'node:zlib';
import { HOUR_MS } from '../../core/market-data/index.ts';
import type { RecordedTrade } from './market-record.ts';

interface Candle {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

type Colour = readonly [red: number, green: number, blue: number];

const CANDLE_MS = 300_000;
const CANDLE_PIXELS = 5;
const HEIGHT = 560;
const VOLUME_HEIGHT = 120;
const BORDER = 16;
const PRICES_WIDTH = 90;
const HOURS_HEIGHT = 24;
const GRID_LINES = 8;
const HOURS_APART = 4;
const PAPER: Colour = [17, 21, 28];
const GRID: Colour = [38, 45, 56];
const UP: Colour = [38, 166, 154];
const DOWN: Colour = [239, 83, 80];
const INK: Colour = [150, 160, 175];
/** Three columns and five rows for each character. */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '###|#.#|#.#|#.#|###',
  '1': '.#.|##.|.#.|.#.|###',
  '2': '###|..#|###|#..|###',
  '3': '###|..#|.##|..#|###',
  '4': '#.#|#.#|###|..#|..#',
  '5': '###|#..|###|..#|###',
  '6': '###|#..|###|#.#|###',
  '7': '###|..#|..#|.#.|.#.',
  '8': '###|#.#|###|#.#|###',
  '9': '###|#.#|###|..#|###',
  '.': '...|...|...|...|.#.',
  ':': '...|.#.|...|.#.|...',
};
const GLYPH_WIDTH = 4;
const GLYPH_HEIGHT = 5;
const GLYPH_SCALE = 2;

export function chartPng(trades: readonly RecordedTrade[], startMs: number, hours: number): Buffer {
  const candles = candlesOf(trades, startMs, Math.ceil((hours * HOUR_MS) / CANDLE_MS));
  const chartWidth = candles.length * CANDLE_PIXELS + 2 * BORDER;
  const picture = new Picture(chartWidth + PRICES_WIDTH, HEIGHT + HOURS_HEIGHT);
  const known = candles.filter((one) => one !== undefined);
  const low = Math.min(...known.map((one) => one.low));
  const high = Math.max(...known.map((one) => one.high));
  const most = Math.max(...known.map((one) => one.volume));
  const pricesHeight = HEIGHT - VOLUME_HEIGHT - 2 * BORDER;
  const y = (price: number) => BORDER + Math.round(((high - price) / (high - low)) * pricesHeight);
  const step = roundStep((high - low) / GRID_LINES);
  for (let price = Math.ceil(low / step) * step; price <= high; price += step) {
    const at = y(price);
    picture.fill([0, chartWidth], [at, at + 1], GRID);
    picture.write(String(Number(price.toPrecision(7))), chartWidth + 6, at - GLYPH_HEIGHT);
  }
  for (let hour = 0; hour <= hours; hour += HOURS_APART) {
    const x = BORDER + Math.round(((hour * HOUR_MS) / CANDLE_MS) * CANDLE_PIXELS);
    picture.fill([x, x + 1], [BORDER, HEIGHT - BORDER], GRID);
    const time = new Date(startMs + hour * HOUR_MS).toISOString().slice(11, 16);
    picture.write(time, x - 2 * GLYPH_WIDTH, HEIGHT);
  }
  for (const [at, candle] of candles.entries()) {
    if (candle === undefined) continue;
    const x = BORDER + at * CANDLE_PIXELS;
    const colour = candle.close >= candle.open ? UP : DOWN;
    const [top, bottom] = [
      y(Math.max(candle.open, candle.close)),
      y(Math.min(candle.open, candle.close)),
    ];
    picture.fill([x + 2, x + 3], [y(candle.high), y(candle.low) + 1], colour);
    picture.fill([x, x + CANDLE_PIXELS - 1], [top, bottom + 1], colour);
    const bar = Math.round((candle.volume / most) * (VOLUME_HEIGHT - BORDER));
    picture.fill([x, x + CANDLE_PIXELS - 1], [HEIGHT - BORDER - bar, HEIGHT - BORDER], colour);
  }
  return picture.png();
}

/** Returns the smallest 1, 2 or 5 times a power of ten that is not below `atLeast`. */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return power * ([1, 2, 5].find((times) => times * power >= atLeast) ?? 10);
}

function candlesOf(
  trades: readonly RecordedTrade[],
  startMs: number,
  count: number,
): (Candle | undefined)[] {
  const candles = new Array<Candle | undefined>(count).fill(undefined);
  for (const { price, size, timeMs } of trades) {
    const at = Math.floor((timeMs - startMs) / CANDLE_MS);
    if (at >= count) continue;
    const known = candles[at];
    if (known === undefined) {
      candles[at] = { open: price, high: price, low: price, close: price, volume: size };
      continue;
    }
    known.high = Math.max(known.high, price);
    known.low = Math.min(known.low, price);
    known.close = price;
    known.volume += size;
  }
  return candles;
}

class Picture {
  readonly width: number;
  readonly #height: number;
  /** Rows of three bytes per pixel, each after a byte for "no filter". */
  readonly #rows: Buffer;

  constructor(width: number, height: number) {
    this.width = width;
    this.#height = height;
    this.#rows = Buffer.alloc(height * (1 + 3 * width));
    this.fill([0, width], [0, height], PAPER);
  }

  fill(
    [left, right]: readonly [number, number],
    [top, bottom]: readonly [number, number],
    colour: Colour,
  ): void {
    for (let y = Math.max(top, 0); y < Math.min(bottom, this.#height); y += 1) {
      for (let x = left; x < right; x += 1) {
        const at = y * (1 + 3 * this.width) + 1 + 3 * x;
        for (let part = 0; part < 3; part += 1) this.#rows[at + part] = colour[part];
      }
    }
  }

  /** Digits, point and colon. */
  write(text: string, left: number, top: number): void {
    for (const [at, character] of [...text].entries()) {
      for (const [row, line] of (GLYPHS[character] ?? '').split('|').entries()) {
        for (const [column, dot] of [...line].entries()) {
          if (dot !== '#') continue;
          const x = left + (at * GLYPH_WIDTH + column) * GLYPH_SCALE;
          const y = top + row * GLYPH_SCALE;
          this.fill([x, x + GLYPH_SCALE], [y, y + GLYPH_SCALE], INK);
        }
      }
    }
  }

  png(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.width, 0);
    header.writeUInt32BE(this.#height, 4);
    // Eight bits for each of the three color channels.
    header.set([8, 2, 0, 0, 0], 8);
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const parts = [
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(this.#rows)),
      chunk('IEND', Buffer.alloc(0)),
    ];
    return Buffer.concat([signature, ...parts]);
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
