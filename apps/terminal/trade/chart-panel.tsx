// Chart panel: toolbar, price chart and depth chart. Both charts are loaded on first use and run
// from left to right in every language.

import { Maximize2, Minimize2, PenLine, SlidersHorizontal, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { scaleOf } from '../../decimals/index.ts';
import {
  Button,
  Menu,
  MenuItem,
  MenuLine,
  Panel,
  type PanelState,
  useCell,
  useLook,
  type Word,
} from '../../ui/index.ts';
import type { AccountOrder } from '../account-state.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { INDICATORS, PERIOD_NAMES, type PeriodName } from './chart-periods.ts';
import { readColours } from './chart-styles.ts';
import type { DepthChart } from './depth-chart.ts';
import type { MarketFeed } from './market-feed.ts';
import type { Market } from './order-draft.ts';
import type { PriceChart } from './price-chart.ts';

const TOOLS: readonly [name: string, word: Word][] = [
  ['segment', 'chart.segment'],
  ['rayLine', 'chart.ray'],
  ['straightLine', 'chart.line'],
  ['horizontalStraightLine', 'chart.horizontal'],
  ['verticalStraightLine', 'chart.vertical'],
  ['priceLine', 'chart.priceLine'],
  ['parallelStraightLine', 'chart.parallel'],
  ['priceChannelLine', 'chart.channel'],
  ['fibonacciLine', 'chart.fibonacci'],
  ['brush', 'chart.brush'],
];

interface ChartView {
  readonly view: 'price' | 'depth';
  readonly period: PeriodName;
  readonly indicators: readonly string[];
}

const STORED_AS = 'rialto.chart';
/** Newest fills that are marked, so a busy account does not cover its bars. */
const FILLS_MAX = 50;
const FIRST_VIEW: ChartView = { view: 'price', period: '15m', indicators: ['MA', 'VOL'] };

function storedView(): ChartView {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') as Partial<ChartView>;
    const period = PERIOD_NAMES.find((name) => name === stored.period) ?? FIRST_VIEW.period;
    const indicators = INDICATORS.filter((name) =>
      (stored.indicators ?? FIRST_VIEW.indicators).includes(name),
    );
    return { view: 'price', period, indicators };
  } catch {
    return FIRST_VIEW;
  }
}

export function ChartPanel({
  className = '',
  feed,
  market,
  orders,
  state,
}: {
  feed: MarketFeed;
  market: Market;
  orders: readonly AccountOrder[];
  state: PanelState;
  className?: string;
}) {
  const { t } = useLook();
  const [view, setView] = useState(storedView);
  const chart = useRef<PriceChart>(undefined);
  const panel = useRef<HTMLDivElement>(null);
  const change = (next: Partial<ChartView>) => {
    const changed = { ...view, ...next };
    setView(changed);
    localStorage.setItem(STORED_AS, JSON.stringify(changed));
  };
  return (
    <div ref={panel} className={`flex min-h-0 min-w-0 flex-col ${className}`}>
      <Panel title={t('trade.chart')} isTitleHidden state={state} className="flex-1">
        <Toolbar view={view} onChange={change} chart={chart} panel={panel} />
        {view.view === 'price' ? (
          <PriceChartView chart={chart} feed={feed} market={market} orders={orders} view={view} />
        ) : (
          <DepthChartView feed={feed} />
        )}
      </Panel>
    </div>
  );
}

function Toolbar({
  chart,
  onChange,
  panel,
  view,
}: {
  view: ChartView;
  onChange(next: Partial<ChartView>): void;
  chart: RefObject<PriceChart | undefined>;
  panel: RefObject<HTMLDivElement | null>;
}) {
  const { t } = useLook();
  const isPrice = view.view === 'price';
  const toggled = (name: string) =>
    view.indicators.includes(name)
      ? view.indicators.filter((one) => one !== name)
      : [...view.indicators, name];
  return (
    <div className="flex h-8 flex-none items-center gap-0.5 overflow-x-auto border-b border-line px-1">
      {PERIOD_NAMES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={isPrice && name === view.period}
          onClick={() => onChange({ view: 'price', period: name })}
          className="h-6 min-w-7 rounded px-1.5 text-body text-quiet hover:text-text aria-pressed:bg-raised aria-pressed:font-semibold aria-pressed:text-text"
        >
          <bdi dir="ltr">{name}</bdi>
        </button>
      ))}
      <span className="mx-1 h-4 w-px flex-none bg-line" />
      <Menu
        label={t('chart.indicators')}
        trigger={
          <>
            <SlidersHorizontal size={14} aria-hidden="true" />
            <span className="max-xl:sr-only">{t('chart.indicators')}</span>
          </>
        }
      >
        <div className="max-h-80 overflow-y-auto">
          {INDICATORS.map((name) => (
            <MenuItem
              key={name}
              isChosen={view.indicators.includes(name)}
              onClick={() => onChange({ view: 'price', indicators: toggled(name) })}
            >
              <span className="w-4">{view.indicators.includes(name) ? '✓' : ''}</span>
              {name}
            </MenuItem>
          ))}
        </div>
      </Menu>
      <Menu
        label={t('chart.draw')}
        trigger={
          <>
            <PenLine size={14} aria-hidden="true" />
            <span className="max-xl:sr-only">{t('chart.draw')}</span>
          </>
        }
      >
        {TOOLS.map(([name, word]) => (
          <MenuItem key={name} onClick={() => chart.current?.startDrawing(name)}>
            {t(word)}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onClick={() => chart.current?.clearDrawings()}>
          <Trash2 size={14} aria-hidden="true" /> {t('chart.clear')}
        </MenuItem>
      </Menu>
      <span className="mx-1 h-4 w-px flex-none bg-line" />
      <button
        type="button"
        aria-pressed={!isPrice}
        onClick={() => onChange({ view: isPrice ? 'depth' : 'price' })}
        className="h-6 rounded px-2 text-body whitespace-nowrap text-quiet hover:text-text aria-pressed:bg-raised aria-pressed:font-semibold aria-pressed:text-text"
      >
        {t('chart.depth')}
      </button>
      <FullScreenButton panel={panel} />
    </div>
  );
}

function FullScreenButton({ panel }: { panel: RefObject<HTMLDivElement | null> }) {
  const { t } = useLook();
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, []);
  return (
    <Button
      look="quiet"
      size="icon"
      className="ms-auto max-md:hidden"
      aria-label={t(isFull ? 'chart.leaveFull' : 'chart.full')}
      onClick={() => void (isFull ? document.exitFullscreen() : panel.current?.requestFullscreen())}
    >
      {isFull ? (
        <Minimize2 size={14} aria-hidden="true" />
      ) : (
        <Maximize2 size={14} aria-hidden="true" />
      )}
    </Button>
  );
}

/** Theme, colors and language of a chart. */
function useLookKey(): string {
  const { preferences } = useLook();
  const { colours, language, theme, up } = preferences;
  return `${colours} ${language} ${theme} ${up}`;
}

function useChartWords() {
  const { t } = useLook();
  return useMemo(
    () => ({
      time: `${t('trade.time')}: `,
      open: `${t('chart.open')}: `,
      high: `${t('chart.high')}: `,
      low: `${t('chart.low')}: `,
      close: `${t('chart.close')}: `,
      volume: `${t('trade.volume')}: `,
      change: '',
      turnover: '',
      second: '',
      minute: '',
      hour: '',
      day: '',
      week: '',
      month: '',
      year: '',
    }),
    [t],
  );
}

function PriceChartView({
  chart,
  feed,
  market,
  orders,
  view,
}: {
  chart: RefObject<PriceChart | undefined>;
  feed: MarketFeed;
  market: Market;
  orders: readonly AccountOrder[];
  view: ChartView;
}) {
  const look = useLook();
  const { preferences, t } = look;
  const box = useRef<HTMLDivElement>(null);
  const words = useChartWords();
  const lookKey = useLookKey();
  const [drawn, setDrawn] = useState<PriceChart>();
  const scales = useMemo(
    () => ({
      symbol: market.code,
      priceScale: scaleOf(market.increment_price),
      sizeScale: scaleOf(market.increment_size),
    }),
    [market],
  );
  // A new theme or language needs a new chart.
  useEffect(() => {
    let made: PriceChart | undefined;
    let isGone = false;
    void import('./price-chart.ts').then(({ PriceChart: Made }) => {
      if (isGone || box.current === null) return;
      made = new Made(box.current, {
        ...scales,
        language: lookKey.split(' ')[1],
        words,
        colours: readColours(),
        load: ({ fromS, resolution, toS }) =>
          exchange.getChart({
            symbol: scales.symbol,
            resolution: resolution as '1',
            from: fromS,
            to: toS,
          }),
      });
      chart.current = made;
      setDrawn(made);
    });
    const observer = new ResizeObserver(() => made?.resize());
    if (box.current !== null) observer.observe(box.current);
    return () => {
      isGone = true;
      observer.disconnect();
      made?.dispose();
      chart.current = undefined;
      setDrawn(undefined);
    };
  }, [lookKey, words, scales, chart]);
  useEffect(() => drawn?.show(scales, view.period), [drawn, scales, view.period]);
  useEffect(() => drawn?.setIndicators(view.indicators), [drawn, view.indicators]);
  useEffect(
    () => feed.onTrades((trades) => drawn?.addTrades([...trades].reverse())),
    [drawn, feed],
  );
  // Each change of the book has the exchange's time, which moves the chart without a trade.
  useEffect(
    () =>
      feed.book.subscribe(() => {
        const book = feed.book.shown();
        if (book !== undefined) drawn?.moveTo(Date.parse(book.timestamp) - LATE_MS);
      }),
    [drawn, feed],
  );
  useEffect(() => {
    const lines = orders.flatMap((order) => {
      const price = order.stop ?? order.price;
      if (price === null) return [];
      const isBuy = order.side === 'buy';
      const text = `${t(isBuy ? 'trade.buy' : 'trade.sell')} ${look.number(order.size)}`;
      return [{ id: order.id, price, isBuy, text }];
    });
    drawn?.setOrders(lines);
  }, [drawn, orders, look, t]);
  const { account } = useSession();
  const { fills } = useCell(account);
  useEffect(() => {
    const own = fills.filter(({ symbol }) => symbol === market.code).slice(0, FILLS_MAX);
    const marks = own.map(({ price, side, timestamp }) => ({
      timeMs: Date.parse(timestamp),
      price,
      isBuy: side === 'buy',
    }));
    drawn?.setFills(marks, view.period);
  }, [drawn, fills, market, view.period]);
  return (
    <div
      ref={box}
      dir="ltr"
      role="img"
      aria-label={t('chart.label', { pair: market.code.toUpperCase() })}
      data-language={preferences.language}
      className="min-h-0 flex-1"
    />
  );
}

/** A trade can arrive this long after a book of the next period. */
const LATE_MS = 2_000;

/** The depth chart follows the book, at most four times per second. */
const DEPTH_EVERY_MS = 250;

function DepthChartView({ feed }: { feed: MarketFeed }) {
  const { t } = useLook();
  const box = useRef<HTMLDivElement>(null);
  const lookKey = useLookKey();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new look needs a new chart.
  useEffect(() => {
    let made: DepthChart | undefined;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      const book = feed.book.shown();
      if (book !== undefined) made?.draw(book);
    };
    const drawSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        draw();
      }, DEPTH_EVERY_MS);
    };
    void import('./depth-chart.ts').then(({ DepthChart: Made }) => {
      if (isGone || box.current === null) return;
      const names = { bids: t('trade.bids'), asks: t('trade.asks') };
      made = new Made(box.current, { colours: readColours(), names });
      draw();
    });
    const stop = feed.book.subscribe(drawSoon);
    const observer = new ResizeObserver(([{ contentRect }]) =>
      made?.resize(contentRect.width, contentRect.height),
    );
    if (box.current !== null) observer.observe(box.current);
    return () => {
      isGone = true;
      clearTimeout(timer);
      stop();
      observer.disconnect();
      made?.dispose();
    };
  }, [feed, lookKey, t]);
  return (
    <div
      ref={box}
      dir="ltr"
      role="img"
      aria-label={t('chart.depthLabel')}
      className="min-h-0 flex-1 overflow-hidden"
    />
  );
}
