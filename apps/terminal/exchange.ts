// The exchange as the terminal sees it: one client with the cookie session, the queries that many
// screens share, and nothing else. Every call of every screen goes through `exchange`.

import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { RialtoClient, RialtoError, type User } from '../../client/index.ts';

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
  queryKey: ['user'],
  queryFn: async ({ signal }): Promise<User | null> => {
    if (localStorage.getItem(SIGNED_IN) === null) return null;
    try {
      return await exchange.getUser({ signal });
    } catch (error) {
      if (!(error instanceof RialtoError && error.status === 401)) throw error;
      localStorage.removeItem(SIGNED_IN);
      return null;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const tickersQuery = queryOptions({
  queryKey: ['tickers'],
  queryFn: ({ signal }) => exchange.getTickerAll({ signal }),
  refetchInterval: 10_000,
});

/** The answer of the exchange to who we are has changed: everything private is fetched again. */
export async function forgetPrivateData(queries: QueryClient): Promise<void> {
  localStorage.setItem(SIGNED_IN, '1');
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'private' });
  await queries.invalidateQueries({ queryKey: userQuery.queryKey });
}
