// The owners of accounts: users, and two system owners outside the range of user ids.

import type { UserId } from '../money/index.ts';

/** Everything outside the exchange. Its available is minus what the exchange owes of an asset. */
export const EXTERNAL_OWNER = -1;
/** Collects trading and withdrawal fees until they are settled. */
export const FEES_OWNER = -2;

export type Owner = UserId | typeof EXTERNAL_OWNER | typeof FEES_OWNER;
