// Queries that the money screens share. Stream messages refetch the private ones.

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

/** Texts and links of the exchange's operator. */
export const kitQuery = queryOptions({
  queryKey: ['kit'],
  queryFn: ({ signal }) => exchange.getKit({ signal }),
  staleTime: 5 * 60_000,
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

/** Value of one unit of each asset. */
export function pricesQuery(coins: readonly string[], quote: string) {
  return queryOptions({
    queryKey: ['prices', quote, ...coins],
    queryFn: ({ signal }) => exchange.getOraclePrices({ assets: [...coins], quote }, { signal }),
    enabled: coins.length > 0,
    refetchInterval: 10_000,
  });
}

/** Hourly prices of the last day. */
export function sparkQuery(coins: readonly string[], quote: string) {
  return queryOptions({
    queryKey: ['sparks', quote, ...coins],
    queryFn: ({ signal }) => exchange.getMiniCharts({ assets: [...coins], quote }, { signal }),
    enabled: coins.length > 0,
    refetchInterval: 5 * 60_000,
  });
}

/** Refetches `keys` whenever one of the topics has a message. */
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
    // If a topic is rejected, the lists keep their last fetched state.
    const subscriptions = topicList
      .split(',')
      .map((topic) => stream.subscribe(topic as Topic, { onMessage: refresh, onError() {} }));
    return () => {
      for (const subscription of subscriptions) subscription.close();
    };
  }, [stream, isSignedIn, queries, topicList, keyList]);
}
