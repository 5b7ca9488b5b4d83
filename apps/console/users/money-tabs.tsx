// A user's balances, orders and transfers.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  DepositOrWithdrawalOfUser,
  OrderOfUser,
  WalletOfUser,
} from '../../../client/index.ts';
import {
  Amount,
  Button,
  type Column,
  Panel,
  Segments,
  stateOfList,
  WideTable,
} from '../../ui/index.ts';
import { mayCall } from '../access.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { useOperator } from '../session.tsx';
import { transferState } from '../transfers/transfer-state.ts';
import { useLook } from '../use-words.ts';
import { useOrderColumns } from './order-columns.tsx';
import { type BalanceRow, balanceRows, isAtMarket } from './user-view.ts';

export function BalancesTab({ user }: { user: number }) {
  const { t } = useLook();
  const operator = useOperator();
  const balance = useQuery({
    queryKey: ['private', 'balance of', user],
    queryFn: ({ signal }) => exchange.getBalanceOfUser({ user_id: user }, { signal }),
  });
  const rows = balance.data && balanceRows(balance.data);
  const columns: Column<BalanceRow>[] = [
    {
      key: 'coin',
      label: t('users.coin'),
      cell: ({ currency }) => <bdi dir="ltr">{currency.toUpperCase()}</bdi>,
    },
    ...(['total', 'available', 'held'] as const).map((part) => ({
      key: part,
      label: t(`users.${part}`),
      isNumber: true,
      cell: (row: BalanceRow) => <Amount value={row[part]} unit={row.currency} />,
    })),
  ];
  return (
    <Panel
      title={t('users.balances')}
      after={
        mayCall(operator, 'getLedgerPostings') && (
          <Link
            to="/ledger"
            search={{ by: 'user', of: String(user), view: 'postings' } as never}
            className="text-body text-accent hover:underline"
          >
            {t('users.toLedger')}
          </Link>
        )
      }
      state={stateOfList({ error: balance.error, data: rows }, t('users.noBalance'))}
      onRetry={() => void balance.refetch()}
    >
      <WideTable
        caption={t('users.balances')}
        columns={columns}
        rows={rows ?? []}
        keyOf={({ currency }) => currency}
      />
    </Panel>
  );
}

export function OrdersTab({ user }: { user: number }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [which, setWhich] = useState<'open' | 'all'>('open');
  const [canceled, setCanceled] = useState<OrderOfUser>();
  const columns = useOrderColumns();
  const acts: Column<OrderOfUser>[] = may('cancelOrder')
    ? [
        {
          key: 'act',
          label: <span className="sr-only">{t('users.acts')}</span>,
          cell: (order) =>
            (order.status === 'new' || order.status === 'pfilled') && (
              <Button size="small" look="danger" onClick={() => setCanceled(order)}>
                {t('users.cancelOrder')}
              </Button>
            ),
        },
      ]
    : [];
  return (
    <>
      <PagedPanel
        title={t('users.orders')}
        queryKey={['orders of', user, which]}
        load={(page, signal) =>
          exchange.getOrdersOfUsers(
            { user_id: user, ...page, ...(which === 'open' && { open: true }) },
            { signal },
          )
        }
        columns={[...columns, ...acts]}
        keyOf={({ id }) => id}
        emptyText={t('users.noOrders')}
        after={
          <Segments
            label={t('users.orders')}
            value={which}
            onValue={setWhich}
            choices={[
              { value: 'open', label: t('users.openOrders') },
              { value: 'all', label: t('console.all') },
            ]}
          />
        }
      />
      {canceled !== undefined && (
        <CancelOrder order={canceled} user={user} onClose={() => setCanceled(undefined)} />
      )}
    </>
  );
}

function CancelOrder({
  onClose,
  order,
  user,
}: {
  order: OrderOfUser;
  user: number;
  onClose(): void;
}) {
  const { number, t } = useLook();
  const [base, quote] = order.symbol.toUpperCase().split('-');
  return (
    <ActDialog
      title={t('users.cancelOrder')}
      submit={t('users.cancelOrder')}
      isDanger
      act={() => exchange.cancelOrderOfUser({ order_id: order.id, user_id: user })}
      onClose={onClose}
    >
      <p className="text-value">
        {t('users.cancelText', {
          side: t(order.side === 'buy' ? 'users.buy' : 'users.sell'),
          size: `${number(order.size)} ${base}`,
          price: isAtMarket(order) ? t('users.atMarket') : `${number(order.price ?? '0')} ${quote}`,
          filled: `${number(order.filled)} ${base}`,
          user,
        })}
      </p>
    </ActDialog>
  );
}

export function TransfersTab({ user }: { user: number }) {
  const { t } = useLook();
  const { may } = useOperator();
  return (
    <div className="flex flex-col gap-1">
      {may('readDeposits') && (
        <TransferList
          title={t('screen.deposits')}
          kind="deposits"
          user={user}
          load={(page, signal) =>
            exchange.getDepositsOfUsers({ user_id: user, ...page }, { signal })
          }
        />
      )}
      {may('readWithdrawals') && (
        <TransferList
          title={t('screen.withdrawals')}
          kind="withdrawals"
          user={user}
          load={(page, signal) =>
            exchange.getWithdrawalsOfUsers({ user_id: user, ...page }, { signal })
          }
        />
      )}
      {may('readWallets') && <WalletList user={user} />}
    </div>
  );
}

function TransferList({
  kind,
  load,
  title,
  user,
}: {
  title: string;
  kind: 'deposits' | 'withdrawals';
  user: number;
  load: Parameters<typeof PagedPanel<DepositOrWithdrawalOfUser>>[0]['load'];
}) {
  const { t, time } = useLook();
  const columns: Column<DepositOrWithdrawalOfUser>[] = [
    {
      key: 'id',
      label: t('users.number'),
      cell: ({ id }) => (
        <Link
          to={`/${kind}`}
          search={{ id: String(id) } as never}
          className="text-accent hover:underline"
        >
          {id}
        </Link>
      ),
    },
    { key: 'at', label: t('overview.when'), cell: ({ created_at: at }) => time(at, 'short') },
    {
      key: 'amount',
      label: t('users.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => <Amount value={amount} unit={currency} />,
    },
    {
      key: 'state',
      label: t('users.state'),
      cell: (transfer) => t(`transfer.${transferState(transfer)}`),
    },
    {
      key: 'transaction',
      label: t('users.transaction'),
      isExtra: true,
      cell: ({ transaction_id: id }) => (
        <bdi dir="ltr" className="block max-w-48 truncate" title={id}>
          {id}
        </bdi>
      ),
    },
    {
      key: 'address',
      label: t('users.address'),
      isExtra: true,
      cell: ({ address }) => (
        <bdi dir="ltr" className="block max-w-48 truncate" title={address ?? undefined}>
          {address ?? '–'}
        </bdi>
      ),
    },
  ];
  return (
    <PagedPanel
      title={title}
      queryKey={[kind, 'of', user]}
      load={load}
      columns={columns}
      keyOf={({ id }) => String(id)}
      emptyText={t('users.noTransfers')}
    />
  );
}

function WalletList({ user }: { user: number }) {
  const { t, time } = useLook();
  const columns: Column<WalletOfUser>[] = [
    {
      key: 'coin',
      label: t('users.coin'),
      cell: ({ currency }) => <bdi dir="ltr">{currency.toUpperCase()}</bdi>,
    },
    { key: 'network', label: t('users.network'), cell: ({ network }) => network ?? '–' },
    {
      key: 'address',
      label: t('users.address'),
      cell: ({ address }) => <bdi dir="ltr">{address}</bdi>,
    },
    { key: 'since', label: t('users.since'), cell: ({ created_at: at }) => time(at, 'short') },
  ];
  return (
    <PagedPanel
      title={t('users.wallets')}
      queryKey={['wallets of', user]}
      load={(page, signal) => exchange.getWalletsOfUsers({ user_id: user, ...page }, { signal })}
      columns={columns}
      keyOf={({ address, currency, network }) => `${currency} ${network} ${address}`}
      emptyText={t('users.noWallets')}
    />
  );
}
