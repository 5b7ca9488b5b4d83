// Orders and trades of all users, with filters, the number of rows, and the list as a file.

import { useQuery } from '@tanstack/react-query';
import type {
  GetOrdersOfUsersQuery,
  GetTradesOfUsersQuery,
  OperatorTrade,
} from '../../../client/index.ts';
import { Amount, type Column, Field, marketName, Select, Tabs } from '../../ui/index.ts';
import { mayExport } from '../access.ts';
import { isDayRange, rangeOf } from '../activity/day-range.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { ExportButton } from '../parts/export-button.tsx';
import { UserLink } from '../parts/links.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { idOf, useParameters } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { useOrderColumns } from '../users/order-columns.tsx';

const STATUSES = ['all', 'open', 'filled', 'canceled'] as const;
const SIDES = ['all', 'buy', 'sell'] as const;

export function Screen() {
  const { t } = useLook();
  const [{ view = 'orders' }, change] = useParameters();
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.activity')}</h1>
      <div className="rounded bg-panel">
        <Tabs
          label={t('screen.activity')}
          tabs={[
            { value: 'orders', label: t('users.orders'), content: <Orders /> },
            { value: 'trades', label: t('activity.trades'), content: <Trades /> },
          ]}
          value={view === 'trades' ? 'trades' : 'orders'}
          onValue={(next) => change({ view: next })}
        />
      </div>
    </div>
  );
}

interface Filters {
  readonly user_id?: number;
  readonly symbol?: string;
  readonly side?: 'buy' | 'sell';
  readonly start_date?: string;
  readonly end_date?: string;
}

/** Filters that both lists have, from the URL. */
function useFilters(): Filters {
  const [{ from = '', side, symbol = '', to = '', user }] = useParameters();
  const userId = idOf(user);
  return {
    ...(userId !== undefined && { user_id: userId }),
    ...(symbol !== '' && { symbol }),
    ...((side === 'buy' || side === 'sell') && { side }),
    ...(isDayRange(from, to) && rangeOf(from, to)),
  };
}

function FilterFields() {
  const { t } = useLook();
  const [{ from = '', side = 'all', symbol = '', to = '', user = '' }, change] = useParameters();
  const { data: constants } = useQuery(constantsQuery);
  const markets = Object.keys(constants?.pairs ?? {}).toSorted();
  const isValid = isDayRange(from, to);
  return (
    <>
      <Select
        label={t('overview.market')}
        value={symbol === '' ? 'all' : symbol}
        onValue={(next) => change({ symbol: next === 'all' ? '' : next })}
        choices={[
          { value: 'all', label: t('console.all') },
          ...markets.map((value) => ({ value, label: marketName(value) })),
        ]}
        className="w-36"
      />
      <Select
        label={t('users.side')}
        value={SIDES.find((one) => one === side) ?? 'all'}
        onValue={(next) => change({ side: next === 'all' ? '' : next })}
        choices={SIDES.map((value) => ({
          value,
          label: t(value === 'all' ? 'console.all' : `users.${value}`),
        }))}
        className="w-28"
      />
      <Field
        label={t('deposits.userNumber')}
        dir="ltr"
        inputMode="numeric"
        className="w-28"
        value={user}
        onChange={({ target }) => change({ user: target.value.trim() })}
      />
      <Field
        label={t('activity.from')}
        type="date"
        className="w-40"
        value={from}
        error={isValid ? undefined : t('activity.badRange')}
        onChange={({ target }) => change({ from: target.value })}
      />
      <Field
        label={t('activity.to')}
        type="date"
        className="w-40"
        value={to}
        onChange={({ target }) => change({ to: target.value })}
      />
    </>
  );
}

function Orders() {
  const { t } = useLook();
  const operator = useOperator();
  const [{ status: asked }, change] = useParameters();
  const status = STATUSES.find((one) => one === asked) ?? 'all';
  const query: GetOrdersOfUsersQuery = {
    ...useFilters(),
    ...(status !== 'all' && { status }),
  };
  const columns = useOrderColumns();
  return (
    <PagedPanel
      title={t('users.orders')}
      queryKey={['activity', 'orders', query]}
      load={(page, signal) => exchange.getOrdersOfUsers({ ...query, ...page }, { signal })}
      columns={[
        { key: 'user', label: t('users.user'), cell: (one) => <UserLink id={one.created_by} /> },
        ...columns,
      ]}
      keyOf={({ id }) => id}
      emptyText={t('users.noOrders')}
      filters={
        <>
          <Select
            label={t('users.state')}
            value={status}
            onValue={(next) => change({ status: next === 'all' ? '' : next })}
            choices={STATUSES.map((value) => ({
              value,
              label: t(value === 'all' ? 'console.all' : `activity.${value}`),
            }))}
            className="w-32"
          />
          <FilterFields />
        </>
      }
      after={
        mayExport(operator, 'getOrdersOfUsers') && (
          <ExportButton name="orders" load={() => exchange.csv('getOrdersOfUsers', query)} />
        )
      }
    />
  );
}

function Trades() {
  const { t, time } = useLook();
  const operator = useOperator();
  const query: GetTradesOfUsersQuery = useFilters();
  const columns: Column<OperatorTrade>[] = [
    { key: 'at', label: t('overview.when'), cell: ({ timestamp: at }) => time(at, 'short') },
    {
      key: 'market',
      label: t('overview.market'),
      cell: ({ symbol }) => <bdi dir="ltr">{marketName(symbol)}</bdi>,
    },
    {
      key: 'side',
      label: t('activity.takerSide'),
      cell: ({ side }) => (
        <span className={side === 'buy' ? 'text-up' : 'text-down'}>
          {side === 'buy' ? '▲ ' : '▼ '}
          {t(side === 'buy' ? 'users.buy' : 'users.sell')}
        </span>
      ),
    },
    {
      key: 'price',
      label: t('users.price'),
      isNumber: true,
      cell: ({ price, symbol }) => <Amount value={price} unit={symbol.split('-')[1]} />,
    },
    {
      key: 'size',
      label: t('users.size'),
      isNumber: true,
      cell: ({ size, symbol }) => <Amount value={size} unit={symbol.split('-')[0]} />,
    },
    { key: 'maker', label: t('fees.maker'), cell: (one) => <UserLink id={one.maker_id} /> },
    {
      key: 'makerFee',
      label: t('activity.makerFee'),
      isNumber: true,
      isExtra: true,
      cell: (one) => <Amount value={one.maker_fee} unit={one.maker_fee_coin} />,
    },
    { key: 'taker', label: t('fees.taker'), cell: (one) => <UserLink id={one.taker_id} /> },
    {
      key: 'takerFee',
      label: t('activity.takerFee'),
      isNumber: true,
      isExtra: true,
      cell: (one) => <Amount value={one.taker_fee} unit={one.taker_fee_coin} />,
    },
  ];
  return (
    <PagedPanel
      title={t('activity.trades')}
      queryKey={['activity', 'trades', query]}
      load={(page, signal) => exchange.getTradesOfUsers({ ...query, ...page }, { signal })}
      columns={columns}
      keyOf={(one) => `${one.timestamp} ${one.taker_order_id} ${one.maker_order_id} ${one.size}`}
      emptyText={t('overview.noTrades')}
      filters={<FilterFields />}
      after={
        mayExport(operator, 'getTradesOfUsers') && (
          <ExportButton name="trades" load={() => exchange.csv('getTradesOfUsers', query)} />
        )
      }
    />
  );
}
