// Items that wait for the operator: the screen of each queue, and the total.

import type { Work } from '../../../client/index.ts';

export type WorkQueue = Work['queues'][number];

export interface QueueScreen {
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
}

export const SCREEN_OF_QUEUE: Readonly<Record<WorkQueue['name'], QueueScreen>> = {
  approvals: { path: '/approvals' },
  withdrawals: { path: '/withdrawals', search: { state: 'review' } },
  deposits: { path: '/deposits' },
  bank_accounts: { path: '/people', search: { filter: 'bank' } },
  findings: { path: '/surveillance' },
  reveals: { path: '/people', search: { filter: 'reveals' } },
};

/** Queues that the operator can open, those with work first, in the order of the exchange. */
export function queuesFor(
  queues: readonly WorkQueue[],
  paths: readonly string[],
): readonly WorkQueue[] {
  const open = queues.filter(({ name }) => paths.includes(SCREEN_OF_QUEUE[name].path));
  return open.toSorted((one, other) => Number(other.waiting > 0) - Number(one.waiting > 0));
}

export function totalOf(queues: readonly WorkQueue[]): number {
  return queues.reduce((sum, { waiting }) => sum + waiting, 0);
}
