// Reads a live cell in a view; the view renders at most once per frame.

import { useSyncExternalStore } from 'react';
import type { Cell } from './live-store.ts';

export function useCell<Value>(cell: Cell<Value>): Value {
  return useSyncExternalStore(cell.subscribe, cell.shown);
}
