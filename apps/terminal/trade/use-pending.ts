// Pending orders without a response: one list for all screens of this tab, kept across a reload.
// Each order is looked up until it is settled, and the private stream can settle it too.

import { useEffect } from 'react';
import { RialtoError } from '../../../client/index.ts';
import { Cell, useCell } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import {
  afterLookUp,
  afterStream,
  LOOK_UP_EVERY_MS,
  type LookUp,
  type PendingOrder,
  readPending,
} from './pending-orders.ts';

interface Lane {
  readonly user: number;
  readonly pending: readonly PendingOrder[];
}

const lane = new Cell<Lane>({ user: 0, pending: [] });
const keyOf = (user: number) => `rialto.pending.${user}`;

export interface Pending {
  readonly pending: readonly PendingOrder[];
  add(order: Pick<PendingOrder, 'clientOrderId' | 'words'>): void;
  /** Removes a settled entry. */
  dismiss(clientOrderId: string): void;
}

type Change = (now: readonly PendingOrder[]) => readonly PendingOrder[];

function change(next: Change): void {
  const { pending, user } = lane.latest;
  const changed = next(pending);
  if (changed === pending) return;
  sessionStorage.setItem(keyOf(user), JSON.stringify(changed));
  lane.set({ user, pending: changed });
}

export function usePending(): Pending {
  const session = useSession();
  const account = useCell(session.account);
  const { pending } = useCell(lane);
  const user = session.user?.id ?? 0;
  useEffect(() => {
    if (lane.latest.user === user) return;
    lane.set({ user, pending: readPending(sessionStorage.getItem(keyOf(user))) });
  }, [user]);
  useEffect(() => {
    change((now) => afterStream(now, [...account.open, ...account.closed]));
  }, [account]);
  const isLooking = pending.some(({ status }) => status === 'looking');
  useEffect(() => {
    if (!isLooking) return;
    const timer = setInterval(lookAllUp, LOOK_UP_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLooking]);
  return { pending, add, dismiss };
}

function add({ clientOrderId, words }: Pick<PendingOrder, 'clientOrderId' | 'words'>): void {
  change((now) => [{ clientOrderId, words, status: 'looking', lookUps: 0 }, ...now]);
}

function dismiss(id: string): void {
  change((now) => now.filter(({ clientOrderId }) => clientOrderId !== id));
}

function lookAllUp(): void {
  for (const { clientOrderId, status } of lane.latest.pending) {
    if (status !== 'looking') continue;
    void lookUp(clientOrderId).then((result) =>
      change((now) =>
        now.map((one) => (one.clientOrderId === clientOrderId ? afterLookUp(one, result) : one)),
      ),
    );
  }
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
