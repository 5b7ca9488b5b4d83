// Errors for referral codes, affiliations and payouts.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const referralErrors = {
  referral_is_off: {
    status: 400,
    code: 2500,
    text: 'This exchange has no referral program right now',
  },
  referral_code_unknown: { status: 400, code: 2501, text: 'Unknown referral code' },
  referral_code_own: {
    status: 400,
    code: 2502,
    text: 'You cannot use a referral code from your own accounts',
  },
  referral_already_applied: {
    status: 400,
    code: 2503,
    text: 'Your account has already used a referral code',
  },
  referral_code_invalid: {
    status: 400,
    code: 2504,
    text: 'A referral code must have 6 letters or digits',
  },
  referral_rates_invalid: {
    status: 400,
    code: 2505,
    text:
      'Discount and rate must be multiples of 10 and add up to at most {max}; the rate must be ' +
      'at most 90',
  },
  referral_code_taken: { status: 400, code: 2506, text: 'This referral code already exists' },
  referral_codes_limit_reached: {
    status: 400,
    code: 2507,
    text: 'You can have at most {max} referral codes',
  },
  referral_minimum_not_reached: {
    status: 400,
    code: 2508,
    text: 'Earnings are paid out from {min} {currency}',
  },
  referral_payout_not_funded: {
    status: 400,
    code: 2509,
    text: 'The exchange cannot pay your earnings right now. They are safe; try again later',
  },
  referral_program_invalid: {
    status: 400,
    code: 2510,
    audience: 'operators',
    text:
      'The referral program needs a listed currency, a minimum with its decimals, and a user who ' +
      'pays',
  },
} as const satisfies ErrorTable;
