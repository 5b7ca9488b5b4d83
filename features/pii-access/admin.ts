// Every act of this package.

import { EXPORT_PEOPLE } from './exports.ts';
import { REVIEW_REVEAL } from './reveals.ts';

export const PEOPLE_ACTS = [EXPORT_PEOPLE, REVIEW_REVEAL] as const;
