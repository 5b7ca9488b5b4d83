// Clients with the console's cookie, and the queries that many screens share. Every request from a
// screen goes through them.

import { queryOptions } from '@tanstack/react-query';
import { RialtoClient } from '../../client/index.ts';
import { userOrNull, userQueryKey } from '../shell/index.ts';

export const exchange = new RialtoClient({ url: location.origin, session: 'console' });

/** Client for health: the next poll is due soon, so a failed attempt is not retried. */
const prompt = new RialtoClient({
  url: location.origin,
  session: 'console',
  retriesMax: 0,
  timeoutMs: 3_000,
});

export const HEALTH_EVERY_MS = 2_000;
const APPROVALS_EVERY_MS = 5_000;
const LISTS_EVERY_MS = 10_000;

/** The user is null without a session. */
export const userQuery = queryOptions({
  queryKey: userQueryKey,
  queryFn: ({ signal }) => userOrNull(exchange, signal),
  staleTime: Number.POSITIVE_INFINITY,
});

export const passkeysQuery = queryOptions({
  queryKey: ['private', 'passkeys'],
  queryFn: async ({ signal }) => (await exchange.getPasskeys({ signal })).data,
});

export const healthQuery = queryOptions({
  queryKey: ['private', 'health'],
  queryFn: ({ signal }) => prompt.getExchangeHealth({ signal }),
  refetchInterval: HEALTH_EVERY_MS,
  // Polls even while the page is hidden, so operators return to a current page.
  refetchIntervalInBackground: true,
});

/** Pending requests: the operator's own, and those to decide. */
export const pendingApprovalsQuery = queryOptions({
  queryKey: ['private', 'approvals', 'pending'],
  queryFn: async ({ signal }) =>
    (await exchange.approvals({ state: 'pending', limit: 100 }, { signal })).data,
  refetchInterval: APPROVALS_EVERY_MS,
});

/** Items that wait for the operator, and the control mode. Every operator can read them. */
export const workQuery = queryOptions({
  queryKey: ['private', 'work'],
  queryFn: ({ signal }) => exchange.getWork({ signal }),
  refetchInterval: APPROVALS_EVERY_MS,
});

export const constantsQuery = queryOptions({
  queryKey: ['constants'],
  queryFn: ({ signal }) => exchange.getConstants({ signal }),
  staleTime: 60_000,
});

export const kitQuery = queryOptions({
  queryKey: ['kit'],
  queryFn: ({ signal }) => exchange.getKit({ signal }),
  staleTime: 5 * 60_000,
});

export const controlQuery = queryOptions({
  queryKey: ['private', 'control'],
  queryFn: ({ signal }) => exchange.getControl({ signal }),
  staleTime: 30_000,
});

export const lastActsQuery = queryOptions({
  queryKey: ['private', 'audits', 'last'],
  queryFn: async ({ signal }) => (await exchange.getAudits({ limit: 20 }, { signal })).data,
  refetchInterval: LISTS_EVERY_MS,
});
