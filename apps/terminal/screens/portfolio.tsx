// Portfolio: value over time, profit and loss by asset, allocation, and the trades of a period.

import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Refusal, saveFile, useAct } from '../../forms/index.ts';
import {
  Amount,
  Button,
  Change,
  type Column,
  Field,
  LOADING,
  Panel,
  type PanelState,
  READY,
  Segments,
  stateOfError,
  stateOfList,
  Table,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { CoinMark, SignInLink, SparkLine } from '../money/parts.tsx';
import {
  type Holding,
  holdingsOf,
  type ProfitOfPeriod,
  type ProfitRow,
  profitRows,
  valuesOf,
} from '../money/portfolio-rows.ts';
import { balanceQuery, kitQuery, pricesQuery } from '../money/queries.ts';
import { totalOf, walletRows } from '../money/wallet-rows.ts';
import { lastMonth, nextDay } from '../people/statement-period.ts';
import { useSession } from '../session.tsx';

const PERIODS = ['7', '30', '90'] as const;
type Period = (typeof PERIODS)[number];

export function Screen() {
  const { t } = useLook();
  const { user } = useSession();
  const [period, setPeriod] = useState<Period>('30');
  const holdings = useHoldings();
  if (user === null || user === undefined) {
    const state = user === null ? ({ kind: 'forbidden', needs: 'session' } as const) : LOADING;
    return (
      <div className="mx-auto w-full max-w-5xl">
        <h1 className="sr-only">{t('nav.portfolio')}</h1>
        <Panel title={t('nav.portfolio')} state={state} signIn={<SignInLink />}>
          {null}
        </Panel>
      </div>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-1 py-2">
      <div className="flex flex-wrap items-center justify-between gap-2 px-2 pb-1">
        <h1 className="text-price font-semibold">{t('nav.portfolio')}</h1>
        <Segments
          label={t('portfolio.period')}
          value={period}
          onValue={setPeriod}
          choices={PERIODS.map((value) => ({
            value,
            label: t('portfolio.days', { days: value }),
          }))}
        />
      </div>
      <Value period={period} holdings={holdings} />
      <div className="grid gap-1 lg:grid-cols-2 lg:items-start">
        <Profit period={period} />
        <Allocation holdings={holdings} />
      </div>
      <TradeExport />
    </div>
  );
}

interface Holdings {
  readonly currency: string;
  readonly total: string;
  readonly rows: readonly Holding[];
  readonly state: PanelState;
}

/** The user's assets now, in the currency of the exchange. */
function useHoldings(): Holdings {
  const { user } = useSession();
  const { data: kit } = useQuery(kitQuery);
  const constants = useQuery(constantsQuery);
  const balance = useQuery({ ...balanceQuery, enabled: user != null });
  const currency = kit?.native_currency ?? '';
  const coins = constants.data?.coins ?? {};
  const names = currency === '' ? [] : Object.keys(coins);
  const { data: prices } = useQuery(pricesQuery(names, currency));
  const error = constants.error ?? balance.error;
  const isReady = prices !== undefined && balance.data !== undefined;
  const rows = isReady ? walletRows(coins, balance.data, prices) : [];
  return {
    currency,
    total: totalOf(rows).value,
    rows: holdingsOf(rows),
    state: error !== null ? stateOfError(error) : isReady ? READY : LOADING,
  };
}

function Value({ holdings, period }: { period: Period; holdings: Holdings }) {
  const { preferences, t } = useLook();
  const days = useQuery({
    queryKey: ['private', 'balance history'],
    queryFn: async ({ signal }) =>
      (await exchange.getBalanceHistory({ limit: Number(PERIODS[2]) }, { signal })).data,
  });
  const { currency, total } = holdings;
  const history = days.data ?? [];
  const { high, low, ratio, totals } = valuesOf(history, Number(period), total);
  const amount = (value: string) => (
    <Amount value={value} scale={2} unit={currency} isHidden={preferences.hidesBalances} />
  );
  const state =
    days.error !== null ? stateOfError(days.error) : days.data === undefined ? LOADING : READY;
  return (
    <Panel
      title={t('portfolio.value')}
      state={state.kind === 'ready' ? holdings.state : state}
      onRetry={() => void days.refetch()}
    >
      <div className="flex flex-col gap-2 p-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-hero font-semibold">{amount(total)}</span>
          {history.length > 0 && <Change ratio={ratio} />}
        </div>
        {history.length === 0 ? (
          <p className="text-body text-quiet">{t('portfolio.none')}</p>
        ) : (
          <>
            <SparkLine
              prices={totals}
              isDown={ratio?.startsWith('-') === true}
              width={960}
              height={180}
              className="h-45 w-full"
            />
            <dl className="flex flex-wrap gap-x-6 text-label text-quiet [&_dd]:text-text">
              <div className="flex gap-2">
                <dt>{t('portfolio.high')}</dt>
                <dd>{amount(high)}</dd>
              </div>
              <div className="flex gap-2">
                <dt>{t('portfolio.low')}</dt>
                <dd>{amount(low)}</dd>
              </div>
            </dl>
          </>
        )}
      </div>
    </Panel>
  );
}

function Profit({ period }: { period: Period }) {
  const { preferences, t } = useLook();
  const profit = useQuery({
    queryKey: ['private', 'profit', period],
    queryFn: ({ signal }) => exchange.getProfitAndLoss({ period }, { signal }),
  });
  const ofPeriod = profit.data?.[`${period}d`] as ProfitOfPeriod | undefined;
  const rows = ofPeriod === undefined ? undefined : profitRows(ofPeriod, t('portfolio.total'));
  const columns: readonly Column<ProfitRow>[] = [
    {
      key: 'coin',
      label: t('wallet.coin'),
      cell: ({ isTotal, name }) => (
        <span className={`flex items-center gap-2.5 py-1 ${isTotal ? 'font-semibold' : ''}`}>
          {!isTotal && <CoinMark coin={name} />}
          {isTotal ? name : name.toUpperCase()}
        </span>
      ),
    },
    {
      key: 'profit',
      label: t('portfolio.profit'),
      isNumber: true,
      cell: ({ currency, isTotal, profit: amount }) => (
        <span className={isTotal ? 'font-semibold' : ''}>
          <Amount value={amount} scale={2} unit={currency} isHidden={preferences.hidesBalances} />
        </span>
      ),
    },
    {
      key: 'change',
      label: t('portfolio.change'),
      isNumber: true,
      cell: ({ ratio }) => <Change ratio={ratio} />,
    },
  ];
  const state =
    profit.data !== undefined && rows === undefined
      ? ({ kind: 'empty', text: t('portfolio.noProfit') } as const)
      : stateOfList({ error: profit.error, data: rows }, t('portfolio.noProfit'));
  return (
    <Panel title={t('portfolio.profit')} state={state} onRetry={() => void profit.refetch()}>
      <p className="px-2 pb-1 text-label text-quiet">{t('portfolio.profitText')}</p>
      <Table
        caption={t('portfolio.profit')}
        columns={columns}
        rows={rows ?? []}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}

function Allocation({ holdings: { currency, rows, state } }: { holdings: Holdings }) {
  const { percent, preferences, t } = useLook();
  const columns: readonly Column<Holding>[] = [
    {
      key: 'coin',
      label: t('wallet.coin'),
      cell: ({ coin }) => (
        <span className="flex items-center gap-2.5 py-1">
          <CoinMark coin={coin} />
          {coin.toUpperCase()}
        </span>
      ),
    },
    {
      key: 'value',
      label: t('wallet.valueOf', { coin: currency.toUpperCase() }),
      isNumber: true,
      cell: ({ value }) => <Amount value={value} scale={2} isHidden={preferences.hidesBalances} />,
    },
    {
      key: 'share',
      label: t('wallet.share'),
      isNumber: true,
      cell: ({ share }) => (
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="flex h-1.5 w-16 overflow-hidden rounded bg-raised">
            <span className="bg-accent" style={{ flexGrow: share, flexBasis: 0 }} />
            <span style={{ flexGrow: 1 - share, flexBasis: 0 }} />
          </span>
          <bdi dir="ltr" className="w-12">
            {percent(String(share), { scale: 1 })}
          </bdi>
        </span>
      ),
    },
  ];
  const shown =
    state.kind === 'ready' ? stateOfList({ error: null, data: rows }, t('wallet.nothing')) : state;
  return (
    <Panel title={t('wallet.share')} state={shown}>
      <Table caption={t('wallet.share')} columns={columns} rows={rows} keyOf={({ coin }) => coin} />
    </Panel>
  );
}

function TradeExport() {
  const { t } = useLook();
  const [{ from, to }, setDates] = useState(() => lastMonth(new Date()));
  const save = useAct(async () => {
    const query = { start_date: from, end_date: nextDay(to) };
    const text = await exchange.csv('getUserTrades', query);
    saveFile(`rialto-trades-${from}-${to}.csv`, text, 'text/csv');
  });
  return (
    <Panel title={t('portfolio.export')} state={READY}>
      <p className="px-2 text-body text-quiet">{t('portfolio.exportText')}</p>
      <div className="flex flex-wrap items-end gap-2 p-2">
        <Field
          type="date"
          label={t('orders.from')}
          value={from}
          className="w-36"
          onChange={({ target }) => setDates({ from: target.value, to })}
        />
        <Field
          type="date"
          label={t('orders.to')}
          value={to}
          className="w-36"
          onChange={({ target }) => setDates({ from, to: target.value })}
        />
        <Button
          isBusy={save.isBusy}
          disabled={from === '' || to === '' || from > to}
          onClick={() => save.run()}
        >
          <Download size={14} aria-hidden="true" />
          {t('portfolio.csv')}
        </Button>
      </div>
      <Refusal error={save.error} isRepeatable />
    </Panel>
  );
}
