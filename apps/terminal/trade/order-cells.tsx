// Parts that the order lists share: a scrolling area, side, kind, price and market of an order.

import type { ReactNode } from 'react';
import type { Order } from '../../../client/index.ts';
import { isZero } from '../../decimals/index.ts';
import { Amount, marketName, useLook } from '../../ui/index.ts';
import { kindOf } from './order-words.ts';

/** Rows in a scrolling area that is reachable by keyboard. */
export function Scroll({ children, label }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area needs the keyboard.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
    >
      {children}
    </section>
  );
}

export function SideWord({ side }: { side: 'buy' | 'sell' }) {
  const { t } = useLook();
  return <span className={side === 'buy' ? 'text-up' : 'text-down'}>{t(`trade.${side}`)}</span>;
}

interface ShownOrder {
  readonly type: 'limit' | 'market';
  readonly price: string | null;
  readonly stop: string | null;
  readonly trigger?: Order['trigger'];
  readonly linked_order_id?: Order['linked_order_id'];
  readonly expires_at?: Order['expires_at'];
}

/** The kind, whether it is linked to another order, and when it expires. */
export function KindWord({ order }: { order: ShownOrder }) {
  const { t, time } = useLook();
  return (
    <span>
      {t(`trade.kind.${kindOf(order)}`)}
      {order.linked_order_id !== undefined && ' · OCO'}
      {order.expires_at !== undefined && (
        <span className="block text-label text-quiet">
          {t('trade.until', { time: time(order.expires_at, 'short') })}
        </span>
      )}
    </span>
  );
}

/** The price, after the trigger price of a stop. An order without a price trades at the market. */
export function OrderPrice({ order, scale }: { order: ShownOrder; scale?: number | undefined }) {
  const { t } = useLook();
  const { price, stop, type } = order;
  const isMarket = type === 'market' || price === null || isZero(price);
  const own = isMarket ? t('trade.atMarket') : <Amount value={price} scale={scale} />;
  if (stop === null) return own;
  return (
    <span>
      <span className="sr-only">{t('trade.trigger')} </span>
      <Amount value={stop} scale={scale} />
      <span className="mx-1 inline-block text-quiet rtl:-scale-x-100">→</span>
      {own}
    </span>
  );
}

export function PairText({ symbol }: { symbol: string }) {
  return <bdi dir="ltr">{marketName(symbol)}</bdi>;
}
