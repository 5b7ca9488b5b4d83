// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in how money leaves: the policy and its input, requests and their moves, confirmations,
// reviews, the address book and sub-accounts.

import type { Fault } from '../fault.ts';

const POLICY = 'features/payments/policy/withdrawal-policy.ts';
const INPUT = 'features/payments/policy/withdrawal-policy-input.ts';
const AMOUNTS = 'features/payments/policy/valued-amounts.ts';
const FAMILY = 'features/payments/family.ts';
const REQUESTS = 'features/payments/withdrawals/requests.ts';
const MOVES = 'features/payments/request-moves.ts';
const PRICES = 'features/market-data/valuation/prices.ts';
const ASK = 'features/payments/withdrawals/request-withdrawal.ts';
const CONFIRM = 'features/payments/withdrawals/confirm-withdrawal.ts';
const REVIEW = 'features/payments/admin/withdrawal-review.ts';
const CANCEL = 'features/payments/withdrawals/cancel-withdrawal.ts';
const EXPIRE = 'features/payments/withdrawals/expire-withdrawals.ts';
const TERMS = 'features/payments/withdrawals/withdrawal-terms.ts';
const BOOK = 'features/payments/addresses/address-book.ts';
const SUBS = 'features/sub-accounts/sub-accounts.ts';
const FAMILY_TRANSFERS = 'features/sub-accounts/family-transfers.ts';
const REFUSAL = 'features/payments/policy/policy-refusal.ts';

export const TRANSFER_FAULTS: readonly Fault[] = [
  {
    name: 'a review wins over a refusal',
    file: POLICY,
    find: "({ result }) => result === 'refuse')",
    replace: "({ result, rule }) => result === 'refuse' && rule !== 'credential_hold')",
  },
  {
    name: 'the smallest number of reviews counts',
    file: POLICY,
    find: 'return Math.max(...lines',
    replace: 'return Math.min(...lines',
  },
  {
    name: 'a virtual sub-account withdraws',
    file: POLICY,
    find: "kind !== 'sub' && kind !== 'virtual'",
    replace: "kind !== 'sub'",
  },
  {
    name: 'a key withdraws without its grant',
    file: POLICY,
    find: "isByKey ? isGranted : proof !== 'none'",
    replace: "proof !== 'none'",
  },
  {
    name: 'nothing withdraws without a proof',
    file: POLICY,
    find: "isGranted : proof !== 'none'",
    replace: 'isGranted : true',
  },
  {
    name: 'a hold ends a millisecond early',
    file: POLICY,
    find: 'passes: untilMs <= nowMs, facts: { untilMs }',
    replace: 'passes: untilMs - 1 <= nowMs, facts: { untilMs }',
  },
  {
    name: 'a key without address list needs no book',
    file: POLICY,
    find: '(key.isBookOnly || !key.hasAddressList)',
    replace: 'key.isBookOnly',
  },
  {
    name: 'an entry of the book counts before it is active',
    file: POLICY,
    find: '!isRequired || untilMs <= input.nowMs',
    replace: 'true',
  },
  {
    name: 'an entry that is not active makes an address known',
    file: POLICY,
    find: 'address.bookActiveMs !== null && address.bookActiveMs <= nowMs',
    replace: 'address.bookActiveMs !== null',
  },
  {
    name: 'a limit admits one unit more',
    file: POLICY,
    find: 'compareDecimals(sum, parseDecimal(max)) <= 0, facts };',
    replace:
      'compareDecimals(sum, { ...parseDecimal(max), mantissa: 1n + parseDecimal(max).mantissa }) ' +
      '<= 0, facts };',
  },
  {
    name: 'a shared limit counts currencies with limits of their own',
    file: POLICY,
    find: '? !ownLimits.includes(currency)',
    replace: '? true',
  },
  {
    name: 'a limit of one currency counts all',
    file: POLICY,
    find: ': currency === requested.currency;',
    replace: ': true;',
  },
  {
    name: 'the request itself does not count towards its limit',
    file: POLICY,
    find: 'return [...before.filter(isShared), requested];',
    replace: 'return before.filter(isShared);',
  },
  {
    name: 'splitting over accounts keeps an address below its size',
    file: POLICY,
    find: 'passes: ofFamily.isBelow && toAddress.isBelow, facts',
    replace: 'passes: ofFamily.isBelow, facts',
  },
  {
    name: 'a coin without a price is below every threshold',
    file: POLICY,
    find: 'return value !== undefined && compareDecimals(value, parseDecimal(from)) < 0;',
    replace: 'return value === undefined || compareDecimals(value, parseDecimal(from)) < 0;',
  },
  {
    name: 'a user learns which rule asks for a review',
    file: POLICY,
    find: "tellUser === 'contact_support' ? tellUser : rule;",
    replace: "tellUser === 'contact_support' ? rule : rule;",
  },
  {
    name: 'a price of zero counts',
    file: AMOUNTS,
    find: 'price.mantissa > 0n ? price : undefined',
    replace: 'price',
  },
  {
    name: 'the scale of an amount is lost',
    file: AMOUNTS,
    find: 'multiplyDecimals({ mantissa: BigInt(atoms), scale }, price)',
    replace: 'multiplyDecimals({ mantissa: BigInt(atoms), scale: scale * 0 }, price)',
  },
  {
    name: 'withdrawals of a family do not wait for each other',
    file: FAMILY,
    find: 'from users where id = $1) for no key update`;',
    replace: 'from users where id = $1)`;',
  },
  {
    name: 'a sub-account locks only itself',
    file: FAMILY,
    find: '(select coalesce(parent_id, id) from users where id = $1)',
    replace: '(select id from users where id = $1)',
  },
  {
    name: 'requests of sub-accounts do not count',
    file: INPUT,
    find: 'array(select id from users where id = $3 or parent_id = $3) as family',
    replace: 'array(select id from users where id = $3) as family',
  },
  {
    name: 'a suspended key withdraws',
    file: INPUT,
    find: '      and k.suspended_reason is null and',
    replace: '      and',
  },
  {
    name: 'a key of another user counts',
    file: INPUT,
    find: 'on k.id = $2 and k.user_id = u.id',
    replace: 'on k.id = $2',
  },
  {
    name: 'a request counts itself when it is decided again',
    file: INPUT,
    find: '($2::bigint is null or w.id < $2)',
    replace: '($2::bigint is null or true)',
  },
  {
    name: 'transfers to other users escape the limits',
    file: INPUT,
    find: "(w.kind <> 'transfer' or w.network = '${EMAIL_NETWORK}')`;",
    replace: "w.kind <> 'transfer'`;",
  },
  {
    name: 'a removed entry of the book counts',
    file: INPUT,
    find: "network = coalesce($5, '') and removed_at is null",
    replace: "network = coalesce($5, '')",
  },
  {
    name: 'an entry with a tag allows every tag',
    file: INPUT,
    find: "case when tag = '' then address else address || ':' || tag end = $1",
    replace: "(address = $1 or address || ':' || tag = $1)",
  },
  {
    name: 'the rule of the book ends at once',
    file: INPUT,
    find: 'coalesce(u.book_only_until > clock_timestamp(), true)',
    replace: 'u.book_only_until is null',
  },
  {
    name: 'a payment of an hour ago makes an address known',
    file: INPUT,
    find: '        and w.created_at <= $6::timestamptz - make_interval(hours => $7::integer)\n',
    replace: '        and w.created_at <= $6::timestamptz\n',
  },
  {
    name: 'a request is valued anew when it is decided again',
    file: INPUT,
    find: 'const before = stored?.input;',
    replace: 'const before = undefined as Partial<PolicyInput> | undefined;',
  },
  {
    name: 'the median counts only hours with trades',
    file: PRICES,
    find: '- greatest(start, $2) as stood',
    replace: "- coalesce(lead(start) over (order by start), $3) + interval '1 hour' as stood",
  },
  {
    name: 'the lower of reference and median counts',
    file: PRICES,
    find: 'return one.over * other.under > other.over * one.under;',
    replace: 'return one.over * other.under < other.over * one.under;',
  },
  {
    name: 'a refused withdrawal is opened',
    file: REQUESTS,
    find: '  if (refusal !== undefined) return refusal;\n',
    replace: '',
  },
  {
    name: 'a wrong factor opens a withdrawal',
    file: REQUESTS,
    find: 'isConfirmed !== undefined && !(await isConfirmed(connection))',
    replace: 'isConfirmed !== undefined && (await isConfirmed(connection)) === undefined',
  },
  {
    name: 'a withdrawal that needs reviews is approved',
    file: MOVES,
    find: 'r.reviews_needed > 0',
    replace: 'r.reviews_needed > 2',
  },
  {
    name: 'a withdrawal is requested without the factor',
    file: ASK,
    find: '    if (missing !== undefined) return factorRefusal(missing);\n',
    replace: '',
  },
  {
    name: 'the policy does not stop a request',
    file: ASK,
    find: '  if (refusal !== undefined) return refusal;\n',
    replace: '',
  },
  {
    name: 'a refused request uses up its factor',
    file: ASK,
    find: "      await connection.query('rollback to savepoint unproven');\n",
    replace: '',
  },
  {
    name: 'a code confirms other terms',
    file: CONFIRM,
    find:
      '    if (termsText(terms) !== used.payload) ' +
      "return new Refused('withdrawal_terms_changed');\n",
    replace: '',
  },
  {
    name: 'a code confirms after its request has expired',
    file: CONFIRM,
    find: 'found.row.expires_at.getTime() <= confirmation.nowMs',
    replace: 'found.row.expires_at.getTime() <= 0',
  },
  {
    name: 'the policy does not run again at the confirmation',
    file: CONFIRM,
    find: '    const refusal = policyRefusal(decision);\n',
    replace: '    const refusal = policyRefusal({ ...decision, verdict: { kind: "allow" } });\n',
  },
  {
    name: 'a transfer reaches an account that is not active',
    file: CONFIRM,
    find: "found === undefined || found.state !== 'active' || found.id === user",
    replace: 'found === undefined || found.id === user',
  },
  {
    name: 'the terms of a code leave out the address',
    file: TERMS,
    find: '    network,\n    address,\n  ]);',
    replace: '    network,\n  ]);',
  },
  {
    name: 'one operator approves twice',
    file: REVIEW,
    find: '    if (isAgain && standing.length < needed) {\n',
    replace: '    if (isAgain) standing.push(0 as UserId);\n    if (needed < 0) {\n',
  },
  {
    name: 'an operator approves for the own family',
    file: REVIEW,
    find: "if (own === 'same_user' || own === 'family')",
    replace: "if (own === 'same_user')",
  },
  {
    name: 'the first of two approvals is enough',
    file: REVIEW,
    find: '    if (new Set([...standing, user]).size < needed) return unchanged(found);\n',
    replace: '',
  },
  {
    name: 'a claim passes a hold that came later',
    file: REVIEW,
    find: "if (found.state === 'approved' && rule !== undefined) {",
    replace: "if (found.state === 'in_review' && rule !== undefined) {",
  },
  {
    name: 'an operator completes the claim of another',
    file: REVIEW,
    find: "    if (state === 'claimed' && isClaimedByAnother(found, payer)) {",
    replace: "    if (state === 'completed' && isClaimedByAnother(found, payer)) {",
  },
  {
    name: 'a user cancels the request of another',
    file: CANCEL,
    find: 'await lockRequest(connection, WITHDRAWALS, name, user);',
    replace: 'await lockRequest(connection, WITHDRAWALS, name);',
  },
  {
    name: 'a request expires although it was given more time',
    file: EXPIRE,
    find: '!EXPIRING.includes(found.state) || found.row.expires_at.getTime() > nowMs',
    replace: '!EXPIRING.includes(found.state)',
  },
  {
    name: 'an address ages with its label',
    file: BOOK,
    find: 'return JSON.stringify([currency, network, address, tag]);',
    replace: 'return JSON.stringify([currency, network]);',
  },
  {
    name: 'a new address does not wait',
    file: BOOK,
    find: 'const times = [new Date(nowMs), new Date(nowMs + ADDRESS_DELAY_MS)];',
    replace: 'const times = [new Date(nowMs), new Date(nowMs)];',
  },
  {
    name: 'the book grows without the factor',
    file: BOOK,
    find: '    if (added.length > 0) {\n      const refusal',
    replace: '    if (added.length > 1_000) {\n      const refusal',
  },
  {
    name: 'only the book ends at once when it is switched off',
    file: BOOK,
    find: '[person.user, isBookOnly ? null : from]',
    replace: '[person.user, isBookOnly ? null : new Date(person.nowMs)]',
  },
  {
    name: "a sub-account of another parent is one's own",
    file: SUBS,
    find: "const own = 'select state from users where id = $1 and parent_id = $2';",
    replace: "const own = 'select state from users where id = $1 and $2::bigint is not null';",
  },
  {
    name: 'money in a family moves the other way',
    file: FAMILY_TRANSFERS,
    find: "? parent : sub,\n      receiver: direction === 'to_sub' ? sub : parent,",
    replace: "? sub : parent,\n      receiver: direction === 'to_sub' ? parent : sub,",
  },
  {
    name: 'a refusal tells its end when it has none',
    file: REFUSAL,
    find: "...(tellUser === 'end_time' && { until: timeText(Number(facts.untilMs)) }),",
    replace: '',
  },
];
