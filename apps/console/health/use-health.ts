// Polls the health of the exchange, with a clock that keeps ticking if responses stop.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PanelState } from '../../ui/index.ts';
import { stateOfError } from '../../ui/index.ts';
import { may } from '../access.ts';
import { healthQuery } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { durationOf, type Freshness, freshnessOf, type HeardHealth } from './health-view.ts';

const TICK_MS = 1_000;

/** Returns the current time, updated every second. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

export interface ShownHealth extends HeardHealth {
  readonly freshness: Freshness;
  /** State for panels that show data from the report. */
  readonly state: PanelState;
  refetch(): void;
}

export function useHealth(): ShownHealth {
  const { standing } = useSession();
  const isAllowed = standing.kind === 'in' && may(standing.operator, 'readHealth');
  const query = useQuery({ ...healthQuery, enabled: isAllowed });
  const tickMs = useNow();
  // The last tick can be earlier than the response.
  const heard = {
    health: query.data,
    heardAtMs: query.dataUpdatedAt,
    nowMs: Math.max(tickMs, query.dataUpdatedAt),
  };
  const freshness = freshnessOf(heard);
  return {
    ...heard,
    freshness,
    state: panelState(freshness, query.error),
    refetch: () => void query.refetch(),
  };
}

function panelState(freshness: Freshness, error: unknown): PanelState {
  if (freshness.kind === 'waiting') {
    return error === null ? { kind: 'loading' } : stateOfError(error);
  }
  if (freshness.kind === 'fresh') return { kind: 'ready' };
  return { kind: 'stale', sinceMs: freshness.sinceMs };
}

/** Formats a duration in one unit. */
export function useDuration(): (ms: number) => string {
  const { t } = useLook();
  return (ms) => {
    const { count, unit } = durationOf(ms);
    return t(`time.${unit}`, { count });
  };
}
