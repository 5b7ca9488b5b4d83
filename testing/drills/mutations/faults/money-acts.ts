// Faults in operator actions that move money, and in withdrawal approvals. Tests must detect each.

import type { FaultTable } from '../fault.ts';

export const MONEY_ACT_FAULTS: FaultTable = {
  'features/payments/admin/credit.ts': {
    'a credit has no value, so nobody approves it': {
      in: 'creditAct',
      replace: ['!is_pending', 'is_pending'],
    },
  },
  'features/payments/admin/burn.ts': {
    'a held burn counts for nothing': {
      in: 'burnAct',
      replace: [
        'money: { currency, amount }',
        '...(!is_pending && { money: { currency, amount } })',
      ],
    },
  },
  'features/payments/admin/money-terms.ts': {
    'money of the house moves like that of people': {
      in: 'requireUsers',
      replace: ['=== undefined', '!== null'],
    },
    'of the sides of a trade the cheaper one counts': {
      in: 'largerOf',
      replace: ['0 ? one : other', '0 ? other : one'],
    },
  },
  'features/trading/admin/direct-trade.ts': {
    'the maker of a trade does not gain by it': {
      in: 'directTradeAct.prepare.beneficiaries',
      remove: 'maker,',
    },
  },
  'features/payments/admin/settle-fees.ts': {
    'one person settles the fees': { in: 'settleFeesAct.prepare.approvals', value: '0' },
  },
  'features/payments/admin/review-deposit.ts': {
    'a reviewed deposit is credited without a value': {
      in: 'reviewDepositAct',
      remove: '...(isCredit && { money: { currency, amount } }),',
    },
  },
  'features/payments/admin/review-withdrawal.ts': {
    'a review keeps the steps before a refused one': {
      in: 'review',
      replace: ['return taken', 'break'],
    },
    'a key approves a withdrawal': { in: 'take.approved', replace: ['isProven', 'isProven: true'] },
    'an operator changes where a withdrawal goes': {
      in: 'reviewWithdrawalAct',
      replace: ["!== 'burn'", "=== 'transfer'"],
    },
  },
  'features/payments/admin/withdrawal-review.ts': {
    'a withdrawal is approved without a second factor': {
      in: 'refuseApprover',
      drop: 'withdrawal_approval_needs_factor',
    },
    'an operator of an hour approves a withdrawal': {
      in: 'refuseApprover',
      replace: ['APPROVAL_POWER, nowMs', 'APPROVAL_POWER, nowMs: nowMs + 86_400_000'],
    },
    'two accounts of one person approve a withdrawal': { in: 'refuseApprover.mark', value: 'own' },
    'an operator ends what another one is paying': {
      in: 'lockUnclaimed.released',
      replace: ['payer', '{ ...payer, isAdmin: true }'],
    },
    'the approval of somebody who lost the power counts': {
      in: 'approveIn.standing',
      value: 'before.slice()',
    },
  },
  'features/referral/codes.ts': {
    'a user takes the affiliation code of another user': {
      in: 'insertReferralCode',
      replace: ['<> $2', '= 0'],
    },
  },
};
