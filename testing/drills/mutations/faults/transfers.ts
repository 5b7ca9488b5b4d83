// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in outgoing money: the policy and its input, requests and their transitions,
// confirmations, reviews, the address book and sub-accounts.

import type { FaultTable } from '../fault.ts';

export const TRANSFER_FAULTS: FaultTable = {
  'features/payments/policy/withdrawal-policy.ts': {
    'a review takes precedence over a refusal': {
      in: 'verdictOf',
      replace: [
        "({ result }) => result === 'refuse'",
        "({ result, rule }) => result === 'refuse' && rule !== 'credential_hold'",
      ],
    },
    'the minimum number of reviews counts': { in: 'mostReviews', replace: ['max', 'min'] },
    'a virtual sub-account withdraws': { in: 'isNoSubAccount', remove: "&& kind !== 'virtual'" },
    'a key withdraws without its grant': { in: 'isProven', remove: 'isByKey ? isGranted :' },
    'requests without a proof withdraw': { in: 'isProven', replace: ["proof !== 'none'", 'true'] },
    'a hold ends a millisecond early': { in: 'isNotHeld', replace: ['<=', '- 1 <='] },
    'a key without an address list needs no address book': {
      in: 'isBookRequired',
      replace: ['(key.isBookOnly || !key.hasAddressList)', 'key.isBookOnly'],
    },
    'an address book entry counts before it is active': {
      in: 'isBookEntryActive.passes',
      value: 'true',
    },
    'an inactive entry makes an address known': {
      in: 'isKnownOrSmall.isInBook',
      value: 'address.bookActiveMs !== null',
    },
    'a limit allows one extra unit': {
      in: 'isWithinLimit',
      replace: [
        'parseDecimal(max)',
        '{ ...parseDecimal(max), mantissa: 1n + parseDecimal(max).mantissa }',
      ],
    },
    'a shared limit counts currencies with their own limits': {
      in: 'countedFor',
      replace: ['!ownLimits.includes(currency)', 'true'],
    },
    'a single-currency limit counts all currencies': {
      in: 'countedFor',
      replace: ['currency === requested.currency', 'true'],
    },
    'the request itself does not count towards its limit': {
      in: 'countedFor',
      returns: 'before.filter(isShared)',
    },
    'splitting over accounts keeps an address below its threshold': {
      in: 'isBelowSize',
      remove: '&& toAddress.isBelow',
    },
    'a coin without a price is below every threshold': {
      in: 'isLess',
      replace: ['!== undefined &&', '=== undefined ||'],
    },
    'a user learns which rule requires a review': {
      in: 'toldLines',
      replace: ['tellUser :', 'rule :'],
    },
  },
  'features/payments/policy/valued-amounts.ts': {
    'a price of zero counts': { in: 'priceOf', remove: '.mantissa > 0n ? price : undefined' },
    'the scale of an amount is lost': {
      in: 'totalOf',
      replace: ['(atoms), scale', '(atoms), scale: scale * 0'],
    },
  },
  'features/payments/family.ts': {
    'withdrawals in an account family run concurrently': {
      in: 'LOCK_PARENT',
      remove: 'for no key update',
    },
    'a sub-account locks only itself': {
      in: 'LOCK_PARENT',
      replace: ['coalesce(parent_id, id)', 'id'],
    },
  },
  'features/payments/policy/withdrawal-policy-input.ts': {
    'requests of sub-accounts do not count': { in: 'ACCOUNT', remove: 'or parent_id = $3' },
    'a suspended key withdraws': { in: 'ACCOUNT', remove: 'k.suspended_reason is null and' },
    "another user's key is accepted": { in: 'ACCOUNT', remove: 'and k.user_id = u.id' },
    'a request counts itself when it is decided again': {
      in: 'COUNTS',
      replace: ['w.id < $2', 'true'],
    },
    'transfers to other users escape the limits': {
      in: 'COUNTS',
      replace: ["(w.kind <> 'transfer' or w.network = '${EMAIL_NETWORK}')", "w.kind <> 'transfer'"],
    },
    'a removed address book entry counts': { in: 'ADDRESS', remove: 'removed_at is null and' },
    'an entry with a tag allows every tag': {
      in: 'ADDRESS',
      replace: [
        "case when tag = '' then address else address || ':' || tag end = $1",
        "(address = $1 or address || ':' || tag = $1)",
      ],
    },
    'the address book rule ends immediately': {
      in: 'ACCOUNT',
      replace: [
        'coalesce(u.book_only_until > clock_timestamp(), true)',
        'u.book_only_until is null',
      ],
    },
    'a payment from an hour ago makes an address known': {
      in: 'ADDRESS',
      remove: '- make_interval(hours => $7::integer)',
    },
    'a request is valued again when it is decided again': {
      in: 'readPrices',
      replace: ['stored?.input', 'undefined as Partial<PolicyInput> | undefined'],
    },
  },
  'features/market-data/valuation/prices.ts': {
    'the median counts only hours with trades': {
      in: 'MEDIANS',
      replace: [
        'greatest(start, $2)',
        "coalesce(lead(start) over (order by start), $3) + interval '1 hour'",
      ],
    },
    'the lower of reference and median counts': { in: 'isHigher', replace: ['>', '<'] },
  },
  'features/payments/withdrawals/requests.ts': {
    'a rejected withdrawal is opened': { in: 'openWithdrawalIn', drop: 'refusal !==' },
    'a wrong factor opens a withdrawal': {
      in: 'openWithdrawalIn',
      replace: [
        '!(await isConfirmed(connection))',
        '(await isConfirmed(connection)) === undefined',
      ],
    },
  },
  'features/payments/request-moves.ts': {
    'a withdrawal that needs reviews is approved': {
      in: 'SETTLE_WITHDRAWALS',
      replace: ['> 0', '> 2'],
    },
  },
  'features/payments/withdrawals/request-withdrawal.ts': {
    'a withdrawal is requested without the second factor': {
      in: 'openWithdrawalFlow',
      drop: 'factorRefusal',
    },
    'the policy does not stop a request': { in: 'addRequest', drop: 'refusal !==' },
    'a rejected request uses up its factor': { in: 'openWithdrawalFlow', drop: 'rollback' },
  },
  'features/payments/withdrawals/confirm-withdrawal.ts': {
    'a code confirms other terms': { in: 'confirmByMail', drop: 'termsText' },
    'a code confirms after its request has expired': {
      in: 'confirmByMail',
      replace: ['confirmation.nowMs', '0'],
    },
    'the policy does not run again at confirmation': {
      in: 'confirmByMail.refusal',
      replace: ['decision', '{ ...decision, verdict: { kind: "allow" } }'],
    },
    'a transfer reaches an inactive account': {
      in: 'findRecipient',
      remove: "found.state !== 'active' ||",
    },
  },
  'features/payments/withdrawals/withdrawal-terms.ts': {
    'the terms of a code omit the address': { in: 'termsText', remove: ', address' },
  },
  'features/payments/admin/withdrawal-review.ts': {
    'one operator approves twice': {
      in: 'approveIn',
      replace: ['&& standing.length < needed', ') standing.push(0 as UserId); if (needed < 0'],
    },
    'an operator approves for their own account family': {
      in: 'refuseApprover',
      remove: "|| own === 'family'",
    },
    'the first of two approvals is enough': { in: 'approveIn', drop: 'Set' },
    'a claim ignores a later hold': { in: 'claim', replace: ['approved', 'in_review'] },
    "an operator completes another operator's claim": {
      in: 'completeIn',
      replace: ["'claimed' ?", "'completed' ?"],
    },
  },
  'features/payments/withdrawals/cancel-withdrawal.ts': {
    "a user cancels another user's request": { in: 'cancelIn.found', remove: ', user' },
  },
  'features/payments/withdrawals/expire-withdrawals.ts': {
    'a request expires although it was extended': {
      in: 'expireWithdrawal',
      remove: '|| found.row.expires_at.getTime() > nowMs',
    },
  },
  'features/payments/addresses/address-book.ts': {
    'an address ages with its label': { in: 'keyOf', remove: ', address, tag' },
    'a new address has no delay': { in: 'writeChange', remove: '+ ADDRESS_DELAY_MS' },
    'the address book grows without the second factor': {
      in: 'replaceAddressBook',
      replace: ['added.length > 0', 'added.length > 1_000'],
    },
    'address-book-only mode ends immediately when it is disabled': {
      in: 'setBookOnly',
      replace: ['null : from', 'null : new Date(person.nowMs)'],
    },
  },
  'features/sub-accounts/sub-accounts.ts': {
    "a sub-account of another parent is treated as one's own": {
      in: 'lockOwnSub',
      replace: ['parent_id = $2', '$2::bigint is not null'],
    },
  },
  'features/sub-accounts/family-transfers.ts': {
    'money in an account family moves in the wrong direction': {
      in: 'transferInFamily',
      replace: [
        "parent : sub, receiver: direction === 'to_sub' ? sub : parent",
        "sub : parent, receiver: direction === 'to_sub' ? parent : sub",
      ],
    },
  },
  'features/payments/policy/policy-refusal.ts': {
    'a refusal with an end time omits it': {
      in: 'policyRefusal',
      remove: ", ...(tellUser === 'end_time' && { until: timeText(Number(facts.untilMs)) })",
    },
  },
};
