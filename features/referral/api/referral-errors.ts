// Errors of referral codes, affiliations and payouts.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const referralErrors = {
  referral_is_off: {
    status: 400,
    code: 2500,
    text: 'The exchange has no referral programme at present',
  },
  referral_code_unknown: { status: 400, code: 2501, text: 'Unknown referral code' },
  referral_code_own: {
    status: 400,
    code: 2502,
    text: 'You cannot use a referral code of your own accounts',
  },
  referral_already_applied: {
    status: 400,
    code: 2503,
    text: 'Your account has used a referral code before',
  },
  referral_code_invalid: {
    status: 400,
    code: 2504,
    text: 'A referral code has 6 letters or digits',
  },
  referral_rates_invalid: {
    status: 400,
    code: 2505,
    text: 'Discount and rate are multiples of 10, together at most {max}; the rate is at most 90',
  },
  referral_code_taken: { status: 400, code: 2506, text: 'This referral code exists already' },
  referral_codes_limit_reached: {
    status: 400,
    code: 2507,
    text: 'You can have at most {max} referral codes',
  },
  referral_minimum_not_reached: {
    status: 400,
    code: 2508,
    text: 'Earnings are paid from {min} {currency} on',
  },
  referral_payout_not_funded: {
    status: 400,
    code: 2509,
    text: 'The exchange cannot pay your earnings at present. They are kept: try again later',
  },
} as const satisfies ErrorTable;
