// Sends, amends and cancels orders, and reports each outcome once. An order whose response was lost
// becomes a pending order, which is looked up and never sent again.

import { useCallback } from 'react';
import { type OrderIn, RialtoError } from '../../../client/index.ts';
import { showToast, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import type { PendingOrder } from './pending-orders.ts';
import { usePending } from './use-pending.ts';

type NamedOrder = OrderIn & { readonly client_order_id: string };

/** Other clients match the text of this refusal, so the exchange cannot word it better. */
const POST_ONLY_WOULD_TRADE = 2114;

export interface OrderActs {
  readonly pending: readonly PendingOrder[];
  /**
   * Resolves to whether the exchange has accepted the order. A stop is then linked to it: the first
   * of the two that trades cancels the other.
   */
  send(order: NamedOrder, words: string, stop?: NamedOrder): Promise<boolean>;
  amend(id: string, change: { price?: string; size?: string }): Promise<boolean>;
  cancel(id: string): Promise<void>;
  cancelAll(symbol?: string): Promise<void>;
  /** Removes a settled pending order. */
  dismiss(clientOrderId: string): void;
}

export function useOrderActs(): OrderActs {
  const { t } = useLook();
  const { add, dismiss, pending } = usePending();

  const report = useCallback(
    (error: unknown, words: string) => {
      if (error instanceof RialtoError && error.isOutcomeUnknown) {
        showToast('unknown', t('trade.outcomeUnknown'), words);
      } else {
        const isPostOnly = error instanceof RialtoError && error.code === POST_ONLY_WOULD_TRADE;
        const text = error instanceof Error ? error.message : String(error);
        showToast('refused', isPostOnly ? t('refusal.postOnly') : text, words);
      }
    },
    [t],
  );
  const attempt = useCallback(
    async (act: () => Promise<unknown>, words: string, done: string): Promise<boolean> => {
      try {
        await act();
        showToast('done', done, words);
        return true;
      } catch (error) {
        report(error, words);
        return false;
      }
    },
    [report],
  );
  const send: OrderActs['send'] = useCallback(
    async (order, words, stop) => {
      try {
        const { id } = await exchange.createOrder(order);
        showToast('done', t('trade.accepted'), words);
        if (stop !== undefined && id !== undefined) {
          const link = () => exchange.createOrder({ ...stop, linked_order_id: id });
          await attempt(link, t('trade.linkedStop'), t('trade.accepted'));
        }
        return true;
      } catch (error) {
        report(error, words);
        if (!(error instanceof RialtoError) || !error.isOutcomeUnknown) return false;
        add({ clientOrderId: order.client_order_id, words });
        return true;
      }
    },
    [add, attempt, report, t],
  );
  return {
    pending,
    send,
    amend: (id, change) =>
      attempt(
        () => exchange.amendOrder({ order_id: id, ...change }),
        Object.values(change).join(' · '),
        t('trade.amended'),
      ),
    cancel: async (id) => {
      await attempt(() => exchange.cancelOrder({ order_id: id }), '', t('trade.cancelled'));
    },
    cancelAll: async (symbol) => {
      const act = () =>
        symbol === undefined
          ? exchange.cancelAllOrders()
          : exchange.cancelOrdersOfMarket({ symbol });
      await attempt(act, '', t('trade.cancelledAll'));
    },
    dismiss,
  };
}
