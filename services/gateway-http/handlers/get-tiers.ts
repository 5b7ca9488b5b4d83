// The levels of users, and what each pays.

import type { Routes } from '../../../protocol/index.ts';
import { tiersOf } from '../descriptions/tiers.ts';
import type { Call, JsonText } from '../handler.ts';
import { oncePerCatalogue } from '../once-per-catalogue.ts';
import type { Parts } from '../parts.ts';

const tiers = oncePerCatalogue(tiersOf);

export function getTiers(_call: Call<Routes['getTiers']>, parts: Parts): JsonText {
  return tiers(parts);
}
