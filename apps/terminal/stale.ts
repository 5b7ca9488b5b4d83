// Whether the shown data is live. Every live panel is dimmed while it is not.

import { useEffect, useMemo, useState } from 'react';
import { type PanelState, useCell } from '../ui/index.ts';
import { useSession } from './session.tsx';

/** Returns undefined while the data is live. */
export function useStale(): PanelState | undefined {
  const { sinceMs, status } = useCell(useSession().connection);
  const isLost = status === 'waiting' || status === 'failed';
  const [firstMs, setFirstMs] = useState<number>();
  const isOpen = status === 'open';
  useEffect(() => {
    if (isOpen) setFirstMs(undefined);
    else if (isLost) setFirstMs((known) => known ?? sinceMs);
  }, [isOpen, isLost, sinceMs]);
  return useMemo(
    () => (firstMs === undefined ? undefined : { kind: 'stale', sinceMs: firstMs }),
    [firstMs],
  );
}

/** Marks a panel with data as stale; any other state is more important. */
export function staleOr(state: PanelState, stale: PanelState | undefined): PanelState {
  return state.kind === 'ready' ? (stale ?? state) : state;
}
