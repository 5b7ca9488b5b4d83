// Whether the shown data follow the exchange. Every live panel is dimmed while they do not.

import { useEffect, useMemo, useState } from 'react';
import { type PanelState, useCell } from '../ui/index.ts';
import { useSession } from './session.tsx';

/** Undefined while the data follow the exchange. */
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

/** A panel that shows data says since when they are stale; other states say more than that. */
export function staleOr(state: PanelState, stale: PanelState | undefined): PanelState {
  return state.kind === 'ready' ? (stale ?? state) : state;
}
