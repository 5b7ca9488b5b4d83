// The time of the exchange in unix seconds, for charting libraries.

import { secondsOf } from '../../../core/market-data/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import type { Call } from '../handler.ts';
import type { Parts } from '../parts.ts';

export function getUdfTime(_call: Call<Routes['getUdfTime']>, { clock }: Parts): number {
  return secondsOf(clock.nowMs());
}
