// Price chart: candles from the exchange, a running bar from trades, indicators, drawings stored
// per market, and the user's orders as lines. Loaded on first use.

import {
  type Chart,
  dispose,
  init,
  type KLineData,
  type Locales,
  registerLocale,
  registerOverlay,
} from 'klinecharts';
import type { Candle } from '../../../client/index.ts';
import { PERIODS, type PeriodName } from './chart-periods.ts';
import { type ChartColours, chartStyles } from './chart-styles.ts';
import { readDrawings, writeDrawings } from './kept-drawings.ts';
import { afterTrade, type Bar, type BarTrade, flatBars, withoutGaps } from './running-bar.ts';

export interface OrderLine {
  readonly id: string;
  readonly price: string;
  readonly text: string;
  readonly isBuy: boolean;
}

/** One of the user's trades. */
export interface FillMark {
  readonly timeMs: number;
  readonly price: string;
  readonly isBuy: boolean;
}

export interface PriceChartOptions {
  readonly symbol: string;
  readonly priceScale: number;
  readonly sizeScale: number;
  readonly language: string;
  readonly words: Locales;
  readonly colours: ChartColours;
  load(range: { fromS: number; toS: number; resolution: string }): Promise<readonly Candle[]>;
}

const BARS_PER_LOAD = 500;
/** How many loads without a single trade are skipped before the history is taken to have ended. */
const EMPTY_LOADS_MAX = 6;
/** The chart is redrawn at most four times per second. */
const DRAW_EVERY_MS = 250;
/** Labels of neighboring orders are drawn side by side, because their lines can be close. */
const LABELS_BESIDE = 3;
const LABEL_PX = 110;
/** Height of a pane below the candles. */
const PANE_PX = 64;
/** Indicators that share the pane with the candles. */
const ON_CANDLES = ['MA', 'EMA', 'BOLL', 'SAR', 'BBI'];

export class PriceChart {
  readonly #chart: Chart;
  readonly #container: HTMLElement;
  #options: PriceChartOptions;
  #period: PeriodName = '15m';
  #bar: Bar | undefined;
  #draw: ((bar: KLineData) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRestoring = false;

  constructor(container: HTMLElement, options: PriceChartOptions) {
    registerLocale(options.language, options.words);
    registerOwnOrders();
    registerOwnFills();
    this.#container = container;
    this.#options = options;
    const chart = init(container, {
      locale: options.language,
      styles: chartStyles(options.colours),
      // The page has its own keys.
      hotkey: { enabled: false },
      // Shows 0.0001 as 0.0001; the default is 0.0{3}1.
      decimalFold: { threshold: 20 },
    });
    if (chart === null) throw new Error('The chart could not be drawn');
    this.#chart = chart;
    // The library puts its element first in the tab order.
    container.querySelector('[tabindex]')?.removeAttribute('tabindex');
    chart.setDataLoader({
      getBars: ({ callback, timestamp, type }) => this.#load(type, timestamp, callback),
      subscribeBar: ({ callback }) => {
        this.#draw = callback;
      },
      unsubscribeBar: () => {
        this.#draw = undefined;
      },
    });
  }

  show(
    symbol: { symbol: string; priceScale: number; sizeScale: number },
    period: PeriodName,
  ): void {
    this.#options = { ...this.#options, ...symbol };
    this.#period = period;
    this.#bar = undefined;
    const { span, type } = PERIODS[period];
    const { priceScale, sizeScale } = symbol;
    this.#chart.setSymbol({
      ticker: symbol.symbol,
      pricePrecision: priceScale,
      volumePrecision: sizeScale,
    });
    this.#chart.setPeriod({ type, span });
    this.#restoreDrawings();
  }

  setColours(colours: ChartColours): void {
    this.#chart.setStyles(chartStyles(colours));
  }

  setIndicators(names: readonly string[]): void {
    for (const { name, paneId } of this.#chart.getIndicators()) {
      if (!names.includes(name)) this.#chart.removeIndicator({ name, paneId });
    }
    const shown = new Set(this.#chart.getIndicators().map(({ name }) => name));
    for (const name of names) {
      if (shown.has(name)) continue;
      if (ON_CANDLES.includes(name)) {
        this.#chart.createIndicator({ name, paneId: 'candle_pane' }, true);
      } else {
        const paneId = `pane-${name}`;
        this.#chart.createIndicator({ name, paneId });
        this.#chart.setPaneOptions({ id: paneId, height: PANE_PX });
      }
    }
  }

  setOrders(lines: readonly OrderLine[]): void {
    this.#chart.removeOverlay({ groupId: 'orders' });
    for (const [at, { id, isBuy, price, text }] of lines.entries()) {
      this.#chart.createOverlay({
        name: 'ownOrder',
        id: `order-${id}`,
        groupId: 'orders',
        lock: true,
        points: [{ value: Number(price) }],
        extendData: {
          text,
          x: 8 + (at % LABELS_BESIDE) * LABEL_PX,
          color: isBuy ? this.#options.colours.up : this.#options.colours.down,
        },
      });
    }
  }

  /** Marks each trade at its bar: buys point up from below, sells point down from above. */
  setFills(fills: readonly FillMark[], period: PeriodName): void {
    const { ms } = PERIODS[period];
    this.#chart.removeOverlay({ groupId: 'fills' });
    for (const { isBuy, price, timeMs } of fills) {
      this.#chart.createOverlay({
        name: 'ownFill',
        groupId: 'fills',
        lock: true,
        points: [{ timestamp: timeMs - (timeMs % ms), value: Number(price) }],
        extendData: {
          isBuy,
          color: isBuy ? this.#options.colours.up : this.#options.colours.down,
        },
      });
    }
  }

  startDrawing(name: string): void {
    this.#chart.createOverlay({ name, ...this.#drawingEvents() });
  }

  clearDrawings(): void {
    this.#chart.removeOverlay({ groupId: 'drawings' });
    this.#keepDrawings();
  }

  /** Oldest first. */
  addTrades(trades: readonly BarTrade[]): void {
    const { ms } = PERIODS[this.#period];
    for (const trade of trades) {
      this.moveTo(Date.parse(trade.timestamp) - ms);
      const before = this.#bar;
      this.#bar = afterTrade(before, trade, ms) ?? before;
      if (before !== undefined && before.timestamp !== this.#bar?.timestamp) this.#drawBar(before);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#drawBar(this.#bar);
    }, DRAW_EVERY_MS);
  }

  /** Draws the periods without trades up to this time, which is the exchange's. */
  moveTo(timeMs: number): void {
    const { ms } = PERIODS[this.#period];
    if (this.#bar === undefined) return;
    const bars = flatBars(this.#bar, timeMs, ms);
    if (bars.length === 0) return;
    this.#drawBar(this.#bar);
    for (const bar of bars) this.#drawBar(bar);
    this.#bar = bars.at(-1);
  }

  resize(): void {
    this.#chart.resize();
  }

  #drawBar(bar: Bar | undefined): void {
    if (bar !== undefined) this.#draw?.({ ...bar });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    dispose(this.#container);
  }

  /** `init` loads the latest bars, `forward` those before the oldest. */
  async #load(
    type: string,
    timestamp: number | null,
    callback: (bars: KLineData[], more?: { forward: boolean; backward: boolean }) => void,
  ): Promise<void> {
    const { ms, resolution } = PERIODS[this.#period];
    if (type !== 'init' && type !== 'forward') {
      callback([], { forward: false, backward: false });
      return;
    }
    const toMs = timestamp === null || type === 'init' ? Date.now() : timestamp - 1;
    const loaded = await this.#loadBefore(toMs, ms, resolution);
    const known = loaded.filter((bar) => type === 'init' || bar.timestamp < toMs);
    const bars = withoutGaps(known, toMs, ms);
    if (type === 'init') this.#bar = bars.at(-1);
    callback(
      bars.map((bar) => ({ ...bar })),
      { forward: bars.length > 0, backward: false },
    );
  }

  /** Returns the newest load before `toMs` that has a trade, or nothing. */
  async #loadBefore(toMs: number, ms: number, resolution: string): Promise<readonly Bar[]> {
    let endMs = toMs;
    for (let load = 0; load < EMPTY_LOADS_MAX; load++) {
      const startMs = endMs - BARS_PER_LOAD * ms;
      const fromS = Math.max(0, Math.floor(startMs / 1_000));
      // On an error the chart stays empty; the connection indicator and the panel show the cause.
      const range = { fromS, toS: Math.floor(endMs / 1_000), resolution };
      const candles = await this.#options.load(range).catch(() => []);
      if (candles.length > 0 || fromS === 0) return candles.map(barOf);
      endMs = startMs;
    }
    return [];
  }

  #drawingEvents() {
    const keep = () => this.#keepDrawings();
    return { groupId: 'drawings', onDrawEnd: keep, onPressedMoveEnd: keep, onRemoved: keep };
  }

  #keepDrawings(): void {
    if (this.#isRestoring) return;
    const drawings = this.#chart
      .getOverlays({ groupId: 'drawings' })
      .map(({ name, points }) => ({ name, points }));
    writeDrawings(this.#options.symbol, drawings);
  }

  #restoreDrawings(): void {
    this.#isRestoring = true;
    this.#chart.removeOverlay({ groupId: 'drawings' });
    for (const { name, points } of readDrawings(this.#options.symbol)) {
      this.#chart.createOverlay({ name, points: [...points], ...this.#drawingEvents() });
    }
    this.#isRestoring = false;
  }
}

function barOf({ close, high, low, open, time, volume }: Candle): Bar {
  return {
    timestamp: Date.parse(time),
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: Number(volume),
  };
}

let areFillsRegistered = false;
const FILL_PX = 6;

/** Draws a trade as a triangle whose tip is at its price, with an edge to stand out from a bar. */
function registerOwnFills(): void {
  if (areFillsRegistered) return;
  areFillsRegistered = true;
  registerOverlay<{ isBuy: boolean; color: string }>({
    name: 'ownFill',
    totalStep: 2,
    createPointFigures: ({ coordinates, overlay }) => {
      const { color, isBuy } = overlay.extendData;
      const [{ x, y }] = coordinates;
      const base = y + (isBuy ? 2 : -2) * FILL_PX;
      return [
        {
          type: 'polygon',
          attrs: {
            coordinates: [
              { x, y },
              { x: x - FILL_PX, y: base },
              { x: x + FILL_PX, y: base },
            ],
          },
          styles: { style: 'stroke_fill', color, borderColor: '#ffffff', borderSize: 1 },
          ignoreEvent: true,
        },
      ];
    },
  });
}

let isRegistered = false;

/** Draws an order as a dashed line over the full width, with its label at the start. */
function registerOwnOrders(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerOverlay<{ text: string; color: string; x: number }>({
    name: 'ownOrder',
    totalStep: 2,
    createPointFigures: ({ bounding, coordinates, overlay }) => {
      const { color, text, x } = overlay.extendData;
      const { y } = coordinates[0];
      const line = {
        coordinates: [
          { x: 0, y },
          { x: bounding.width, y },
        ],
      };
      return [
        {
          type: 'line',
          attrs: line,
          styles: { style: 'dashed', color: color, dashedValue: [4, 4] },
          ignoreEvent: true,
        },
        {
          type: 'text',
          attrs: { x, y, text, align: 'left', baseline: 'bottom' },
          styles: { color: color, backgroundColor: 'transparent', size: 11, paddingLeft: 0 },
          ignoreEvent: true,
        },
      ];
    },
  });
}
