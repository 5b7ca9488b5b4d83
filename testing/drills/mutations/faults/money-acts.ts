// Faults in operator actions that move money, and in withdrawal approvals. Tests must detect each.

import type { FaultTable } from '../fault.ts';

export const MONEY_ACT_FAULTS: FaultTable = {
  'features/payments/admin/credit.ts': {
    'a credit has no value, so it needs no approval': {
      in: 'creditAct',
      replace: ['!is_pending', 'is_pending'],
    },
  },
  'features/payments/admin/burn.ts': {
    'a pending burn does not count': {
      in: 'burnAct',
      replace: [
        'money: { currency, amount }',
        '...(!is_pending && { money: { currency, amount } })',
      ],
    },
  },
  'features/payments/admin/money-terms.ts': {
    'house money moves like user money': {
      in: 'requireUsers',
      replace: ['=== undefined', '!== null'],
    },
    'the cheaper side of a trade counts': {
      in: 'largerOf',
      replace: ['0 ? one : other', '0 ? other : one'],
    },
  },
  'features/trading/admin/direct-trade.ts': {
    'the maker of a trade is not a beneficiary': {
      in: 'directTradeAct.prepare.beneficiaries',
      remove: 'maker,',
    },
  },
  'features/payments/admin/settle-fees.ts': {
    'one operator settles the fees': { in: 'settleFeesAct.prepare.approvals', value: '0' },
  },
  'features/payments/admin/review-deposit.ts': {
    'a reviewed deposit is credited without a value': {
      in: 'reviewDepositAct',
      remove: '...(isCredit && { money: { currency, amount } }),',
    },
  },
  'features/payments/admin/review-withdrawal.ts': {
    'a review keeps the steps before a rejected one': {
      in: 'review',
      replace: ['return taken', 'break'],
    },
    'a key approves a withdrawal': { in: 'take.approved', replace: ['isProven', 'isProven: true'] },
    'an operator changes the destination of a withdrawal': {
      in: 'reviewWithdrawalAct',
      replace: ["!== 'burn'", "=== 'transfer'"],
    },
  },
  'features/payments/admin/withdrawal-review.ts': {
    'a withdrawal is approved without a second factor': {
      in: 'refuseApprover',
      drop: 'withdrawal_approval_needs_factor',
    },
    'an operator with one hour of service approves a withdrawal': {
      in: 'refuseApprover',
      replace: ['APPROVAL_POWER, nowMs', 'APPROVAL_POWER, nowMs: nowMs + 86_400_000'],
    },
    'two accounts of one operator approve a withdrawal': {
      in: 'refuseApprover.mark',
      value: 'own',
    },
    'an operator ends a payment that another operator is making': {
      in: 'lockUnclaimed.released',
      replace: ['payer', '{ ...payer, isAdmin: true }'],
    },
    'an approval counts after its operator lost the permission': {
      in: 'approveIn.standing',
      value: 'before.slice()',
    },
  },
  'features/referral/codes.ts': {
    "a user takes another user's affiliation code": {
      in: 'insertReferralCode',
      replace: ['<> $2', '= 0'],
    },
  },
};
