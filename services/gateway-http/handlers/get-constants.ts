// Every coin and pair, with their bounds.

import type { Routes } from '../../../protocol/index.ts';
import { constantsOf } from '../descriptions/constants.ts';
import type { Call, JsonText } from '../handler.ts';
import { oncePerCatalogue } from '../once-per-catalogue.ts';
import type { Parts } from '../parts.ts';

const constants = oncePerCatalogue((now, { exchange }) => constantsOf(now, exchange.publicUrl));

export function getConstants(_call: Call<Routes['getConstants']>, parts: Parts): JsonText {
  return constants(parts);
}
