// What this feed of charts can do, for charting libraries.

import type { Routes, UdfConfig } from '../../../protocol/index.ts';
import { UDF_CONFIG } from '../descriptions/udf.ts';
import type { Call } from '../handler.ts';

export function getUdfConfig(_call: Call<Routes['getUdfConfig']>): UdfConfig {
  return UDF_CONFIG;
}
