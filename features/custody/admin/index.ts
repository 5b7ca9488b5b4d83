// Operator actions for custody.

import { ATTRIBUTE_DEPOSIT } from './attribute-deposit.ts';
import { RESUME_NETWORK } from './resume-network.ts';

export { ATTRIBUTE_DEPOSIT, RESUME_NETWORK };

export const CUSTODY_ACTS = [ATTRIBUTE_DEPOSIT, RESUME_NETWORK] as const;
