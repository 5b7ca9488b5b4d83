// A read over everything, shared by all callers and kept for ten times as long as it took: it costs
// the database at most a tenth of its time, however often it is asked for.

import { isRefused } from '../../protocol/wire/index.ts';
import type { Dependencies } from './dependencies.ts';

const KEPT_FOR_DURATIONS = 10;

interface Kept<Value> {
  readonly value: Promise<Value>;
  /** Infinity while it is being read. */
  endsMs: number;
}

export function keptRead<Value>(
  read: (dependencies: Dependencies) => Promise<Value>,
): (dependencies: Dependencies) => Promise<Value> {
  const kept = new WeakMap<Dependencies['registry'], Kept<Value>>();
  return async (dependencies) => {
    const { clock, registry } = dependencies;
    const known = kept.get(registry);
    if (known !== undefined && clock.nowMs() < known.endsMs) return known.value;
    const startMs = clock.nowMs();
    const made: Kept<Value> = { value: read(dependencies), endsMs: Number.POSITIVE_INFINITY };
    kept.set(registry, made);
    try {
      const value = await made.value;
      if (isRefused(value)) kept.delete(registry);
      const nowMs = clock.nowMs();
      made.endsMs = nowMs + KEPT_FOR_DURATIONS * (nowMs - startMs);
      return value;
    } catch (fault) {
      kept.delete(registry);
      throw fault;
    }
  };
}
