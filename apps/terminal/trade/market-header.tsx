// Header of the trade screen: the market, its last price and its 24-hour statistics. The button
// opens the market list.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Pair, TickerOfAll } from '../../../client/index.ts';
import { changeRatio, scaleOf } from '../../decimals/index.ts';
import { Amount, Change, Dialog, useCell, useLook } from '../../ui/index.ts';
import { tickersQuery } from '../exchange.ts';
import { priceOf, withLast } from '../money/market-rows.ts';
import type { MarketFeed } from './market-feed.ts';
import { MarketList } from './market-list.tsx';
import type { MarketStatus } from './market-status.ts';

export function pairName({ pair_2, pair_base }: Pick<Pair, 'pair_base' | 'pair_2'>): string {
  return `${pair_base}/${pair_2}`.toUpperCase();
}

export function MarketHeader({
  feed,
  isPairsOpen,
  market,
  onPairs,
  status,
}: {
  feed: MarketFeed;
  market: Pair;
  isPairsOpen: boolean;
  status: MarketStatus;
  onPairs(isOpen: boolean): void;
}) {
  const { compact, t } = useLook();
  const { data: tickers } = useQuery(tickersQuery);
  const ticker = tickers?.[market.code];
  const scale = scaleOf(market.increment_price);
  const [last] = useCell(feed.trades) ?? [];
  const range = withLast(ticker, last?.price);
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-6 gap-y-1 rounded bg-panel px-2 py-1.5">
      <h1 className="contents">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => onPairs(true)}
          className="flex items-center gap-1.5 rounded px-2 py-1 text-title font-semibold hover:bg-raised"
        >
          <bdi dir="ltr">{pairName(market)}</bdi>
          <ChevronDown size={16} aria-hidden="true" className="text-quiet" />
          <span className="sr-only">{t('shell.choosePair')}</span>
        </button>
      </h1>
      <LastPrice feed={feed} ticker={ticker} scale={scale} />
      {status !== 'full' && (
        <span role="status" className="rounded border border-warn px-2 py-0.5 text-body text-warn">
          {t(`status.market_${status}`)}
        </span>
      )}
      <dl className="flex gap-6 max-md:hidden">
        <Fact label={t('trade.high24')}>
          <Amount value={range.high} scale={scale} />
        </Fact>
        <Fact label={t('trade.low24')}>
          <Amount value={range.low} scale={scale} />
        </Fact>
        <Fact label={t('trade.volume24')}>
          {ticker === undefined ? (
            '–'
          ) : (
            <bdi dir="ltr">
              {compact(ticker.volume)}{' '}
              <span className="text-quiet">{market.pair_base.toUpperCase()}</span>
            </bdi>
          )}
        </Fact>
      </dl>
      <PairDialog isOpen={isPairsOpen} onClose={() => onPairs(false)} />
    </header>
  );
}

function LastPrice({
  feed,
  scale,
  ticker,
}: {
  feed: MarketFeed;
  ticker: TickerOfAll | undefined;
  scale: number;
}) {
  const [last] = useCell(feed.trades) ?? [];
  const price = last?.price ?? priceOf(ticker?.last);
  const ratio = price === undefined ? undefined : changeRatio(ticker?.open ?? '', price);
  const color = last?.side === 'sell' ? 'text-down' : 'text-up';
  return (
    <div className="flex items-baseline gap-3">
      <span className={`text-price font-semibold ${color}`} data-last-price>
        <Amount value={price} scale={scale} />
      </span>
      <span className="text-body">
        <Change ratio={ratio} />
      </span>
    </div>
  );
}

function Fact({ children, label }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col">
      <dt className="text-label text-quiet">{label}</dt>
      <dd className="text-body">{children}</dd>
    </div>
  );
}

function PairDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { t } = useLook();
  return (
    <Dialog title={t('shell.choosePair')} form="wide" isOpen={isOpen} onClose={onClose}>
      <FindMarket onClose={onClose} />
    </Dialog>
  );
}

function FindMarket({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const navigate = useNavigate();
  const [sought, setSought] = useState('');
  const first = useRef<string>(undefined);
  const open = (symbol: string | undefined) => {
    if (symbol === undefined) return;
    onClose();
    void navigate({ to: `/trade/${symbol}` });
  };
  return (
    <form
      className="flex min-h-80 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        open(first.current);
      }}
    >
      <input
        type="search"
        aria-label={t('shell.findPair')}
        placeholder={t('shell.findPair')}
        value={sought}
        onChange={({ target }) => setSought(target.value)}
        className="h-control flex-none rounded border border-edge bg-raised px-2 text-value"
      />
      <MarketList sought={sought} first={first} onOpen={open} />
    </form>
  );
}
