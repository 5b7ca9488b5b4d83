// Price of an order: the trigger price of a stop first, then its limit or the market.

import { Amount } from '../../ui/index.ts';
import { useLook } from '../use-words.ts';
import { isAtMarket, type PricedOrder } from './user-view.ts';

export function OrderPrice({ order }: { order: PricedOrder & { readonly symbol: string } }) {
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
