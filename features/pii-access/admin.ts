// The actions of this feature that can wait for approval: votes find them by their name.

import { EXPORT_PEOPLE } from './exports.ts';
import { REVIEW_REVEAL } from './reveals.ts';

export const PII_ACCESS_ACTS = [EXPORT_PEOPLE, REVIEW_REVEAL] as const;
