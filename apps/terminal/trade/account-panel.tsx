// The user's part of the trade screen: open orders, history, fills and balances, below the orders
// with lost responses.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { compare, isZero, subtract } from '../../decimals/index.ts';
import {
  Amount,
  type Column,
  LOADING,
  Panel,
  type PanelState,
  READY,
  stateOfList,
  Table,
  Tabs,
  useCell,
  useLook,
} from '../../ui/index.ts';
import type { AccountOrder } from '../account-state.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { OpenOrders } from './open-orders.tsx';
import { KindWord, OrderPrice, PairText, Scroll, SideWord } from './order-cells.tsx';
import { PendingLane } from './pending-lane.tsx';
import { useMarketScales } from './use-market-scales.ts';
import type { OrderActs } from './use-order-acts.ts';

type AccountTab = 'open' | 'history' | 'fills' | 'balances';

export function AccountPanel({
  acts,
  className = '',
  stale,
  symbol,
}: {
  acts: OrderActs;
  symbol: string;
  stale: PanelState | undefined;
  className?: string;
}) {
  const { t } = useLook();
  const { account: cell, user } = useSession();
  const account = useCell(cell);
  const [tab, setTab] = useState<AccountTab>('open');
  const state: PanelState =
    user === null
      ? { kind: 'forbidden', needs: 'session' }
      : account.isKnown
        ? (stale ?? READY)
        : LOADING;
  return (
    <Panel
      title={t('trade.account')}
      isTitleHidden
      state={state}
      className={className}
      signIn={
        <Link to="/sign-in" className="text-accent hover:underline">
          {t('shell.signIn')}
        </Link>
      }
    >
      <PendingLane lane={acts} />
      <Tabs
        label={t('trade.account')}
        value={tab}
        onValue={setTab}
        className="flex-1"
        tabs={[
          {
            value: 'open',
            label: `${t('trade.openOrders')} ${account.open.length || ''}`,
            content: <OpenOrders acts={acts} orders={account.open} symbol={symbol} />,
          },
          { value: 'history', label: t('trade.history'), content: <History /> },
          { value: 'fills', label: t('trade.fills'), content: <Fills /> },
          { value: 'balances', label: t('trade.balances'), content: <Balances /> },
        ]}
      />
    </Panel>
  );
}

function History() {
  const { t, time } = useLook();
  const scaleOf = useMarketScales();
  const { account, user } = useSession();
  const { closed } = useCell(account);
  // A closed order changes the first page of the history.
  const query = useQuery({
    queryKey: ['private', 'history', user?.id, closed[0]?.id],
    queryFn: ({ signal }) => exchange.getOrders({ open: false, limit: 50 }, { signal }),
    placeholderData: (before) => before,
  });
  const columns: Column<AccountOrder>[] = [
    { key: 'time', label: t('trade.time'), cell: (order) => time(order.created_at, 'seconds') },
    { key: 'pair', label: t('shell.pair'), cell: ({ symbol }) => <PairText symbol={symbol} /> },
    { key: 'side', label: t('trade.side'), cell: ({ side }) => <SideWord side={side} /> },
    { key: 'type', label: t('trade.orderType'), cell: (order) => <KindWord order={order} /> },
    {
      key: 'price',
      label: t('trade.price'),
      isNumber: true,
      cell: (order) => <OrderPrice order={order} scale={scaleOf(order.symbol).price} />,
    },
    {
      key: 'average',
      label: t('trade.average'),
      isNumber: true,
      isExtra: true,
      cell: ({ average, symbol }) =>
        isZero(average) ? '–' : <Amount value={average} scale={scaleOf(symbol).price} />,
    },
    {
      key: 'filled',
      label: `${t('trade.filled')} / ${t('trade.size')}`,
      isNumber: true,
      cell: ({ filled, size, symbol }) => (
        <>
          <Amount value={filled} scale={scaleOf(symbol).size} /> /{' '}
          <Amount value={size} scale={scaleOf(symbol).size} />
        </>
      ),
    },
    {
      key: 'status',
      label: t('trade.status'),
      isNumber: true,
      cell: ({ status }) => t(`trade.state.${status}`),
    },
  ];
  const list = { error: query.error, data: query.data?.data };
  return (
    <Panel
      title={t('trade.history')}
      isTitleHidden
      state={stateOfList(list, t('trade.noHistory'))}
      onRetry={() => void query.refetch()}
      className="flex-1"
    >
      <Scroll label={t('trade.history')}>
        <Table
          caption={t('trade.history')}
          columns={columns}
          rows={(query.data?.data ?? []) as AccountOrder[]}
          keyOf={({ id }) => id}
        />
      </Scroll>
    </Panel>
  );
}

function Fills() {
  const { t, time } = useLook();
  const scaleOf = useMarketScales();
  const { fills } = useCell(useSession().account);
  const state: PanelState =
    fills.length === 0 ? { kind: 'empty', text: t('trade.noFills') } : READY;
  const rows = fills.map((fill, at) => ({
    ...fill,
    key: `${fill.timestamp} ${fill.order_id} ${at}`,
  }));
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'time', label: t('trade.time'), cell: (fill) => time(fill.timestamp, 'seconds') },
    { key: 'pair', label: t('shell.pair'), cell: ({ symbol }) => <PairText symbol={symbol} /> },
    { key: 'side', label: t('trade.side'), cell: ({ side }) => <SideWord side={side} /> },
    {
      key: 'price',
      label: t('trade.price'),
      isNumber: true,
      cell: ({ price, symbol }) => <Amount value={price} scale={scaleOf(symbol).price} />,
    },
    {
      key: 'size',
      label: t('trade.size'),
      isNumber: true,
      cell: ({ size, symbol }) => <Amount value={size} scale={scaleOf(symbol).size} />,
    },
    {
      key: 'fee',
      label: t('trade.fee'),
      isNumber: true,
      cell: ({ fee, fee_coin }) => <Amount value={fee} unit={fee_coin} />,
    },
  ];
  return (
    <Panel title={t('trade.fills')} isTitleHidden state={state} className="flex-1">
      <Scroll label={t('trade.fills')}>
        <Table caption={t('trade.fills')} columns={columns} rows={rows} keyOf={({ key }) => key} />
      </Scroll>
    </Panel>
  );
}

function Balances() {
  const { preferences, t } = useLook();
  const { balances } = useCell(useSession().account);
  const rows = [...balances]
    .map(([coin, balance]) => ({ coin, ...balance }))
    .filter(({ total }) => compare(total, '0') !== 0);
  const state: PanelState =
    rows.length === 0 ? { kind: 'empty', text: t('trade.noBalances') } : READY;
  const amount = (value: string) => <Amount value={value} isHidden={preferences.hidesBalances} />;
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'coin', label: t('trade.coin'), cell: ({ coin }) => coin.toUpperCase() },
    {
      key: 'available',
      label: t('trade.available'),
      isNumber: true,
      cell: ({ available }) => amount(available),
    },
    {
      key: 'held',
      label: t('trade.held'),
      isNumber: true,
      cell: ({ available, total }) => amount(subtract(total, available)),
    },
    { key: 'total', label: t('trade.total'), isNumber: true, cell: ({ total }) => amount(total) },
  ];
  return (
    <Panel title={t('trade.balances')} isTitleHidden state={state} className="flex-1">
      <Scroll label={t('trade.balances')}>
        <Table
          caption={t('trade.balances')}
          columns={columns}
          rows={rows}
          keyOf={({ coin }) => coin}
        />
      </Scroll>
    </Panel>
  );
}
