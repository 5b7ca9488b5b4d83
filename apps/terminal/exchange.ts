// The exchange as the terminal sees it: one client with the cookie session, the queries that many
// screens share, and nothing else. Every call of every screen goes through `exchange`.

import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { RialtoClient, type User } from '../../client/index.ts';
import { forgetPrivateData, userOrNull, userQueryKey } from '../shell/index.ts';

export const exchange = new RialtoClient({ url: location.origin, session: 'cookie' });

/** Markets, coins and their increments; they change rarely. */
export const constantsQuery = queryOptions({
  queryKey: ['constants'],
  queryFn: ({ signal }) => exchange.getConstants({ signal }),
  staleTime: 5 * 60_000,
});

// The cookie of the session cannot be read. Without this mark the page does not ask for the user: a
// guest gets no refusal, and the first page comes one question earlier.
const SIGNED_IN = 'rialto.signed-in';

/** Null without a session. */
export const userQuery = queryOptions({
  queryKey: userQueryKey,
  queryFn: async ({ signal }): Promise<User | null> => {
    if (localStorage.getItem(SIGNED_IN) === null) return null;
    const user = await userOrNull(exchange, signal);
    if (user === null) localStorage.removeItem(SIGNED_IN);
    return user;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const tickersQuery = queryOptions({
  queryKey: ['tickers'],
  queryFn: ({ signal }) => exchange.getTickerAll({ signal }),
  refetchInterval: 10_000,
});

/** Call it after a sign-in or sign-out. */
export async function refreshSession(queries: QueryClient): Promise<void> {
  localStorage.setItem(SIGNED_IN, '1');
  await forgetPrivateData(queries);
}
