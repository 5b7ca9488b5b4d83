// All data of one market on the trade screen: its rules, its live feed, and the user's balances and
// fees in it.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Pair } from '../../../client/index.ts';
import { scaleOf } from '../../decimals/index.ts';
import { useCell } from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { feeRates } from '../fee-rates.ts';
import { useSession } from '../session.tsx';
import { type MarketFeed, openMarketFeed } from './market-feed.ts';
import type { Circumstances } from './order-draft.ts';

export function useMarketFeed(symbol: string): MarketFeed | undefined {
  const { stream } = useSession();
  const [feed, setFeed] = useState<MarketFeed>();
  useEffect(() => {
    if (stream === undefined || stream.status === 'closed') return;
    const opened = openMarketFeed(stream, symbol);
    setFeed(opened);
    return () => opened.close();
  }, [stream, symbol]);
  return feed;
}

/** Returns the fees of the user's tier after discount, or of the first tier without a session. */
function useFees(symbol: string): Circumstances['fees'] {
  const { user } = useSession();
  const { data: tiers } = useQuery({
    queryKey: ['tiers'],
    queryFn: ({ signal }) => exchange.getTiers({ signal }),
    staleTime: 60_000,
  });
  const tier = tiers?.[String(user?.verification_level ?? 1)] ?? tiers?.['1'];
  const discount = user?.discount ?? '0';
  return useMemo(() => feeRates(tier, symbol, discount), [tier, symbol, discount]);
}

export function useCircumstances(market: Pair, feed: MarketFeed): Circumstances {
  const { data: constants } = useQuery(constantsQuery);
  const { account: cell, user } = useSession();
  const account = useCell(cell);
  const book = useCell(feed.book);
  const trades = useCell(feed.trades);
  const fees = useFees(market.code);
  const scales = useMemo(() => {
    const scale = (coin: string) => scaleOf(constants?.coins[coin]?.increment_unit ?? '0.00000001');
    return { base: scale(market.pair_base), quote: scale(market.pair_2) };
  }, [constants, market]);
  const available = useMemo(() => {
    if (!user || !account.isKnown) return undefined;
    const of = (coin: string) => account.balances.get(coin)?.available ?? '0';
    return { base: of(market.pair_base), quote: of(market.pair_2) };
  }, [user, account, market]);
  return {
    market,
    bids: book?.bids ?? [],
    asks: book?.asks ?? [],
    lastPrice: trades?.[0]?.price,
    available,
    fees,
    scales,
  };
}
