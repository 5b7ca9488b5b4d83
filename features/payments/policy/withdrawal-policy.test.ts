// Tests the withdrawal policy: each rule alone at its boundary, and the limits against a simple
// model that adds up fractions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_POLICY_SETTINGS } from './policy-settings.ts';
import type { CurrencyAmount } from './valued-amounts.ts';
import {
  type PolicyInput,
  type PolicyRule,
  toldLines,
  withdrawalPolicy,
} from './withdrawal-policy.ts';

const NOW_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;

const btc = (atoms: string): CurrencyAmount => ({ currency: 'btc', atoms, scale: 8 });
const usdt = (atoms: string): CurrencyAmount => ({ currency: 'usdt', atoms, scale: 6 });
const limitOf = (amount: string, monthlyAmount: string, limitCurrency = 'btc', currency = 'btc') =>
  ({ limitCurrency, currency, amount, monthlyAmount }) as const;

/** Half a bitcoin at 120, for a user with limits of one bitcoin per day and ten per month. */
const ALLOWED: PolicyInput = {
  nowMs: NOW_MS,
  account: {
    state: 'active',
    isStateNewer: false,
    kind: 'person',
    verificationLevel: 1,
    blockedUntilMs: 0,
    isBookOnly: false,
    createdMs: NOW_MS - 100 * DAY_MS,
  },
  proof: 'second_factor',
  key: null,
  session: {
    deviceSinceMs: NOW_MS - 50 * DAY_MS,
    country: 'IT',
    knownCountries: ['FR', 'IT'],
  },
  coin: {
    isOpen: true,
    isFiat: false,
    hasNetwork: true,
    isNetworkOpen: true,
    min: '0.1',
    max: '0.5',
  },
  network: 'btc',
  address: { isValid: true, isOwn: false, bookActiveMs: null, isKnown: false },
  requested: btc('50000000'),
  fee: btc('1000'),
  limit: limitOf('1', '10'),
  ownLimits: ['btc'],
  withinDay: [],
  withinMonth: [],
  openBefore: 0,
  countWithinHour: 0,
  toAddressWithinDay: [],
  outflowWithinHour: [],
  outflowWithinDay: [],
  ceiling: null,
  freshFunds: [],
  balanceAtoms: '1000000000',
  signs: { earlierCount: 0, usualAtoms: null, deposits: [], newCountryLogin: null },
  watched: {
    unusual: {
      days: 90,
      count_min: 3,
      times_min: 10,
      deposit_hours: 24,
      percent_min: 95,
      value_min: 60,
    },
    newCountry: { hours: 72 },
  },
  prices: {},
  values: { btc: '120' },
  screening: 'pass',
  settings: { ...DEFAULT_POLICY_SETTINGS, currency: 'usdt' },
};

const { account, address, coin, session, settings, signs, watched } = ALLOWED;
const of = {
  account: (change: Partial<PolicyInput['account']>) => ({ account: { ...account, ...change } }),
  address: (change: Partial<PolicyInput['address']>) => ({ address: { ...address, ...change } }),
  coin: (change: Partial<NonNullable<PolicyInput['coin']>>) => ({ coin: { ...coin!, ...change } }),
  session: (change: Partial<NonNullable<PolicyInput['session']>>) => ({
    session: { ...session!, ...change },
  }),
  signs: (change: Partial<PolicyInput['signs']>) => ({ signs: { ...signs, ...change } }),
  settings: (change: Partial<PolicyInput['settings']>) => ({
    settings: { ...settings, ...change },
  }),
  key: (change: Partial<NonNullable<PolicyInput['key']>>): Partial<PolicyInput> => ({
    proof: 'key',
    session: null,
    key: { isGranted: true, hasAddressList: true, isBookOnly: false, ...change },
  }),
};
const BOOK_ONLY = of.account({ isBookOnly: true });
const EVERYTHING = limitOf('100', '0', 'default', 'usdt');
const SHARED = { limit: EVERYTHING, ownLimits: ['eur'], prices: { btc: '120' } };

/** Usual size for a request of half a bitcoin. */
const USUAL = (usualAtoms: string, earlierCount = 3) => of.signs({ usualAtoms, earlierCount });
const EMPTIES = (balanceAtoms: string) => ({ balanceAtoms, ...of.signs({ deposits: [5] }) });
const NOTHING_WATCHED = { unusual: null, newCountry: null };

type Outcome = 'allow' | 'review 1' | 'review 2' | PolicyRule;

// For each rule: input that passes, input exactly at the boundary, and input that fails. Exactly
// the named line fails, so each row fails if its rule is removed.
const table: [
  what: string,
  change: Partial<PolicyInput>,
  outcome: Outcome,
  lines?: PolicyRule[],
][] = [
  ['an ordinary request', {}, 'allow'],

  ['an unverified account', of.account({ state: 'unverified' }), 'account_active'],
  ['a frozen account', of.account({ state: 'frozen' }), 'account_active'],
  ['a closing account', of.account({ state: 'closing' }), 'account_active'],
  ['an account frozen since the request', of.account({ isStateNewer: true }), 'account_active'],
  ['a sub-account', of.account({ kind: 'sub' }), 'not_sub_account'],
  ['a virtual sub-account', of.account({ kind: 'virtual' }), 'not_sub_account'],
  ['a house account', of.account({ kind: 'house' }), 'allow'],
  ['level 0', of.account({ verificationLevel: 0 }), 'level'],

  ['no factor', { proof: 'none' }, 'factor_proven'],
  ['a proof given earlier', { proof: 'earlier' }, 'allow'],
  ['a granted key', of.key({}), 'allow'],
  ['a key without the grant', of.key({ isGranted: false }), 'factor_proven'],
  ['a key with the grant', { ...of.key({}), proof: 'earlier' }, 'allow'],
  [
    'a key that lost the grant',
    { ...of.key({ isGranted: false }), proof: 'earlier' },
    'factor_proven',
  ],
  ['an unknown key', { proof: 'key' }, 'factor_proven'],

  ['a hold until now', of.account({ blockedUntilMs: NOW_MS }), 'allow'],
  ['a hold until later', of.account({ blockedUntilMs: NOW_MS + 1 }), 'credential_hold'],

  ['a closed coin', of.coin({ isOpen: false }), 'asset_open'],
  ['a coin without a description', { coin: null }, 'asset_open', ['asset_open', 'network']],
  ['a network that the coin does not have', of.coin({ hasNetwork: false }), 'network'],
  ['a closed network', of.coin({ isNetworkOpen: false }), 'network'],
  ['fiat to a chain', of.coin({ isFiat: true }), 'fiat_to_bank'],
  ['fiat to any text', { ...of.coin({ isFiat: true }), network: null }, 'fiat_to_bank'],
  ['fiat to a bank account', { ...of.coin({ isFiat: true }), network: 'fiat' }, 'allow'],
  ['fiat to another user', { ...of.coin({ isFiat: true }), network: 'email' }, 'allow'],
  ['a blockchain coin to a bank account', { network: 'fiat' }, 'fiat_to_bank'],
  ['an invalid address', of.address({ isValid: false }), 'address'],
  ['an own deposit address', of.address({ isOwn: true }), 'own_deposit_address'],

  ['no entry, if withdrawals are limited to the book', BOOK_ONLY, 'book_only'],
  ['an active entry', { ...BOOK_ONLY, ...of.address({ bookActiveMs: NOW_MS }) }, 'allow'],
  [
    'an entry that is not active yet',
    { ...BOOK_ONLY, ...of.address({ bookActiveMs: NOW_MS + 1 }) },
    'address_not_active',
  ],
  ['such an entry without that rule', of.address({ bookActiveMs: NOW_MS + 1 }), 'allow'],
  ['a key limited to the book', of.key({ isBookOnly: true }), 'book_only'],
  ['a key without address list', of.key({ hasAddressList: false }), 'book_only'],
  [
    'a key without address list, to the book',
    { ...of.key({ hasAddressList: false }), ...of.address({ bookActiveMs: NOW_MS }) },
    'allow',
  ],
  [
    'a key without address list, too early',
    { ...of.key({ hasAddressList: false }), ...of.address({ bookActiveMs: NOW_MS + 1 }) },
    'address_not_active',
  ],
  [
    'a bank account, which is never in the book',
    { ...BOOK_ONLY, ...of.coin({ isFiat: true }), network: 'fiat' },
    'allow',
  ],
  ['an email address that is not in the book', { ...BOOK_ONLY, network: 'email' }, 'book_only'],

  ['exactly the minimum', { requested: btc('10000000') }, 'allow'],
  ['an atom below the minimum', { requested: btc('9999999') }, 'min_max'],
  ['nothing, without a minimum', { ...of.coin({ min: null }), requested: btc('0') }, 'min_max'],
  ['a negative amount', { ...of.coin({ min: null }), requested: btc('-1') }, 'min_max'],
  ['an atom above the maximum', { requested: btc('50000001') }, 'min_max'],
  ['much, without a maximum', { ...of.coin({ max: null }), requested: btc('90000000') }, 'allow'],
  ['much, with a maximum of 0', { ...of.coin({ max: '0' }), requested: btc('90000000') }, 'allow'],

  ['no limit', { limit: null }, 'no_limit_set'],
  ['a day of -1', { limit: limitOf('-1', '0') }, 'limit_is_off'],
  ['a month of -1', { limit: limitOf('0', '-1') }, 'limit_is_off'],
  ['0 and 0', { limit: limitOf('0', '0'), withinMonth: [btc('9'.repeat(18))] }, 'allow'],
  [
    'exactly the daily limit',
    { withinDay: [btc('50000000')], withinMonth: [btc('50000000')] },
    'allow',
  ],
  ['an atom above the daily limit', { withinDay: [btc('50000001')] }, 'day_limit'],
  ['exactly the monthly limit', { withinMonth: [btc('950000000')] }, 'allow'],
  ['an atom above the monthly limit', { withinMonth: [btc('950000001')] }, 'month_limit'],
  ['a limit below an atom', { limit: limitOf('0.4999999999999999', '0') }, 'day_limit'],
  [
    'a monthly limit without a daily one',
    { limit: limitOf('0', '1'), withinMonth: [btc('50000001')] },
    'month_limit',
  ],
  ['other currencies, which have their own limits', { withinDay: [usdt('9'.repeat(9))] }, 'allow'],
  ['a shared limit without a price', { ...SHARED, prices: {} }, 'price_missing'],
  ['a price of 0', { ...SHARED, prices: { btc: '0' } }, 'price_missing'],
  ['an earlier one without a price', { ...SHARED, withinMonth: [named('xrp')] }, 'price_missing'],
  [
    'a name that every object has',
    { ...SHARED, withinMonth: [named('toString')] },
    'price_missing',
  ],
  ['no price, if nothing is limited', { limit: limitOf('0', '0', 'default', 'usdt') }, 'allow'],
  ['a shared limit, exactly', { ...SHARED, withinDay: [usdt('40000000')] }, 'allow'],
  ['a shared limit, a little more', { ...SHARED, withinDay: [usdt('40000001')] }, 'day_limit'],
  [
    'a shared limit, and a currency with its own',
    {
      ...SHARED,
      withinDay: [{ currency: 'eur', atoms: '9999', scale: 0 }],
      values: { btc: '120', eur: '0.01' },
    },
    'allow',
  ],

  ['a rejected screening', { screening: 'refuse' }, 'screening_refuse'],
  ['a held screening', { screening: 'hold' }, 'review 2', ['screening_hold']],

  ['a large one to a new address', { values: { btc: '2000' } }, 'review 1', ['new_address_large']],
  ['almost a large one', { values: { btc: '1999.99' } }, 'allow'],
  [
    'a large one to a known address',
    { values: { btc: '2000' }, ...of.address({ isKnown: true }) },
    'allow',
  ],
  [
    'a large one to the book',
    { values: { btc: '2000' }, ...of.address({ bookActiveMs: NOW_MS }) },
    'allow',
  ],
  [
    'a large one to an entry that is not active yet',
    { values: { btc: '2000' }, ...of.address({ bookActiveMs: NOW_MS + 1 }) },
    'review 1',
    ['new_address_large'],
  ],
  [
    'many small ones to a new address',
    { toAddressWithinDay: [usdt('940000000')] },
    'review 1',
    ['new_address_large'],
  ],

  ['a device added yesterday', of.session({ deviceSinceMs: NOW_MS - DAY_MS }), 'allow'],
  [
    'a device added today',
    of.session({ deviceSinceMs: NOW_MS - DAY_MS + 1 }),
    'review 1',
    ['new_device'],
  ],
  ['an unknown device', of.session({ deviceSinceMs: null }), 'allow'],
  [
    'a new account, for which everything is new',
    { ...of.account({ createdMs: NOW_MS - DAY_MS + 1 }), ...of.session({ deviceSinceMs: NOW_MS }) },
    'allow',
  ],
  ['a new country', of.session({ country: 'KP' }), 'review 1', ['new_country']],
  ['an unknown country', of.session({ country: '' }), 'allow'],
  ['the first country', of.session({ country: 'KP', knownCountries: [] }), 'allow'],

  ['a login from a new country', of.signs({ newCountryLogin: 7 }), 'review 1', ['new_country']],
  [
    'such a login, by a key',
    { ...of.key({}), ...of.signs({ newCountryLogin: 7 }) },
    'review 1',
    ['new_country'],
  ],
  [
    'such a login, if the rule is disabled',
    { ...of.signs({ newCountryLogin: 7 }), watched: { ...watched, newCountry: null } },
    'allow',
  ],

  ['ten times the usual size', USUAL('5000000'), 'review 1', ['unusual_withdrawal']],
  ['almost ten times', USUAL('5000001'), 'allow'],
  ['ten times, after two', USUAL('5000000', 2), 'allow'],
  ['ten times, worth little', { ...USUAL('5000000'), values: { btc: '119.99' } }, 'allow'],
  [
    'ten times, without a price',
    { ...USUAL('5000000'), values: {} },
    'review 2',
    ['new_address_large', 'unusual_withdrawal', 'size_t1', 'size_t2'],
  ],
  [
    'ten times, if the rule is disabled',
    { ...USUAL('5000000'), watched: NOTHING_WATCHED },
    'allow',
  ],
  ['95% after a deposit', EMPTIES('52631578'), 'review 1', ['unusual_withdrawal']],
  ['a little less after a deposit', EMPTIES('52631579'), 'allow'],
  ['95% without a deposit', { balanceAtoms: '52631578' }, 'allow'],
  ['an unknown balance', { ...EMPTIES('1'), balanceAtoms: null }, 'allow'],

  ['the twentieth open one', { openBefore: 19 }, 'allow'],
  ['one more than can be open', { openBefore: 20 }, 'open_requests'],
  ['more, if the operator allows it', { openBefore: 20, ...of.settings({ openMax: 21 }) }, 'allow'],

  ['the tenth within an hour', { countWithinHour: 9 }, 'allow'],
  ['the eleventh within an hour', { countWithinHour: 10 }, 'review 1', ['velocity']],

  ['a small amount that has just arrived', { freshFunds: [usdt('999999999')] }, 'allow'],
  [
    'a large amount that has just arrived',
    { freshFunds: [usdt('1000000000')] },
    'review 1',
    ['fresh_funds'],
  ],
  [
    'coins without a price that have just arrived',
    { freshFunds: [named('xrp')] },
    'review 1',
    ['fresh_funds'],
  ],

  [
    'almost the first threshold',
    { withinDay: [eur('9939.99')], ...SHARED, values: VALUES() },
    'allow',
  ],
  [
    'the first threshold',
    { withinDay: [eur('9940')], ...SHARED, values: VALUES() },
    'review 1',
    ['size_t1'],
  ],
  [
    'the first threshold to one address',
    { toAddressWithinDay: [eur('9940')], values: VALUES(), ...of.address({ isKnown: true }) },
    'review 1',
    ['size_t1'],
  ],
  [
    'almost the second threshold',
    { withinDay: [eur('99939.99')], ...SHARED, values: VALUES() },
    'review 1',
    ['size_t1'],
  ],
  [
    'the second threshold',
    { withinDay: [eur('99940')], ...SHARED, values: VALUES() },
    'review 2',
    ['size_t1', 'size_t2'],
  ],
  [
    'a coin without a price',
    { values: {} },
    'review 2',
    ['new_address_large', 'size_t1', 'size_t2'],
  ],

  ['exactly the outflow', { outflowWithinHour: [usdt('999940000000')] }, 'allow'],
  [
    'more than the outflow',
    { outflowWithinHour: [usdt('999940000001')] },
    'review 2',
    ['outflow_cap'],
  ],
  ['an outflow without a price', { outflowWithinHour: [named('xrp')] }, 'allow'],

  [
    'exactly both ceilings',
    {
      ceiling: { hourly: '0.75', daily: '1.5' },
      outflowWithinHour: [btc('25000000'), usdt('1')],
      outflowWithinDay: [btc('100000000')],
    },
    'allow',
  ],
  [
    'more than the hourly ceiling',
    { ceiling: { hourly: '0.75', daily: null }, outflowWithinHour: [btc('25000001')] },
    'review 2',
    ['asset_ceiling'],
  ],
  [
    'more than the daily ceiling',
    { ceiling: { hourly: null, daily: '1.5' }, outflowWithinDay: [btc('100000001')] },
    'review 2',
    ['asset_ceiling'],
  ],
  ['a ceiling of zero', { ceiling: { hourly: '0', daily: null } }, 'review 2', ['asset_ceiling']],

  [
    'a transfer by email that needs a review',
    { network: 'email', values: { btc: '2000' } },
    'transfer_needs_review',
    ['new_address_large', 'transfer_needs_review'],
  ],
  ['a small transfer by email', { network: 'email' }, 'allow'],
  [
    'a transfer by email with another rejection, which takes precedence',
    { network: 'email', screening: 'hold', limit: null },
    'no_limit_set',
    ['no_limit_set', 'screening_hold', 'transfer_needs_review'],
  ],

  [
    'a rejection and a review',
    { screening: 'hold', ...of.account({ blockedUntilMs: NOW_MS + 1 }) },
    'credential_hold',
    ['credential_hold', 'screening_hold'],
  ],
  [
    'two rejections, of which the first counts',
    { proof: 'none', limit: null },
    'factor_proven',
    ['factor_proven', 'no_limit_set'],
  ],
  [
    'custom thresholds',
    of.settings({ oneReviewFrom: '60', newAddressFrom: '60.01' }),
    'review 1',
    ['size_t1'],
  ],
];

function named(currency: string): CurrencyAmount {
  return { currency, atoms: '1', scale: 0 };
}

function eur(amount: string): CurrencyAmount {
  return { currency: 'eur', atoms: `${Math.round(Number(amount) * 100)}`, scale: 2 };
}

function VALUES() {
  return { btc: '120', eur: '1' };
}

for (const [what, change, outcome, lines] of table) {
  test(`the policy for ${what}: ${outcome}`, () => {
    const input = { ...ALLOWED, ...change };
    const decision = withdrawalPolicy(input);
    const { verdict } = decision;
    const kind = verdict.kind === 'refuse' ? verdict.rule : verdict.kind;
    assert.equal(verdict.kind === 'review' ? `review ${verdict.reviews}` : kind, outcome);
    const failed = decision.lines.filter(({ result }) => result !== 'pass');
    const expected = lines ?? (outcome === 'allow' ? [] : [outcome]);
    assert.deepEqual(failed.map(({ rule }) => rule).toSorted(), expected.toSorted());
    const written = JSON.parse(JSON.stringify(input)) as PolicyInput;
    assert.deepEqual(withdrawalPolicy(written), decision, 'the same from the stored JSON');
  });
}

test('every rule has a row in the table where it fails', () => {
  const failing = new Set(
    table.flatMap(([, change]) =>
      withdrawalPolicy({ ...ALLOWED, ...change })
        .lines.filter(({ result }) => result !== 'pass')
        .map(({ rule }) => rule),
    ),
  );
  const all = withdrawalPolicy(ALLOWED).lines.map(({ rule }) => rule);
  assert.deepEqual([...failing].toSorted(), all.toSorted());
  assert.equal(all.length, 32);
});

test('a user sees reasons and end times of rejections, and nothing about reviews', () => {
  const told = (change: Partial<PolicyInput>) =>
    toldLines(withdrawalPolicy({ ...ALLOWED, ...change }).lines);
  assert.deepEqual(told({}), []);
  const until = of.account({ blockedUntilMs: NOW_MS + 5 });
  assert.deepEqual(told(until), [
    { rule: 'credential_hold', result: 'refuse', untilMs: NOW_MS + 5 },
  ]);
  assert.deepEqual(told({ limit: null }), [{ rule: 'no_limit_set', result: 'refuse' }]);
  assert.deepEqual(told({ values: {}, countWithinHour: 99 }), [
    { rule: 'under_review', result: 'review' },
  ]);
  assert.deepEqual(told({ screening: 'refuse' }), [{ rule: 'contact_support', result: 'refuse' }]);
});

test('a limit that is not a decimal throws', () => {
  assert.throws(() => withdrawalPolicy({ ...ALLOWED, limit: limitOf('NaN', '0') }), RangeError);
});

/** Every amount in the smallest unit of all these numbers: 10^-24. */
function slowUnits(text: string): bigint {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(24 - fraction.length);
}

test('property: a shared limit admits an amount exactly if the slow sum does', () => {
  const decimal = fc
    .tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 0, max: 999 }))
    .map(([whole, fraction]) => `${whole}.${`${fraction}`.padStart(3, '0')}`);
  const amount = fc.record({
    currency: fc.constantFrom('aaa', 'bbb', 'usdt'),
    atoms: fc.bigInt({ min: 1n, max: 10n ** 12n }).map(String),
    scale: fc.constantFrom(0, 2, 6, 8),
  });
  const kinds = { exact: 0, above: 0, below: 0 };
  fc.assert(
    fc.property(
      fc.array(amount, { maxLength: 4 }),
      amount,
      decimal,
      decimal,
      fc.constantFrom(-1n, 0n, 1n),
      (before, requested, aaa, bbb, more) => {
        const price = { aaa, bbb, usdt: '1' };
        // amount × price, both in their smallest units: at most 10^-8 × 10^-3.
        const slow = [...before, requested].reduce((sum, { atoms, currency, scale }) => {
          const key = currency as keyof typeof price;
          return sum + (BigInt(atoms) * slowUnits(price[key])) / 10n ** BigInt(scale);
        }, 0n);
        // A limit that equals the exact total, or differs by one of the smallest units.
        const limitUnits = slow + more;
        const digits = `${limitUnits}`.padStart(25, '0');
        const limit = `${digits.slice(0, -24)}.${digits.slice(-24)}`;
        const { lines } = withdrawalPolicy({
          ...ALLOWED,
          requested,
          withinDay: before,
          withinMonth: before,
          limit: limitOf(limit, limit, 'default', 'usdt'),
          ownLimits: [],
          prices: { aaa, bbb },
        });
        for (const rule of ['day_limit', 'month_limit']) {
          const { result } = lines.find((line) => line.rule === rule)!;
          assert.equal(result, more < 0n ? 'refuse' : 'pass', `${limit} for ${slow}`);
        }
        kinds[more < 0n ? 'above' : more > 0n ? 'below' : 'exact']++;
      },
    ),
    { numRuns: 1_000 },
  );
  assert.ok(Math.min(...Object.values(kinds)) > 100, JSON.stringify(kinds));
});
