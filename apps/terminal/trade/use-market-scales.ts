// Decimals of a market's prices and sizes, so the numbers of a column line up.

import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { scaleOf } from '../../decimals/index.ts';
import { constantsQuery } from '../exchange.ts';

export interface MarketScales {
  readonly price: number | undefined;
  readonly size: number | undefined;
}

const UNKNOWN: MarketScales = { price: undefined, size: undefined };

/** All digits are shown until the markets are loaded. */
export function useMarketScales(): (symbol: string) => MarketScales {
  const { data: constants } = useQuery(constantsQuery);
  return useCallback(
    (symbol) => {
      const market = constants?.pairs[symbol];
      if (market === undefined) return UNKNOWN;
      return { price: scaleOf(market.increment_price), size: scaleOf(market.increment_size) };
    },
    [constants],
  );
}
