// List of the market switcher: favorites, price, change and volume, by quote asset. Enter in the
// search field opens the first row.

import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { Amount, Change, type Column, Segments, Table, useLook } from '../../ui/index.ts';
import { constantsQuery, tickersQuery } from '../exchange.ts';
import { useFavorites } from '../money/favorites.ts';
import { filterMarkets, type MarketRow, marketRows, sortMarkets } from '../money/market-rows.ts';
import { CoinMark, FavoriteStar, MarketMark, PairName } from '../money/parts.tsx';
import { pricesQuery } from '../money/queries.ts';

const COMMON = 'usdt';
const NO_LASTS: ReadonlyMap<string, string> = new Map();

export function MarketList({
  first,
  onOpen,
  sought,
}: {
  sought: string;
  first: RefObject<string | undefined>;
  onOpen(symbol: string): void;
}) {
  const { t } = useLook();
  const [view, setView] = useState('all');
  const { favorites, toggle } = useFavorites();
  const rows = useMarkets();
  const quotes = [...new Set(rows.map(({ quote }) => quote))];
  const shown = sortMarkets(
    filterMarkets(rows, {
      text: sought,
      quote: quotes.includes(view) ? view : '',
      favourites: view === 'favourites' ? favorites : undefined,
    }),
    'volume',
  );
  const [top] = shown;
  useEffect(() => {
    first.current = top?.symbol;
  }, [first, top]);
  const columns = useColumns({ favorites, toggle, onOpen });
  const isUnmarked = view === 'favourites' && sought === '';
  return (
    <>
      <Segments
        label={t('markets.show')}
        value={view}
        onValue={setView}
        className="self-start"
        choices={[
          { value: 'all', label: t('markets.all') },
          { value: 'favourites', label: t('markets.favourites') },
          ...quotes.map((quote) => ({ value: quote, label: quote.toUpperCase() })),
        ]}
      />
      {shown.length === 0 ? (
        <p role="status" className="py-4 text-center text-quiet">
          {t(isUnmarked ? 'markets.noFavourite' : 'shell.noPair')}
        </p>
      ) : (
        <Table
          caption={t('shell.choosePair')}
          columns={columns}
          rows={shown}
          keyOf={({ symbol }) => symbol}
          onRow={({ symbol }) => onOpen(symbol)}
        />
      )}
    </>
  );
}

function useMarkets(): readonly MarketRow[] {
  const { data: constants } = useQuery(constantsQuery);
  const { data: tickers } = useQuery(tickersQuery);
  const coins = useMemo(() => Object.keys(constants?.coins ?? {}), [constants]);
  const { data: prices = {} } = useQuery(pricesQuery(coins, COMMON));
  return useMemo(
    () =>
      constants === undefined
        ? []
        : marketRows(constants, { tickers: tickers ?? {}, prices, lasts: NO_LASTS }),
    [constants, tickers, prices],
  );
}

function useColumns({
  favorites,
  onOpen,
  toggle,
}: {
  favorites: ReadonlySet<string>;
  toggle(symbol: string): void;
  onOpen(symbol: string): void;
}): readonly Column<MarketRow>[] {
  const { compact, t } = useLook();
  return [
    {
      key: 'star',
      label: <span className="sr-only">{t('markets.favourites')}</span>,
      cell: ({ symbol }) => (
        <FavoriteStar symbol={symbol} isOn={favorites.has(symbol)} onToggle={toggle} />
      ),
    },
    {
      key: 'pair',
      label: t('shell.pair'),
      cell: ({ base, status, symbol }) => (
        <button
          type="button"
          className="flex items-center gap-2 py-1.5"
          onClick={(event) => {
            event.stopPropagation();
            onOpen(symbol);
          }}
        >
          <CoinMark coin={base} />
          <PairName symbol={symbol} />
          <MarketMark status={status} />
        </button>
      ),
    },
    {
      key: 'last',
      label: t('markets.last'),
      isNumber: true,
      cell: ({ last, priceScale }) => <Amount value={last} scale={priceScale} />,
    },
    {
      key: 'change',
      label: t('markets.change'),
      isNumber: true,
      cell: ({ ratio }) => <Change ratio={ratio} />,
    },
    {
      key: 'volume',
      label: t('markets.volumeIn', { coin: COMMON.toUpperCase() }),
      isNumber: true,
      isExtra: true,
      cell: ({ volumeValue }) => (
        <bdi dir="ltr">{volumeValue === undefined ? '–' : compact(volumeValue)}</bdi>
      ),
    },
  ];
}
