// Values of assets in another asset; -1 if no conversion path exists. Public.

import type { Static } from 'typebox';
import { Decimal, mapOf } from '../../../protocol/wire/index.ts';

export const OraclePrices = mapOf(Decimal);
export type OraclePrices = Static<typeof OraclePrices>;
