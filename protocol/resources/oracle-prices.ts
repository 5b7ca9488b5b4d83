// What amounts of assets are worth in another one. -1 where no market leads there. Public.

import type { Static } from 'typebox';
import { Decimal, mapOf } from '../wire-types.ts';

export const OraclePrices = mapOf(Decimal);
export type OraclePrices = Static<typeof OraclePrices>;
