// Ledger: totals of each asset, and balances and postings of accounts, commands and frames, now or
// at any point in the log.

import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type {
  LedgerBalance,
  LedgerPosition,
  LedgerPosting,
  LedgerTotalsOfCurrency,
} from '../../../client/index.ts';
import { isZero } from '../../decimals/index.ts';
import {
  Amount,
  Button,
  type Column,
  Field,
  LOADING,
  Panel,
  READY,
  Select,
  stateOfError,
  stateOfList,
  Tabs,
  WideTable,
} from '../../ui/index.ts';
import { mayExport } from '../access.ts';
import { exchange } from '../exchange.ts';
import { type AsOf, asOfOf, asOfQuery, finality, postingsQuery } from '../ledger/as-of.ts';
import { ExportButton } from '../parts/export-button.tsx';
import { UserLink } from '../parts/links.tsx';
import { useParameters } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  const [{ as_of: text, view }, change] = useParameters();
  const asOf = asOfOf(text);
  const tabs = [
    { value: 'totals', label: t('ledger.totals'), content: <Totals asOf={asOf} /> },
    ...(may('readPostings')
      ? [{ value: 'postings', label: t('ledger.postings'), content: <Postings asOf={asOf} /> }]
      : []),
  ];
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.ledger')}</h1>
      <AsOfControl key={text ?? ''} asOf={asOf} onValue={(next) => change({ as_of: next })} />
      <div className="rounded bg-panel">
        <Tabs
          label={t('screen.ledger')}
          tabs={tabs}
          value={tabs.some(({ value }) => value === view) ? (view ?? 'totals') : 'totals'}
          onValue={(next) => change({ view: next })}
        />
      </div>
    </div>
  );
}

function AsOfControl({ asOf, onValue }: { asOf: AsOf; onValue(text: string): void }) {
  const { t, time } = useLook();
  const { data: now } = useQuery({
    queryKey: ['private', 'ledger', 'now'],
    queryFn: ({ signal }) => exchange.getLedgerTotals({}, { signal }),
  });
  const last = now?.position.frame;
  // A moment has a frame too: the last one before it.
  const { data: then } = useQuery({ ...totalsQuery(asOf), enabled: asOf.kind === 'time' });
  const [text, setText] = useState(
    asOf.kind === 'frame' ? String(asOf.frame) : asOf.kind === 'time' ? asOf.at : '',
  );
  const [slid, setSlid] = useState(asOf.kind === 'frame' ? asOf.frame : undefined);
  const shown = slid ?? (asOf.kind === 'time' ? then?.position.frame : undefined) ?? last;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onValue(text.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3 rounded bg-panel p-2">
      <Field
        className="w-64"
        label={t('ledger.asOf')}
        hint={t('ledger.asOfHint')}
        dir="ltr"
        placeholder={t('ledger.now')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {last !== undefined && last > 0 && (
        <label className="flex min-w-48 flex-1 flex-col gap-2 pb-5 text-label text-quiet">
          {t('ledger.frame')}: <bdi dir="ltr">{shown}</bdi>
          <input
            type="range"
            dir="ltr"
            min={1}
            max={last}
            value={shown}
            onChange={({ target }) => setSlid(Number(target.value))}
            onPointerUp={({ currentTarget }) => onValue(currentTarget.value)}
            onKeyUp={({ currentTarget }) => onValue(currentTarget.value)}
            className="w-full accent-accent"
          />
        </label>
      )}
      <div className="flex gap-2 pb-5">
        <Button type="submit" look="main">
          {t('ledger.show')}
        </Button>
        <Button disabled={asOf.kind === 'now'} onClick={() => onValue('')}>
          {t('ledger.now')}
        </Button>
      </div>
      <p className="w-full text-label text-quiet">
        {asOf.kind === 'now'
          ? t('ledger.isNow')
          : asOf.kind === 'frame'
            ? t('ledger.isFrame', { frame: asOf.frame })
            : t('ledger.isTime', { time: time(asOf.at, 'full') })}
      </p>
    </form>
  );
}

function PositionLine({ asOf, position }: { position: LedgerPosition; asOf: AsOf }) {
  const { t, time } = useLook();
  const kind = finality(position, asOf);
  return (
    <p role="status" className="border-b border-line px-2 py-1 text-label text-quiet">
      {t('ledger.position', { frame: position.frame, time: time(position.at, 'full') })} ·{' '}
      {t(`ledger.${kind}`)}
    </p>
  );
}

function totalsQuery(asOf: AsOf) {
  return queryOptions({
    queryKey: ['private', 'ledger', 'totals', asOf],
    queryFn: ({ signal }) => exchange.getLedgerTotals(asOfQuery(asOf), { signal }),
  });
}

function Totals({ asOf }: { asOf: AsOf }) {
  const { t } = useLook();
  const totals = useQuery(totalsQuery(asOf));
  const unit =
    (value: (row: LedgerTotalsOfCurrency) => string) => (row: LedgerTotalsOfCurrency) => (
      <Amount value={value(row)} />
    );
  const columns: Column<LedgerTotalsOfCurrency>[] = [
    {
      key: 'coin',
      label: t('users.coin'),
      cell: ({ currency }) => <bdi dir="ltr">{currency.toUpperCase()}</bdi>,
    },
    {
      key: 'available',
      label: t('ledger.usersAvailable'),
      isNumber: true,
      cell: unit((row) => row.users_available),
    },
    { key: 'held', label: t('ledger.usersHeld'), isNumber: true, cell: unit((r) => r.users_held) },
    { key: 'fees', label: t('ledger.fees'), isNumber: true, cell: unit((row) => row.fees) },
    {
      key: 'external',
      label: t('ledger.external'),
      isNumber: true,
      cell: unit((row) => row.external),
    },
    {
      key: 'sum',
      label: t('ledger.sum'),
      isNumber: true,
      cell: ({ total }) =>
        isZero(total) ? (
          <span className="text-up">✓ 0</span>
        ) : (
          <span className="font-semibold text-down">
            ✕ <Amount value={total} />
          </span>
        ),
    },
  ];
  return (
    <Panel
      title={t('ledger.totals')}
      isTitleHidden
      state={stateOfList({ error: totals.error, data: totals.data?.totals }, t('ledger.noTotals'))}
      onRetry={() => void totals.refetch()}
    >
      {totals.data !== undefined && <PositionLine asOf={asOf} position={totals.data.position} />}
      <WideTable
        caption={t('ledger.totals')}
        columns={columns}
        rows={totals.data?.totals ?? []}
        keyOf={({ currency }) => currency}
      />
    </Panel>
  );
}

const BY = ['user', 'fees', 'external', 'command', 'frame'] as const;

function Postings({ asOf }: { asOf: AsOf }) {
  const { t } = useLook();
  const operator = useOperator();
  const [parameters, change] = useParameters();
  const by = BY.find((one) => one === parameters.by) ?? 'user';
  const { currency = '', of = '' } = parameters;
  const [text, setText] = useState(of);
  const [coin, setCoin] = useState(currency);
  const chosen = postingsQuery(by, of);
  const query = chosen && {
    ...chosen,
    ...(currency !== '' && { currency }),
    ...(by !== 'command' && by !== 'frame' && asOfQuery(asOf)),
  };
  const isAccount = by === 'user' || by === 'fees' || by === 'external';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ of: text.trim(), currency: coin.trim().toLowerCase() });
  };
  return (
    <div className="flex flex-col gap-1">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2 p-2">
        <Select
          label={t('ledger.by')}
          value={by}
          onValue={(next) => change({ by: next, of: '' })}
          choices={BY.map((value) => ({ value, label: t(`ledger.by.${value}`) }))}
          className="w-48"
        />
        {by !== 'fees' && by !== 'external' && (
          <Field
            className="w-40"
            label={t('ledger.number')}
            inputMode="numeric"
            dir="ltr"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <Field
          className="w-28"
          label={t('users.coin')}
          dir="ltr"
          value={coin}
          onChange={({ target }) => setCoin(target.value)}
        />
        <Button type="submit" look="main">
          {t('ledger.show')}
        </Button>
        {query !== undefined && mayExport(operator, 'getLedgerPostings') && (
          <span className="ms-auto">
            <ExportButton name="postings" load={() => exchange.csv('getLedgerPostings', query)} />
          </span>
        )}
      </form>
      {query === undefined ? (
        <p className="p-4 text-body text-quiet">{t('ledger.choose')}</p>
      ) : (
        <>
          {isAccount && operator.may('readAccounts') && (
            <Balances query={{ ...chosen, ...asOfQuery(asOf) }} asOf={asOf} />
          )}
          <PostingList query={query} />
        </>
      )}
    </div>
  );
}

function Balances({ asOf, query }: { query: object; asOf: AsOf }) {
  const { t } = useLook();
  const balances = useQuery({
    queryKey: ['private', 'ledger', 'balances', query],
    queryFn: ({ signal }) => exchange.getLedgerBalances(query, { signal }),
  });
  const { data } = balances;
  const columns: Column<LedgerBalance>[] = [
    {
      key: 'coin',
      label: t('users.coin'),
      cell: ({ currency }) => <bdi dir="ltr">{currency.toUpperCase()}</bdi>,
    },
    ...(['total', 'available', 'held'] as const).map((part) => ({
      key: part,
      label: t(`users.${part}`),
      isNumber: true,
      cell: (row: LedgerBalance) => <Amount value={row[part]} unit={row.currency} />,
    })),
  ];
  const state =
    balances.error !== null ? stateOfError(balances.error) : data === undefined ? LOADING : READY;
  return (
    <Panel title={t('users.balances')} state={state} skeletonRows={2}>
      {data !== undefined && <PositionLine asOf={asOf} position={data.position} />}
      <WideTable
        caption={t('users.balances')}
        columns={columns}
        rows={data?.balances ?? []}
        keyOf={({ currency }) => currency}
      />
    </Panel>
  );
}

function PostingList({ query }: { query: object }) {
  const { t } = useLook();
  const columns = usePostingColumns();
  const pages = useInfiniteQuery({
    queryKey: ['private', 'ledger', 'postings', query],
    queryFn: ({ pageParam, signal }) =>
      exchange.getLedgerPostings(
        { ...query, limit: 50, ...(pageParam !== null && { before: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }) => before,
  });
  const rows = pages.data?.pages.flatMap(({ data }) => data);
  return (
    <Panel
      title={t('ledger.postings')}
      state={stateOfList({ error: pages.error, data: rows }, t('ledger.noPostings'))}
      onRetry={() => void pages.refetch()}
    >
      <WideTable
        caption={t('ledger.postings')}
        columns={columns}
        rows={rows ?? []}
        keyOf={(row) => `${row.frame} ${row.event_index} ${row.posting_index}`}
      />
      {pages.hasNextPage && (
        <Button
          className="m-2"
          isBusy={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {t('console.more')}
        </Button>
      )}
    </Panel>
  );
}

function usePostingColumns(): Column<LedgerPosting>[] {
  const { t, time } = useLook();
  const nameOf = useNames();
  return [
    { key: 'at', label: t('overview.when'), cell: ({ at }) => time(at, 'full') },
    { key: 'frame', label: t('ledger.frame'), isNumber: true, cell: ({ frame }) => frame },
    {
      key: 'command',
      label: t('ledger.command'),
      isNumber: true,
      cell: ({ command }) => command ?? '–',
    },
    {
      key: 'account',
      label: t('ledger.account'),
      cell: ({ account, user_id: user }) =>
        user === null ? t(`ledger.by.${account}`) : <UserLink id={user} />,
    },
    {
      key: 'available',
      label: t('users.available'),
      isNumber: true,
      cell: (row) => <Moved value={row.available_change} unit={row.currency} />,
    },
    {
      key: 'held',
      label: t('users.held'),
      isNumber: true,
      cell: (row) => <Moved value={row.held_change} unit={row.currency} />,
    },
    {
      key: 'after',
      label: t('ledger.after'),
      isNumber: true,
      isExtra: true,
      cell: ({ available, currency }) => <Amount value={available} unit={currency} />,
    },
    {
      key: 'cause',
      label: t('ledger.cause'),
      cell: ({ cause, cause_id: id }) => (
        <bdi title={cause}>{`${nameOf('ledgerCause', cause)} ${id}`}</bdi>
      ),
    },
  ];
}

function Moved({ unit, value }: { value: string; unit: string }) {
  if (isZero(value)) return <span className="text-quiet">–</span>;
  const isDown = value.startsWith('-');
  return (
    <span className={isDown ? 'text-down' : 'text-up'}>
      <bdi dir="ltr">
        {isDown ? '' : '+'}
        <Amount value={value} unit={unit} />
      </bdi>
    </span>
  );
}
