// Sends, amends and cancels orders, and reports each outcome once. An order whose answer is lost
// goes to the lane of pending orders, where it is looked up and never sent again.

import { useCallback, useEffect, useRef, useState } from 'react';
import { type OrderIn, RialtoError } from '../../../client/index.ts';
import { showToast, useCell, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import {
  afterLookUp,
  afterStream,
  LOOK_UP_EVERY_MS,
  type LookUp,
  type PendingOrder,
} from './pending-orders.ts';

export interface OrderActs {
  readonly pending: readonly PendingOrder[];
  /** Resolves to whether the exchange has accepted it. */
  send(order: OrderIn & { client_order_id: string }, words: string): Promise<boolean>;
  amend(id: string, change: { price?: string; size?: string }): Promise<boolean>;
  cancel(id: string): Promise<void>;
  cancelAll(symbol?: string): Promise<void>;
  /** Removes a settled entry of the lane. */
  dismiss(clientOrderId: string): void;
}

export function useOrderActs(): OrderActs {
  const { t } = useLook();
  const account = useCell(useSession().account);
  const [pending, setPending] = useState<readonly PendingOrder[]>([]);
  useEffect(() => {
    setPending((now) => afterStream(now, [...account.open, ...account.closed]));
  }, [account]);
  useLookUps(pending, setPending);

  const report = useCallback(
    (error: unknown, words: string) => {
      if (error instanceof RialtoError && error.isOutcomeUnknown) {
        showToast('unknown', t('trade.outcomeUnknown'), words);
      } else {
        showToast('refused', error instanceof Error ? error.message : String(error), words);
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
    async (order, words) => {
      try {
        await exchange.createOrder(order);
        showToast('done', t('trade.accepted'), words);
        return true;
      } catch (error) {
        report(error, words);
        if (!(error instanceof RialtoError) || !error.isOutcomeUnknown) return false;
        const clientOrderId = order.client_order_id;
        const entry = { clientOrderId, order, words, status: 'looking', lookUps: 0 } as const;
        setPending((now) => [entry, ...now]);
        return true;
      }
    },
    [report, t],
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
    dismiss: (id) => setPending((now) => now.filter(({ clientOrderId }) => clientOrderId !== id)),
  };
}

/** Asks for each order of the lane until it is settled. */
function useLookUps(
  pending: readonly PendingOrder[],
  setPending: (change: (now: readonly PendingOrder[]) => readonly PendingOrder[]) => void,
): void {
  const isLooking = pending.some(({ status }) => status === 'looking');
  const latest = useRef(pending);
  latest.current = pending;
  useEffect(() => {
    if (!isLooking) return;
    const timer = setInterval(() => {
      for (const { clientOrderId, status } of latest.current) {
        if (status !== 'looking') continue;
        void lookUp(clientOrderId).then((result) =>
          setPending((now) =>
            now.map((one) =>
              one.clientOrderId === clientOrderId ? afterLookUp(one, result) : one,
            ),
          ),
        );
      }
    }, LOOK_UP_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLooking, setPending]);
}

async function lookUp(clientOrderId: string): Promise<LookUp> {
  try {
    await exchange.getOrder({ client_order_id: clientOrderId });
    return 'found';
  } catch (error) {
    const isAnswer = error instanceof RialtoError && (error.status === 400 || error.status === 404);
    return isAnswer ? 'not found' : 'no answer';
  }
}
