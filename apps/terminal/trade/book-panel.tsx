// Order book: both sides around the spread, grouped, with depth bars and labels for own orders. It
// is one tab stop: arrow keys select a row, and Enter uses its price.

import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import './trade.css';
import { scaleOf } from '../../decimals/index.ts';
import {
  Amount,
  Panel,
  type PanelState,
  Segments,
  Select,
  useCell,
  useLook,
} from '../../ui/index.ts';
import type { AccountOrder } from '../account-state.ts';
import { BookRowWriter } from './book-rows.ts';
import { bookRows, groupSteps, type Side, spreadOf } from './book-view.ts';
import type { MarketFeed } from './market-feed.ts';
import type { Market } from './order-draft.ts';

type BookSides = 'both' | 'bids' | 'asks';
const ROW_PX = 20;
const SPREAD_PX = 32;

export interface Pick {
  readonly price: string;
  /** Total up to the row, if the user held Shift. */
  readonly size: string | undefined;
}

export function BookPanel({
  className = '',
  feed,
  market,
  onPick,
  orders,
  state,
}: {
  feed: MarketFeed;
  market: Market;
  orders: readonly AccountOrder[];
  state: PanelState;
  onPick(pick: Pick): void;
  className?: string;
}) {
  const { t } = useLook();
  const steps = groupSteps(market.increment_price);
  const [step, setStep] = useState(steps[0]);
  const [sides, setSides] = useState<BookSides>('both');
  const used = steps.includes(step) ? step : steps[0];
  return (
    <Panel
      title={t('trade.book')}
      state={state}
      className={className}
      skeletonRows={18}
      after={
        <div className="flex items-center gap-1">
          <Segments
            label={t('trade.bookView')}
            value={sides}
            onValue={setSides}
            choices={[
              { value: 'both', label: t('trade.both'), icon: <SidesMark sides="both" /> },
              { value: 'bids', label: t('trade.bids'), icon: <SidesMark sides="bids" /> },
              { value: 'asks', label: t('trade.asks'), icon: <SidesMark sides="asks" /> },
            ]}
          />
          <Select
            label={t('trade.grouping')}
            isLabelHidden
            size="small"
            value={used}
            onValue={setStep}
            choices={steps.map((value) => ({ value, label: value }))}
          />
        </div>
      }
    >
      <div className="grid flex-none grid-cols-3 px-2 pt-1 text-label text-quiet">
        <span>
          {t('trade.price')} <bdi>{market.pair_2.toUpperCase()}</bdi>
        </span>
        <span className="text-end">
          {t('trade.size')} <bdi>{market.pair_base.toUpperCase()}</bdi>
        </span>
        <span className="text-end">{t('trade.total')}</span>
      </div>
      <BookRowsView
        feed={feed}
        market={market}
        orders={orders}
        onPick={onPick}
        sides={sides}
        step={used}
      />
    </Panel>
  );
}

/** Two bars, because words do not fit into the head in every language. */
function SidesMark({ sides }: { sides: BookSides }) {
  return (
    <span aria-hidden="true" className="flex w-3.5 flex-col gap-0.5">
      <span className={`h-1.5 rounded-xs ${sides === 'bids' ? 'bg-line' : 'bg-down'}`} />
      <span className={`h-1.5 rounded-xs ${sides === 'asks' ? 'bg-line' : 'bg-up'}`} />
    </span>
  );
}

function BookRowsView({
  feed,
  market,
  onPick,
  orders,
  sides,
  step,
}: {
  feed: MarketFeed;
  market: Market;
  orders: readonly AccountOrder[];
  sides: BookSides;
  step: string;
  onPick(pick: Pick): void;
}) {
  const look = useLook();
  const { t } = look;
  const box = useRef<HTMLDivElement>(null);
  const count = useRowCount(box, sides);
  const [active, setActive] = useState(-1);
  useEffect(() => {
    const container = box.current;
    if (container === null) return;
    const writers = {
      asks: new BookRowWriter(container, 'sell'),
      bids: new BookRowWriter(container, 'buy'),
    };
    const priceScale = scaleOf(step);
    const sizeScale = scaleOf(market.increment_size);
    const format = {
      price: (text: string) => look.number(text, priceScale),
      size: (text: string) => look.number(text, sizeScale),
    };
    const own = (side: Side) =>
      orders.flatMap((order) => (order.side === side && order.price ? [order.price] : []));
    const draw = () => {
      const book = feed.book.shown();
      if (book === undefined) return;
      const rows = bookRows(book, { step, count, ownBids: own('buy'), ownAsks: own('sell') });
      // Asks are listed from the worst at the top to the best next to the spread.
      const asks = Array.from({ length: count }, (_, at) => rows.asks[count - 1 - at]);
      writers.asks.write(asks, format);
      writers.bids.write(rows.bids, format);
    };
    draw();
    const stop = feed.book.subscribe(draw);
    return () => {
      stop();
      writers.asks.dispose();
      writers.bids.dispose();
    };
  }, [feed, market, orders, step, count, look]);

  const total = sides === 'both' ? 2 * count : count;
  const rowOf = (at: number) => box.current?.querySelector<HTMLElement>(`#book-row-${at}`);
  const pick = (row: HTMLElement | null | undefined, withSize: boolean) => {
    const price = row?.dataset.price;
    if (price === undefined || price === '') return;
    onPick({ price, size: withSize ? row?.dataset.total : undefined });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') pick(rowOf(active), event.shiftKey);
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move === 0) return;
    event.preventDefault();
    const from = active < 0 ? Math.floor(total / 2) : active + move;
    setActive(Math.min(total - 1, Math.max(0, from)));
  };
  const onClick = (event: MouseEvent) => {
    pick((event.target as HTMLElement).closest<HTMLElement>('.book-row'), event.shiftKey);
  };
  const first = { asks: 0, bids: sides === 'both' ? count : 0 };
  return (
    <div
      ref={box}
      role="listbox"
      tabIndex={0}
      data-book
      aria-label={t('trade.bookHelp')}
      aria-activedescendant={active < 0 ? undefined : `book-row-${active}`}
      onKeyDown={onKeyDown}
      onBlur={() => setActive(-1)}
      onClick={onClick}
      className="flex min-h-0 flex-1 flex-col overflow-hidden focus-visible:-outline-offset-2"
    >
      {sides !== 'bids' && (
        <Rows
          side="sell"
          label={t('trade.asks')}
          count={count}
          active={active}
          first={first.asks}
        />
      )}
      <SpreadRow feed={feed} market={market} />
      {sides !== 'asks' && (
        <Rows side="buy" label={t('trade.bids')} count={count} active={active} first={first.bids} />
      )}
    </div>
  );
}

function Rows({
  active,
  count,
  first,
  label,
  side,
}: {
  side: Side;
  label: string;
  count: number;
  first: number;
  active: number;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list box has groups of options.
    <div role="group" aria-label={label} className="flex flex-none flex-col">
      {Array.from({ length: count }, (_, at) => {
        const id = `book-row-${first + at}`;
        return (
          <div
            key={id}
            id={id}
            role="option"
            tabIndex={-1}
            aria-selected={active === first + at}
            data-active={active === first + at}
            data-side={side}
            data-empty="true"
            aria-hidden="true"
            className="book-row"
          >
            <i />
            <span />
            <span />
            <span />
          </div>
        );
      })}
    </div>
  );
}

function SpreadRow({ feed, market }: { feed: MarketFeed; market: Market }) {
  const { percent, t } = useLook();
  const book = useCell(feed.book);
  const trades = useCell(feed.trades);
  const spread = spreadOf(book?.bids[0]?.[0], book?.asks[0]?.[0]);
  const [last, before] = trades ?? [];
  const isDown = last?.side === 'sell';
  const isEmpty = book !== undefined && book.bids.length + book.asks.length === 0;
  return (
    <div
      aria-hidden="true"
      className="flex h-8 flex-none items-center justify-between border-y border-line px-2"
    >
      <span className={`text-value font-semibold ${isDown ? 'text-down' : 'text-up'}`}>
        {before !== undefined && <span className="text-label">{isDown ? '▼ ' : '▲ '}</span>}
        {last !== undefined && (
          <bdi dir="ltr">
            <Amount value={last.price} scale={scaleOf(market.increment_price)} />
          </bdi>
        )}
      </span>
      {isEmpty && <span className="text-label text-quiet">{t('trade.emptyBook')}</span>}
      {spread !== undefined && (
        <span className="text-label text-quiet">
          {t('trade.spread')}{' '}
          <Amount value={spread.amount} scale={scaleOf(market.increment_price)} />{' '}
          <bdi dir="ltr">{percent(spread.ratio, { scale: 3 })}</bdi>
        </span>
      )}
    </div>
  );
}

/** Returns the number of rows that fit. */
function useRowCount(box: React.RefObject<HTMLDivElement | null>, sides: BookSides): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  const rows = Math.floor((height - SPREAD_PX) / ROW_PX);
  return Math.max(1, sides === 'both' ? Math.floor(rows / 2) : rows);
}
