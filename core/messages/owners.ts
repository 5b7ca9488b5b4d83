// Who may own an account: users, and the system's own two owners, which no user id can reach.

import type { UserId } from '../money/index.ts';

/** All that is outside the exchange. Its available is minus what the exchange owes in an asset. */
export const EXTERNAL_OWNER = -1;
/** Where trading and withdrawal fees collect until they are settled. */
export const FEES_OWNER = -2;

export type Owner = UserId | typeof EXTERNAL_OWNER | typeof FEES_OWNER;
