// The queries that the screens of money share. News of the stream make private ones fresh again.

import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Topic } from '../../../client/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';

export const balanceQuery = queryOptions({
  queryKey: ['private', 'balance'],
  queryFn: ({ signal }) => exchange.getBalance({ signal }),
});

export const depositsQuery = queryOptions({
  queryKey: ['private', 'deposits'],
  queryFn: ({ signal }) => exchange.getDeposits({ limit: 50 }, { signal }),
});

export const withdrawalsQuery = queryOptions({
  queryKey: ['private', 'withdrawals'],
  queryFn: ({ signal }) => exchange.getWithdrawals({ limit: 50 }, { signal }),
});

export const addressBookQuery = queryOptions({
  queryKey: ['private', 'address book'],
  queryFn: ({ signal }) => exchange.getAddressBook({ signal }),
});

export const tiersQuery = queryOptions({
  queryKey: ['tiers'],
  queryFn: ({ signal }) => exchange.getTiers({ signal }),
  staleTime: 5 * 60_000,
});

/** The worth of one unit of each coin. */
export function pricesQuery(coins: readonly string[], quote: string) {
  return queryOptions({
    queryKey: ['prices', quote, ...coins],
    queryFn: ({ signal }) => exchange.getOraclePrices({ assets: [...coins], quote }, { signal }),
    enabled: coins.length > 0,
    refetchInterval: 10_000,
  });
}

/** The prices of the last day by the hour. */
export function sparkQuery(coins: readonly string[], quote: string) {
  return queryOptions({
    queryKey: ['sparks', quote, ...coins],
    queryFn: ({ signal }) => exchange.getMiniCharts({ assets: [...coins], quote }, { signal }),
    enabled: coins.length > 0,
    refetchInterval: 5 * 60_000,
  });
}

/** Fetches `keys` again whenever the stream has news on one of the topics. */
export function useFreshOn(topics: readonly Topic[], keys: readonly string[]): void {
  const { stream, user } = useSession();
  const queries = useQueryClient();
  const isSignedIn = user !== null && user !== undefined;
  const [topicList, keyList] = [topics.join(), keys.join()];
  useEffect(() => {
    if (stream === undefined || !isSignedIn) return;
    const refresh = () => {
      for (const key of keyList.split(',')) {
        void queries.invalidateQueries({ queryKey: ['private', key] });
      }
    };
    // A refused topic leaves the lists as they were fetched.
    const subscriptions = topicList
      .split(',')
      .map((topic) => stream.subscribe(topic as Topic, { onMessage: refresh, onError() {} }));
    return () => {
      for (const subscription of subscriptions) subscription.close();
    };
  }, [stream, isSignedIn, queries, topicList, keyList]);
}
