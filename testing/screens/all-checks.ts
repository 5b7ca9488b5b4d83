// All checks, in lane order.

import { accessibility, plainText, widths } from './accessibility.ts';
import { accountJourneys } from './account-journeys.ts';
import type { Check } from './check.ts';
import { firefox } from './firefox.ts';
import { forcedColours } from './forced-colours.ts';
import { hotPaths } from './hot-path.ts';
import { journeys } from './journeys.ts';
import { languages } from './languages.ts';
import { lighthouse } from './lighthouse.ts';
import { liveData } from './live-data.ts';
import { losses } from './loss.ts';
import { moneyJourneys } from './money-journeys.ts';
import { newcomers } from './newcomer.ts';
import { phoneJourneys } from './phone-journeys.ts';
import { stylesheet } from './stylesheet.ts';
import { traderJourneys } from './trader-journeys.ts';
import { weight } from './weight.ts';

export const ALL_CHECKS: readonly Check[] = [
  weight,
  ...stylesheet,
  ...journeys,
  ...traderJourneys,
  ...accountJourneys,
  ...moneyJourneys,
  ...phoneJourneys,
  ...newcomers,
  liveData,
  ...languages,
  firefox,
  accessibility,
  plainText,
  widths,
  forcedColours,
  ...losses,
  ...hotPaths,
  lighthouse,
];
