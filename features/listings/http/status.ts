// Public status of the exchange: banners, and what is stopped. From the catalog in memory. Stops of
// accounts and services are not public, but their banners are.

import { type ExchangeStatus, timeText } from '../../../protocol/index.ts';
import type { CatalogueNow } from '../catalogue-entries.ts';

export function statusOf(now: CatalogueNow): ExchangeStatus {
  const writes = sinceOf(now, 'writes', '');
  const logins = sinceOf(now, 'logins', '');
  return {
    banners: bannersOf(now),
    read_only: writes !== null,
    read_only_since: textOf(writes),
    logins_closed: logins !== null,
    logins_closed_since: textOf(logins),
    markets: [...now.pairs.values()].flatMap(({ active, isPublic, market, symbol }) => {
      if (!isPublic || !active || market.status === 'full') return [];
      const since = sinceOf(now, 'trading', symbol) ?? market.updatedAtMs;
      return [{ symbol, status: market.status, since: timeText(since) }];
    }),
    coins: [...now.coins.values()].flatMap((coin) => {
      const {
        active,
        allowDeposit: deposits,
        allowWithdrawal: withdrawals,
        isPublic,
        symbol,
      } = coin;
      if (!isPublic || !active || (deposits && withdrawals)) return [];
      const stops = ['deposits', 'withdrawals'].map((name) => sinceOf(now, name, symbol));
      const known = stops.filter((since) => since !== null);
      const since = known.length === 0 ? null : Math.min(...known);
      return [{ currency: symbol, deposits, withdrawals, since: textOf(since) }];
    }),
  };
}

/** The operator's own banner first. A text shared by several stops is shown once. */
function bannersOf({ banner, stops }: CatalogueNow): ExchangeStatus['banners'] {
  const firstOf = new Map<string, number>();
  for (const { banner: text, sinceMs } of stops) {
    if (text !== '') firstOf.set(text, Math.min(sinceMs, firstOf.get(text) ?? sinceMs));
  }
  const own = banner === undefined ? [] : [banner];
  const ofStops = [...firstOf].map(([text, sinceMs]) => ({
    kind: 'incident' as const,
    text,
    sinceMs,
  }));
  return [...own, ...ofStops].map(({ kind, sinceMs, text }) => ({
    kind,
    text,
    since: timeText(sinceMs),
  }));
}

function sinceOf({ stops }: CatalogueNow, name: string, object: string): number | null {
  return stops.find((stop) => stop.name === name && stop.object === object)?.sinceMs ?? null;
}

function textOf(ms: number | null): string | null {
  return ms === null ? null : timeText(ms);
}
