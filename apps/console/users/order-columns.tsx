// Columns of order lists: a stop shows its kind, and its trigger price before its limit or the
// market.

import type { OrderOfUser } from '../../../client/index.ts';
import { Amount, type Column, marketName } from '../../ui/index.ts';
import { Named } from '../parts/named.tsx';
import { useLook, useNames } from '../use-words.ts';
import { isAtMarket, orderKind, type PricedOrder } from './user-view.ts';

export function useOrderColumns(): Column<OrderOfUser>[] {
  const { t, time } = useLook();
  const nameOf = useNames();
  return [
    { key: 'at', label: t('overview.when'), cell: ({ created_at: at }) => time(at, 'short') },
    {
      key: 'market',
      label: t('overview.market'),
      cell: ({ symbol }) => <bdi dir="ltr">{marketName(symbol)}</bdi>,
    },
    {
      key: 'side',
      label: t('users.side'),
      cell: ({ side }) => (
        <span className={side === 'buy' ? 'text-up' : 'text-down'}>
          {side === 'buy' ? '▲ ' : '▼ '}
          {t(side === 'buy' ? 'users.buy' : 'users.sell')}
        </span>
      ),
    },
    {
      key: 'type',
      label: t('users.type'),
      cell: (order) => <Named area="orderType" name={orderKind(order)} />,
    },
    {
      key: 'price',
      label: t('users.price'),
      isNumber: true,
      cell: (order) => <OrderPrice order={order} />,
    },
    {
      key: 'size',
      label: t('users.size'),
      isNumber: true,
      cell: ({ size, symbol }) => <Amount value={size} unit={symbol.split('-')[0]} />,
    },
    {
      key: 'filled',
      label: t('users.filled'),
      isNumber: true,
      cell: ({ filled }) => <Amount value={filled} />,
    },
    {
      key: 'status',
      label: t('users.state'),
      cell: ({ close_reason: reason, status }) => (
        <bdi title={reason === undefined ? status : nameOf('closeReason', reason)}>
          {nameOf('orderStatus', status)}
        </bdi>
      ),
    },
  ];
}

function OrderPrice({ order }: { order: PricedOrder & { readonly symbol: string } }) {
  const { t } = useLook();
  const unit = order.symbol.split('-')[1];
  const own = isAtMarket(order) ? t('users.atMarket') : <Amount value={order.price} unit={unit} />;
  if (order.stop === null) return own;
  return (
    <span>
      <span className="text-quiet">{t('users.trigger')} </span>
      <Amount value={order.stop} unit={unit} />
      <span className="mx-1 inline-block text-quiet rtl:-scale-x-100">→</span>
      {own}
    </span>
  );
}
