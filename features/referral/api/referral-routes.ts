// Referral: codes, the users who used them, earnings and their payout.

import {
  defineRoute,
  FormatIn,
  field,
  listQuery,
  Message,
  NO_QUERY,
  oneOf,
  pagedList,
  Type,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import {
  Affiliation,
  ReferralCheck,
  ReferralCode,
  ReferralEarning,
  ReferralPayout,
  ReferralSettled,
  UnrealizedReferral,
} from './referral.ts';

const tag = 'referral';
const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;
const person = { who: 'person' } as const;

const CodeIn = Type.String({ minLength: 1, maxLength: 64 });
const PercentIn = Type.Integer({ minimum: 0, maximum: 100 });

export const ReferralCodeIn = Type.Object(
  {
    code: Type.String({ maxLength: 64, description: '6 letters or digits.' }),
    discount: {
      ...PercentIn,
      description: 'Discount for users of the code, in percent. A multiple of 10.',
    },
    earning_rate: {
      ...PercentIn,
      description: 'Your share of their fees, in percent. A multiple of 10, at most 90.',
    },
  },
  {
    title: 'ReferralCodeIn',
    description: 'Their sum is at most `referral_history_config.earning_rate` of the kit.',
  },
);

export const referralRoutes = {
  checkReferralCode: defineRoute({
    method: 'GET',
    path: '/v2/referral/check',
    summary: 'Whether a referral code is valid, and its discount',
    description: 'No login required, so a form can check a code before sign-up.',
    tag,
    permission: { who: 'anyone' },
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object({ code: field(CodeIn, 'The code.', 'ADA1X7') }),
    status: 200,
    response: ReferralCheck,
  }),
  getReferralCodes: defineRoute({
    method: 'GET',
    path: '/v2/user/referral/code',
    summary: 'Your referral codes',
    description: 'Includes the number of users of each code.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: pagedList(ReferralCode),
  }),
  createReferralCode: defineRoute({
    method: 'POST',
    path: '/v2/user/referral/code',
    summary: 'Create a referral code; at most three',
    description:
      "You divide the exchange's rate between your share and the discount for users you refer, " +
      'in steps of 10 percent.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: ReferralCodeIn,
    status: 200,
    response: ReferralCode,
  }),
  applyReferralCode: defineRoute({
    method: 'POST',
    path: '/v2/user/referral/apply',
    summary: 'Use a referral code after sign-up (once, permanently)',
    description: 'Only if no code was used at sign-up. It cannot be changed later.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: Type.Object(
      { code: field(CodeIn, 'The code of the referring user.', 'ADA1X7') },
      { title: 'ReferralApplyIn' },
    ),
    status: 200,
    response: Message,
  }),
  getAffiliations: defineRoute({
    method: 'GET',
    path: '/v2/user/affiliation',
    summary: 'The users who used your referral codes, newest first',
    description: 'Users are shown by ID and masked email address.',
    tag,
    permission: { ...mayRead, noGuests: true },
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({}),
    status: 200,
    response: pagedList(Affiliation),
  }),
  getUnrealizedReferral: defineRoute({
    method: 'GET',
    path: '/v2/user/referral/unrealized',
    summary: 'Your unpaid earnings',
    description: 'Fee shares that were counted and are not paid yet.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: UnrealizedReferral,
  }),
  settleReferral: defineRoute({
    method: 'POST',
    path: '/v2/user/referral/unrealized',
    summary: 'Pay your earnings to your balance',
    description:
      "Pays all unpaid earnings if they reach the exchange's minimum. The balance changes " +
      'immediately.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    status: 200,
    response: ReferralSettled,
  }),
  getRealizedReferral: defineRoute({
    method: 'GET',
    path: '/v2/user/referral/realized',
    summary: 'Earnings paid to you, newest first',
    description: 'One row per payment.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({ format: FormatIn }),
    status: 200,
    response: pagedList(ReferralPayout),
    csv: true,
  }),
  getReferralHistory: defineRoute({
    method: 'GET',
    path: '/v2/user/referral/history',
    summary: 'Your earnings by batch and user, newest first; counted every four hours',
    description: 'Each batch counts the trades of a four-hour period once.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({ format: Type.Optional(oneOf(['all'])) }),
    status: 200,
    response: pagedList(ReferralEarning),
  }),
} as const;
