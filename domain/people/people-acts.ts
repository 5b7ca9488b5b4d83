// Every act of this package.

import { EXPORT_PEOPLE } from './exports.ts';
import { ADD_PAYMENT, CHANGE_PAYMENT, REMOVE_PAYMENT } from './payment-acts.ts';
import { REVIEW_REVEAL } from './reveals.ts';

export const PEOPLE_ACTS = [
  EXPORT_PEOPLE,
  REVIEW_REVEAL,
  ADD_PAYMENT,
  CHANGE_PAYMENT,
  REMOVE_PAYMENT,
] as const;
