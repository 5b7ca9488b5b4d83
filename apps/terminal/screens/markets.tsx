// All markets, live: find, favorite or open one. Also the first page for a guest.

import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { MiniChartPoint } from '../../../client/index.ts';
import {
  Amount,
  Cell,
  Change,
  type Column,
  LOADING,
  Panel,
  type PanelState,
  READY,
  Segments,
  stateOfError,
  Table,
  useCell,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, tickersQuery } from '../exchange.ts';
import { useFavorites } from '../money/favorites.ts';
import {
  filterMarkets,
  type MarketRow,
  type MarketSort,
  marketRows,
  sortMarkets,
} from '../money/market-rows.ts';
import { CoinMark, FavoriteStar, MarketMark, PairName, SparkLine } from '../money/parts.tsx';
import { pricesQuery, sparkQuery } from '../money/queries.ts';
import { useSession } from '../session.tsx';

const COMMON = 'usdt';

type Sparks = ReadonlyMap<string, readonly string[]>;

export function Screen() {
  const { t } = useLook();
  const { user } = useSession();
  const { rows, sparks, state } = useMarkets();
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-1">
      {user === null ? <Welcome /> : <h1 className="sr-only">{t('nav.markets')}</h1>}
      <Highlights rows={rows} sparks={sparks} />
      <MarketTable rows={rows} sparks={sparks} state={state} />
    </div>
  );
}

/** Latest price of each market, from the stream's trades. */
function useLasts(): ReadonlyMap<string, string> {
  const { stream } = useSession();
  const [lasts] = useState(() => new Cell<ReadonlyMap<string, string>>(new Map()));
  useEffect(() => {
    if (stream === undefined) return;
    const trades = stream.subscribe('trade', {
      onMessage({ data, symbol }) {
        const price = data[0]?.price;
        if (price !== undefined) lasts.set(new Map(lasts.latest).set(symbol, price));
      },
      // Without the topic, the tickers are still polled.
      onError() {},
    });
    return () => trades.close();
  }, [stream, lasts]);
  return useCell(lasts);
}

/** Marks a stopped market without delay: its message refetches the statuses. */
function useFreshStatuses(): void {
  const { stream } = useSession();
  const queries = useQueryClient();
  useEffect(() => {
    if (stream === undefined) return;
    const known = new Map<string, string>();
    const auctions = stream.subscribe('auction', {
      onMessage({ data, symbol }) {
        const before = known.get(symbol);
        known.set(symbol, data.status);
        if (before === undefined || before === data.status) return;
        void queries.invalidateQueries({ queryKey: constantsQuery.queryKey });
      },
      onError() {},
    });
    return () => auctions.close();
  }, [stream, queries]);
}

function useMarkets(): { rows: readonly MarketRow[]; sparks: Sparks; state: PanelState } {
  const constants = useQuery(constantsQuery);
  const tickers = useQuery(tickersQuery);
  const lasts = useLasts();
  useFreshStatuses();
  const { connection } = useSession();
  const { sinceMs, status } = useCell(connection);
  const coins = useMemo(() => Object.keys(constants.data?.coins ?? {}), [constants.data]);
  const { data: prices = {} } = useQuery(pricesQuery(coins, COMMON));
  const rows = useMemo(
    () =>
      constants.data === undefined
        ? []
        : marketRows(constants.data, { tickers: tickers.data ?? {}, prices, lasts }),
    [constants.data, tickers.data, prices, lasts],
  );
  const error = constants.error ?? tickers.error;
  const isLost = status === 'waiting' || status === 'failed';
  const state =
    error !== null
      ? stateOfError(error)
      : constants.data === undefined || tickers.data === undefined
        ? LOADING
        : isLost
          ? ({ kind: 'stale', sinceMs } as const)
          : READY;
  return { rows, sparks: useSparks(rows), state };
}

/** One query for each quote asset. */
function useSparks(rows: readonly MarketRow[]): Sparks {
  const quotes = [...new Set(rows.map(({ quote }) => quote))];
  return useQueries({
    queries: quotes.map((quote) => {
      const bases = rows.filter((row) => row.quote === quote).map(({ base }) => base);
      return sparkQuery(bases, quote);
    }),
    combine: sparksOf,
  });
}

function sparksOf(
  results: readonly { readonly data: Record<string, MiniChartPoint[]> | undefined }[],
): Sparks {
  const lines = results.flatMap(({ data }) => Object.values(data ?? {}));
  return new Map(
    lines
      .filter((points) => points.length > 0)
      .map((points) => [
        `${points[0].symbol}-${points[0].quote}`,
        points.map(({ price }) => price),
      ]),
  );
}

function Welcome() {
  const { t } = useLook();
  return (
    <section className="flex flex-wrap items-center justify-between gap-4 rounded bg-panel px-5 py-7">
      <div className="min-w-0 max-w-xl">
        <h1 className="text-hero font-semibold">{t('markets.welcome')}</h1>
        <p className="mt-1 text-value text-quiet">{t('markets.welcomeText')}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to="/sign-up"
          className="inline-flex min-h-10 items-center rounded bg-accent px-5 text-value font-semibold text-on-fill hover:brightness-110"
        >
          {t('markets.signUp')}
        </Link>
        <Link
          to="/sign-in"
          className="inline-flex min-h-10 items-center rounded border border-line bg-raised px-5 text-value hover:bg-hover"
        >
          {t('shell.signIn')}
        </Link>
      </div>
    </section>
  );
}

/** The four most traded markets, with a larger chart. */
function Highlights({ rows, sparks }: { rows: readonly MarketRow[]; sparks: Sparks }) {
  const { t } = useLook();
  const top = sortMarkets(rows, 'volume').slice(0, 4);
  return (
    <section aria-label={t('markets.mostTraded')} className="grid grid-cols-2 gap-1 lg:grid-cols-4">
      {top.length === 0 &&
        [1, 2, 3, 4].map((place) => <span key={place} className="skeleton h-32" />)}
      {top.map((row) => (
        <Link
          key={row.symbol}
          to={`/trade/${row.symbol}`}
          className="flex flex-col overflow-hidden rounded bg-panel hover:bg-raised focus-visible:-outline-offset-2"
        >
          <span className="flex items-center justify-between gap-2 px-3 pt-3 max-sm:flex-wrap">
            <PairName symbol={row.symbol} />
            <Change ratio={row.ratio} />
          </span>
          <span className="px-3 pt-1 text-price font-semibold">
            <Amount value={row.last} scale={row.priceScale} />
          </span>
          <SparkLine
            prices={sparks.get(row.symbol) ?? []}
            isDown={row.ratio?.startsWith('-') ?? false}
            width={240}
            height={48}
            className="mt-2 h-12 w-full"
          />
        </Link>
      ))}
    </section>
  );
}

function MarketTable({
  rows,
  sparks,
  state,
}: {
  rows: readonly MarketRow[];
  sparks: Sparks;
  state: PanelState;
}) {
  const { t } = useLook();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [view, setView] = useState('all');
  const [sort, setSort] = useState<MarketSort>('volume');
  const { favorites, toggle } = useFavorites();
  const quotes = [...new Set(rows.map(({ quote }) => quote))];
  const shown = sortMarkets(
    filterMarkets(rows, {
      text,
      quote: quotes.includes(view) ? view : '',
      favourites: view === 'favourites' ? favorites : undefined,
    }),
    sort,
  );
  const columns = useColumns({ favorites, sparks, toggle });
  const isEmpty = state.kind === 'ready' && shown.length === 0;
  const emptyText = view === 'favourites' && text === '' ? 'markets.noFavourite' : 'shell.noPair';
  return (
    <Panel title={t('nav.markets')} isTitleHidden state={isEmpty ? READY : state} skeletonRows={10}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line p-2">
        <label className="relative flex min-w-44 flex-1 items-center sm:max-w-72">
          <span className="sr-only">{t('shell.findPair')}</span>
          <Search size={14} aria-hidden="true" className="absolute inset-s-2 text-quiet" />
          <input
            type="search"
            value={text}
            placeholder={t('shell.findPair')}
            onChange={({ target }) => setText(target.value)}
            className="h-control w-full rounded border border-edge bg-raised ps-7 pe-2 text-body"
          />
        </label>
        <Segments
          label={t('markets.show')}
          value={view}
          onValue={setView}
          choices={[
            { value: 'all', label: t('markets.all') },
            { value: 'favourites', label: t('markets.favourites') },
            ...quotes.map((quote) => ({ value: quote, label: quote.toUpperCase() })),
          ]}
        />
        <Segments
          label={t('markets.sort')}
          value={sort}
          onValue={setSort}
          className="ms-auto max-sm:ms-0"
          choices={[
            { value: 'volume', label: t('markets.volume') },
            { value: 'change', label: t('markets.change') },
            { value: 'name', label: t('markets.name') },
          ]}
        />
      </div>
      {isEmpty ? (
        <p role="status" className="p-8 text-center text-body text-quiet">
          {t(emptyText)}
        </p>
      ) : (
        <Table
          caption={t('nav.markets')}
          columns={columns}
          rows={shown}
          keyOf={({ symbol }) => symbol}
          onRow={({ symbol }) => void navigate({ to: `/trade/${symbol}` })}
        />
      )}
    </Panel>
  );
}

function useColumns({
  favorites,
  sparks,
  toggle,
}: {
  favorites: ReadonlySet<string>;
  sparks: Sparks;
  toggle(symbol: string): void;
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
      cell: (row) => (
        <Link
          to={`/trade/${row.symbol}`}
          onClick={(event) => event.stopPropagation()}
          className="flex items-center gap-2.5 py-2"
        >
          <CoinMark coin={row.base} />
          <span className="flex flex-col leading-tight sm:flex-row sm:items-baseline sm:gap-2">
            <PairName symbol={row.symbol} />
            <span className="text-label text-quiet">{row.name}</span>
            <MarketMark status={row.status} />
          </span>
        </Link>
      ),
    },
    {
      key: 'last',
      label: t('markets.last'),
      isNumber: true,
      cell: ({ last, priceScale }) => (
        <span className="text-value">
          <Amount value={last} scale={priceScale} />
        </span>
      ),
    },
    {
      key: 'change',
      label: t('markets.change'),
      isNumber: true,
      cell: ({ ratio }) => <Change ratio={ratio} />,
    },
    {
      key: 'spark',
      label: t('markets.lastDay'),
      isNumber: true,
      isExtra: true,
      cell: ({ ratio, symbol }) => (
        <SparkLine
          prices={sparks.get(symbol) ?? []}
          isDown={ratio?.startsWith('-') ?? false}
          className="ms-auto"
        />
      ),
    },
    {
      key: 'high',
      label: t('markets.high'),
      isNumber: true,
      isExtra: true,
      cell: ({ high, priceScale }) => <Amount value={high} scale={priceScale} />,
    },
    {
      key: 'low',
      label: t('markets.low'),
      isNumber: true,
      isExtra: true,
      cell: ({ low, priceScale }) => <Amount value={low} scale={priceScale} />,
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
