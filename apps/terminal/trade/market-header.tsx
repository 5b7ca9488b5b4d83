// Header of the trade screen: the market, its last price and its 24-hour statistics. The button
// opens the market list.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Pair, TickerOfAll } from '../../../client/index.ts';
import { changeRatio, scaleOf } from '../../decimals/index.ts';
import { Amount, Button, Change, Dialog, useCell, useLook } from '../../ui/index.ts';
import { constantsQuery, tickersQuery } from '../exchange.ts';
import { priceOf } from '../money/market-rows.ts';
import type { MarketFeed } from './market-feed.ts';

export function pairName({ pair_2, pair_base }: Pick<Pair, 'pair_base' | 'pair_2'>): string {
  return `${pair_base}/${pair_2}`.toUpperCase();
}

export function MarketHeader({
  feed,
  isPairsOpen,
  market,
  onPairs,
}: {
  feed: MarketFeed;
  market: Pair;
  isPairsOpen: boolean;
  onPairs(isOpen: boolean): void;
}) {
  const { compact, t } = useLook();
  const { data: tickers } = useQuery(tickersQuery);
  const ticker = tickers?.[market.code];
  const scale = scaleOf(market.increment_price);
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
      <dl className="flex gap-6 max-md:hidden">
        <Fact label={t('trade.high24')}>
          <Amount value={priceOf(ticker?.high)} scale={scale} />
        </Fact>
        <Fact label={t('trade.low24')}>
          <Amount value={priceOf(ticker?.low)} scale={scale} />
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
        {market.status !== 'full' && (
          <Fact label={t('trade.status')}>
            <span className="text-warn">{market.status}</span>
          </Fact>
        )}
      </dl>
      <PairDialog isOpen={isPairsOpen} onClose={() => onPairs(false)} tickers={tickers ?? {}} />
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

function PairDialog({
  isOpen,
  onClose,
  tickers,
}: {
  isOpen: boolean;
  onClose(): void;
  tickers: Readonly<Record<string, TickerOfAll>>;
}) {
  const { t } = useLook();
  const navigate = useNavigate();
  const { data: constants } = useQuery(constantsQuery);
  const [sought, setSought] = useState('');
  const pairs = Object.values(constants?.pairs ?? {}).filter((pair) =>
    pairName(pair).includes(sought.trim().toUpperCase()),
  );
  const open = (pair: Pair | undefined) => {
    if (pair === undefined) return;
    setSought('');
    onClose();
    void navigate({ to: `/trade/${pair.code}` });
  };
  return (
    <Dialog title={t('shell.choosePair')} isOpen={isOpen} onClose={onClose}>
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          open(pairs[0]);
        }}
      >
        <input
          autoFocus
          type="search"
          aria-label={t('shell.findPair')}
          placeholder={t('shell.findPair')}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
          className="h-control rounded border border-edge bg-raised px-2 text-value"
        />
        <ul>
          {pairs.map((pair) => (
            <li key={pair.code}>
              <Button
                look="quiet"
                className="w-full justify-between text-text"
                onClick={() => open(pair)}
              >
                <bdi dir="ltr" className="font-semibold">
                  {pairName(pair)}
                </bdi>
                <PairPrices pair={pair} ticker={tickers[pair.code]} />
              </Button>
            </li>
          ))}
        </ul>
        {pairs.length === 0 && <p className="py-4 text-center text-quiet">{t('shell.noPair')}</p>}
      </form>
    </Dialog>
  );
}

function PairPrices({ pair, ticker }: { pair: Pair; ticker: TickerOfAll | undefined }) {
  const ratio = ticker && changeRatio(ticker.open, ticker.last);
  return (
    <span className="flex gap-4">
      <Amount value={priceOf(ticker?.last)} scale={scaleOf(pair.increment_price)} />
      <span className="w-20 text-end">
        <Change ratio={ratio} />
      </span>
    </span>
  );
}
