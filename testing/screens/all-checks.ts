// All checks, in the order of their lanes.

import { accessibility } from './accessibility.ts';
import type { Check } from './check.ts';
import { journeys } from './journeys.ts';
import { stylesheet } from './stylesheet.ts';
import { weight } from './weight.ts';
import { widths } from './widths.ts';

export const ALL_CHECKS: readonly Check[] = [
  weight,
  ...stylesheet,
  ...journeys,
  accessibility,
  widths,
];
