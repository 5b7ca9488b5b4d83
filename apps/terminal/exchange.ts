// One client with the cookie session, and the queries that many screens share. Every request from a
// screen goes through `exchange`.

import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { RialtoClient, type User } from '../../client/index.ts';
import { forgetPrivateData, userOrNull, userQueryKey } from '../shell/index.ts';

export const exchange = new RialtoClient({ url: location.origin, session: 'cookie' });

/** Markets, assets and their increments, which change rarely. */
export const constantsQuery = queryOptions({
  queryKey: ['constants'],
  queryFn: ({ signal }) => exchange.getConstants({ signal }),
  staleTime: 5 * 60_000,
});

// JavaScript cannot read the session cookie. Without this flag the page does not request the user,
// so a guest gets no rejection and the first page needs one request less.
const SIGNED_IN = 'rialto.signed-in';

/** Whether this browser had a session that the exchange has not ended, as far as is known. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(SIGNED_IN) !== null;
}

/** The user is null without a session. */
export const userQuery = queryOptions({
  queryKey: userQueryKey,
  queryFn: async ({ signal }): Promise<User | null> => {
    if (!wasSignedIn()) return null;
    const user = await userOrNull(exchange, signal);
    if (user === null) localStorage.removeItem(SIGNED_IN);
    return user;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Newest first. */
export const announcementsQuery = queryOptions({
  queryKey: ['announcements'],
  queryFn: async ({ signal }) => (await exchange.getAnnouncements({ limit: 20 }, { signal })).data,
  refetchInterval: 5 * 60_000,
});

export const tickersQuery = queryOptions({
  queryKey: ['tickers'],
  queryFn: ({ signal }) => exchange.getTickerAll({ signal }),
  refetchInterval: 10_000,
});

/** Call it after signing in or out. */
export async function refreshSession(queries: QueryClient): Promise<void> {
  localStorage.setItem(SIGNED_IN, '1');
  await forgetPrivateData(queries);
}
