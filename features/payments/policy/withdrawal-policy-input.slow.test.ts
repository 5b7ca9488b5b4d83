// Tests the input of the withdrawal policy from a real registry: each value that decides, and each
// request that counts toward a limit.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Atoms, UserId } from '../../../core/money/index.ts';
import { inTransaction } from '../../../infra/postgres/index.ts';
import {
  ADDRESS,
  bookEntry,
  change,
  closePolicyRegistry,
  connection,
  deposited,
  ETH,
  EUR,
  failing,
  HOUR,
  newBank,
  newKey,
  newSession,
  newUser,
  OTHER_ADDRESS,
  openPolicyRegistry,
  type PlantedSession,
  received,
  second,
  terms,
  withdrawn,
} from './policy-for-test.ts';
import { describePolicySettings, readPolicySettings } from './policy-settings.ts';
import type { PolicyRule } from './withdrawal-policy.ts';
import { type PolicyRequest, readPolicyInput } from './withdrawal-policy-input.ts';

/** Prepares the user, and can change the request. */
type Given = (user: UserId) => Promise<Partial<PolicyRequest> | undefined>;

/** 1,000 satoshi are worth 0.6, so an ordinary request passes every rule. */
const cases: readonly [what: string, Given, PolicyRule[]][] = [
  ['an ordinary request', async () => undefined, []],

  ['a frozen account', (user) => change(user, "state = 'frozen'"), ['account_active']],
  ['level 0', (user) => change(user, 'verification_level = 0'), ['level', 'no_limit_set']],
  [
    'a hold',
    (user) => change(user, `withdrawal_blocked_until = now() + interval '${HOUR}'`),
    ['credential_hold'],
  ],
  [
    'an expired hold',
    (user) => change(user, `withdrawal_blocked_until = now() - interval '1 second'`),
    [],
  ],
  ['abuse 27: no factor', async () => ({ proof: 'none' }), ['factor_proven']],

  ['a granted key', byKey({}), []],
  ['abuse 27: a key without the grant', byKey({ withdraw_granted_at: null }), ['factor_proven']],
  ['abuse 27: a key that cannot withdraw', byKey({ can_withdraw: false }), ['factor_proven']],
  ['abuse 27: a revoked key', byKey({ revoked: true }), ['factor_proven']],
  ['abuse 27: an inactive key', byKey({ active: false }), ['factor_proven']],
  ['abuse 27: a suspended key', byKey({ suspended_reason: 'reset' }), ['factor_proven']],
  ['abuse 27: an expired key', byKey({ expires_at: new Date(0) }), ['factor_proven']],
  [
    "abuse 27: another user's key",
    async () => ({ proof: 'key', key: await newKey(await newUser()) }),
    ['factor_proven', 'book_only'],
  ],
  ['a key without address list', byKey({ whitelisted_ips: [] }), ['book_only']],
  ['a key whose address list is disabled', byKey({ whitelisting_enabled: false }), ['book_only']],
  ['a key limited to the book', byKey({ book_only: true }), ['book_only']],

  [
    'abuse: a key, soon after a login from a new country',
    async (user) => {
      await newSession(user, { country: 'KP', known: ['IT'] });
      return byKey({})(user);
    },
    ['new_country'],
  ],

  ['only the book, and no entry', (user) => change(user, 'book_only = true'), ['book_only']],
  ['only the book, and an entry', withBook('-1 second'), []],
  ['abuse 30: an entry that is not active yet', withBook(HOUR), ['address_not_active']],
  ['an entry with a tag, if none is given', withBook('-1 second', '7'), ['book_only']],
  [
    'a tag that its entry has',
    async (user) => {
      await withBook('-1 second', '7')(user);
      return { address: `${ADDRESS}:7`, network: 'btc' };
    },
    ['address'],
  ],
  [
    'an entry for another network',
    async (user) => {
      await withBook('-1 second')(user);
      await connection.query("update address_book set network = 'eth' where user_id = $1", [user]);
    },
    ['book_only'],
  ],
  [
    'an entry for another currency',
    async (user) => {
      await withBook('-1 second')(user);
      await connection.query("update address_book set currency = 'eth' where user_id = $1", [user]);
    },
    ['book_only'],
  ],
  [
    'a removed entry',
    async (user) => {
      await withBook('-1 second')(user);
      await connection.query('update address_book set removed_at = now() where user_id = $1', [
        user,
      ]);
    },
    ['book_only'],
  ],
  [
    "another user's entry",
    async (user) => {
      await bookEntry(await newUser(), '-1 second');
      await change(user, 'book_only = true');
    },
    ['book_only'],
  ],
  [
    'the book rule, which ends later',
    (user) => change(user, `book_only = true, book_only_until = now() + interval '${HOUR}'`),
    ['book_only'],
  ],
  [
    'the book rule, which has ended',
    (user) => change(user, "book_only = true, book_only_until = now() - interval '1 second'"),
    [],
  ],

  ['a closed coin', async () => ({ asset: { currency: 'shut', scale: 8 } }), ['asset_open']],
  [
    'a coin with withdrawals disabled',
    async () => ({ asset: { currency: 'off', scale: 8 } }),
    ['asset_open'],
  ],
  [
    'a network that the coin does not have',
    async () => ({ network: 'trx' }),
    ['network', 'address'],
  ],
  ['no network', async () => ({ network: null }), ['network']],
  [
    'a closed network',
    async () => ({
      network: 'btc-regtest',
      address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    }),
    ['network'],
  ],
  ['an email address', async () => ({ network: 'email', address: 'a@example.com' }), []],
  ['a verified bank account', toBank('verified'), []],
  ['an unverified bank account', toBank('pending'), ['address']],
  ['fiat to any text', async () => ({ asset: EUR, network: null, address: 'x' }), ['fiat_to_bank']],
  [
    'fiat to another user',
    async () => ({ asset: EUR, network: 'email', address: 'a@example.com' }),
    [],
  ],
  ['a mistyped address', async () => ({ address: ADDRESS.replace('q', 'p') }), ['address']],
  ['an own deposit address', withWallet((user) => user), ['own_deposit_address']],
  ["a sub-account's deposit address", withWallet((user) => newUser(user)), ['own_deposit_address']],
  ["a stranger's deposit address", withWallet(() => newUser()), []],
  [
    'an own deposit address in another spelling',
    async (user) => {
      await withWallet(() => user)(user);
      return { address: OTHER_ADDRESS.toLowerCase(), network: 'unknown' };
    },
    ['own_deposit_address'],
  ],

  ['less than the minimum', async () => ({ amountAtoms: 9_999n as Atoms }), ['min_max']],
  ['exactly the minimum', async () => ({ amountAtoms: 10_000n as Atoms }), []],
  [
    'more than the network allows',
    async () => ({ amountAtoms: 10_000_001n as Atoms }),
    ['min_max', 'day_limit', 'month_limit', 'new_address_large'],
  ],
  ['no limit for the level', (user) => change(user, 'verification_level = 5'), ['no_limit_set']],
  ['a disabled limit', (user) => change(user, 'verification_level = 3'), ['limit_is_off']],

  ['the entire daily limit', spent({ atoms: 900_000n }), []],
  ['an atom more than the daily limit', spent({ atoms: 900_001n }), ['day_limit']],
  ['the same a day ago', spent({ atoms: 900_001n, age: '24 hours 1 second' }), []],
  [
    'an atom more than the monthly limit',
    spent({ atoms: 9_900_001n, age: '25 hours' }),
    ['month_limit'],
  ],
  ['the entire monthly limit', spent({ atoms: 9_900_000n, age: '25 hours' }), []],
  ['the same two months ago', spent({ atoms: 9_900_001n, age: '2 months' }), []],
  [
    'one pending email confirmation',
    spent({ atoms: 900_001n, state: 'unconfirmed' }),
    ['day_limit'],
  ],
  [
    'one awaiting its recipient',
    spent({ atoms: 900_001n, state: 'awaiting_recipient' }),
    ['day_limit'],
  ],
  ['one that is being canceled', spent({ atoms: 900_001n, state: 'canceling' }), ['day_limit']],
  ['a failed one', spent({ atoms: 900_001n, state: 'canceled' }), []],
  ['an expired one', spent({ atoms: 900_001n, state: 'expired' }), []],
  ['a transfer by an operator', spent({ atoms: 900_001n, kind: 'transfer', network: 'none' }), []],
  [
    'a transfer to another user',
    spent({ atoms: 900_001n, kind: 'transfer', network: 'email' }),
    ['day_limit'],
  ],
  ['a burn', spent({ atoms: 900_001n, kind: 'burn' }), ['day_limit']],
  [
    'abuse 32: one by a sub-account',
    async (user) => withdrawn(await newUser(user), { atoms: 900_001n, kind: 'burn' }),
    ['day_limit'],
  ],
  [
    'abuse 33: a request by a sub-account',
    async () => ({ user: await newUser(await newUser()) }),
    ['not_sub_account'],
  ],
  ['a stranger', async () => withdrawn(await newUser(), { atoms: 900_001n, address: 'x' }), []],
  ['another currency with a limit', spent({ atoms: 900_001n, currency: 'eth' }), []],
  [
    'a shared limit, exactly',
    async (user) => {
      await withdrawn(user, { currency: 'doge', atoms: 90_000_000n });
      return { asset: ETH, amountAtoms: 10_000_000n as Atoms };
    },
    [],
  ],
  [
    'a shared limit and a little more',
    async (user) => {
      await withdrawn(user, { currency: 'doge', atoms: 90_000_001n });
      return { asset: ETH, amountAtoms: 10_000_000n as Atoms };
    },
    ['day_limit'],
  ],
  [
    'a shared limit without a price',
    async (user) => {
      await withdrawn(user, { currency: 'unpriced', address: 'x' });
      return { asset: ETH };
    },
    ['price_missing', 'size_t1', 'size_t2'],
  ],

  ['a large one to a new address', large(async () => {}), ['new_address_large']],
  ['a large one to the book', large((user) => bookEntry(user, '-1 second')), []],
  [
    'a large one to an address paid last week',
    large((user) => withdrawn(user, { age: '1 week', atoms: 1n })),
    [],
  ],
  [
    'a large one to an address paid an hour ago',
    large((user) => withdrawn(user, { age: HOUR, atoms: 1n })),
    ['new_address_large'],
  ],
  [
    'a large one to an address that was not paid',
    large((user) => withdrawn(user, { age: '1 week', atoms: 1n, state: 'canceled' })),
    ['new_address_large'],
  ],
  [
    "a large one to a stranger's address",
    large(async () => withdrawn(await newUser(), { age: '1 week', atoms: 1n })),
    ['new_address_large'],
  ],
  [
    'many strangers to one address',
    async () => {
      await withdrawn(await newUser(), { address: OTHER_ADDRESS, atoms: 16_666_667n });
      return { address: OTHER_ADDRESS };
    },
    ['new_address_large', 'size_t1'],
  ],

  [
    'many strangers to one address, spelled differently',
    async () => {
      await withdrawn(await newUser(), { address: 'dOgE', network: 'unknown', atoms: 16_666_667n });
      return { address: 'DoGe', network: 'unknown' };
    },
    ['new_address_large', 'size_t1'],
  ],
  [
    'a large one to an address paid in another spelling',
    async (user) => {
      await withdrawn(user, { address: 'dOgE', network: 'unknown', age: '1 week', atoms: 1n });
      await change(user, 'verification_level = 2');
      return { address: 'DoGe', network: 'unknown', amountAtoms: 2_000_000n as Atoms };
    },
    ['new_address_large'],
  ],

  ['an old device in a known country', bySession({}), []],
  ['a new device', bySession({ device: '23 hours' }), ['new_device']],
  ['a new country', bySession({ country: 'KP' }), ['new_country']],
  ['a new country of a new account', bySession({ country: 'KP', known: [] }), []],
  ['nineteen open', openFor(19, 'in_review'), []],
  ['twenty open', openFor(20, 'in_review'), ['open_requests']],
  ['twenty being canceled', openFor(20, 'canceling'), ['open_requests']],
  ['twenty ended', openFor(20, 'completed'), []],
  [
    'ten within an hour',
    async (user) => {
      for (let at = 0; at < 10; at++) await withdrawn(user, { atoms: 1n, age: '59 minutes' });
    },
    ['velocity'],
  ],
  [
    'ten before this hour',
    async (user) => {
      for (let at = 0; at < 10; at++) await withdrawn(user, { atoms: 1n, age: '61 minutes' });
    },
    [],
  ],
  ['a deposit within this hour', (user) => deposited(user, '59 minutes'), ['fresh_funds']],
  ['a deposit before this hour', (user) => deposited(user, '61 minutes'), []],
  ['a transfer from a stranger', (user) => received(user, () => newUser()), ['fresh_funds']],
  ['a transfer from a sub-account', (user) => received(user, () => newUser(user)), []],
  ['a held screening', async () => ({ screening: 'hold' }), ['screening_hold']],
  ['a rejected screening', async () => ({ screening: 'refuse' }), ['screening_refuse']],
];

function byKey(columns: Record<string, unknown>): Given {
  return async (user) => ({ proof: 'key', key: await newKey(user, columns) });
}

function openFor(count: number, state: string): Given {
  return async (user) => {
    const old = { state, atoms: 1n, age: '2 months', address: 'elsewhere' };
    for (let at = 0; at < count; at++) await withdrawn(user, old);
    return undefined;
  };
}

function toBank(status: string): Given {
  return async (user) => ({ asset: EUR, network: 'fiat', address: await newBank(user, status) });
}

function bySession(planted: PlantedSession): Given {
  return async (user) => ({ session: await newSession(user, planted) });
}

function withBook(activeIn: string, tag?: string) {
  return async (user: UserId): Promise<undefined> => {
    await bookEntry(user, activeIn, tag);
    await change(user, 'book_only = true');
  };
}

function withWallet(owner: (user: UserId) => UserId | Promise<UserId>): Given {
  return async (user) => {
    await connection.query('delete from wallets');
    await connection.query(
      "insert into wallets (user_id, currency, address, network) values ($1, 'btc', $2, 'btc')",
      [await owner(user), OTHER_ADDRESS],
    );
    return { address: OTHER_ADDRESS };
  };
}

function spent(columns: Parameters<typeof withdrawn>[1]): Given {
  // To another address, which does not matter here.
  return (user) => withdrawn(user, { address: 'elsewhere', ...columns });
}

function large(given: (user: UserId) => Promise<undefined>): Given {
  return async (user) => {
    await given(user);
    await change(user, 'verification_level = 2');
    return { amountAtoms: 2_000_000n as Atoms };
  };
}

describe('withdrawal policy input', () => {
  before(openPolicyRegistry);
  after(closePolicyRegistry);

  for (const [what, given, fails] of cases) {
    test(`${what}: ${fails.join(', ') || 'passes'}`, async () => {
      await connection.query('delete from transfer_changes');
      await connection.query('delete from outbox');
      await connection.query('delete from withdrawal_requests');
      const user = await newUser();
      const changed = (await given(user)) ?? {};
      assert.deepEqual(await failing({ ...terms(user), ...second, ...changed }), fails);
    });
  }

  test('more than the hourly exchange limit needs two reviews', async () => {
    await describePolicySettings(connection, { outflowPerHourMax: '60' });
    const user = await newUser();
    assert.deepEqual(await failing({ ...terms(user), ...second }), []);
    await withdrawn(await newUser(), {
      atoms: 1n,
      address: 'x',
      kind: 'transfer',
      network: 'email',
    });
    assert.deepEqual(await failing({ ...terms(user), ...second }), [], 'it stays here');
    await withdrawn(await newUser(), { atoms: 1n, address: 'x' });
    assert.deepEqual(await failing({ ...terms(user), ...second }), ['outflow_cap']);
    await connection.query('delete from withdrawal_policy_settings');
  });

  test("the operator's settings replace the defaults one by one", async () => {
    await describePolicySettings(connection, { oneReviewFrom: '60' });
    const user = await newUser();
    const lines = await failing({ ...terms(user), ...second });
    assert.deepEqual(lines, ['size_t1']);
    await describePolicySettings(connection, { oneReviewFrom: '60.01' });
    assert.deepEqual(await failing({ ...terms(user), ...second }), []);
    assert.equal((await readPolicySettings(connection)).twoReviewsFrom, '100000');
    const bad = { oneReviewFrom: 'much' } as const;
    await assert.rejects(describePolicySettings(connection, bad), RangeError);
    await assert.rejects(describePolicySettings(connection, { perHourMax: -1 }), RangeError);
    await assert.rejects(describePolicySettings(connection, { currency: 'a b' }), RangeError);
    await assert.rejects(describePolicySettings(connection, { other: '1' } as object), RangeError);
    await connection.query('delete from withdrawal_policy_settings');
  });

  test('ten times the usual size needs a review while the rule is on', async () => {
    const user = await newUser();
    for (let at = 0; at < 3; at++) await withdrawn(user, { age: '2 days' });
    await connection.query('update withdrawal_requests set updated_at = created_at');
    const asked = { ...terms(user), ...second, amountAtoms: 1_000_000n as Atoms };
    const set = (text: string) =>
      connection.query(`update surveillance_rules set ${text} where rule = 'unusual_withdrawal'`);
    assert.deepEqual(await failing(asked), [], 'worth too little');
    await set(`parameters = parameters || '{"value_min": 0}'`);
    assert.deepEqual(await failing(asked), ['unusual_withdrawal']);
    await set('is_on = false');
    assert.deepEqual(await failing(asked), []);
    await set(`is_on = true, parameters = parameters || '{"value_min": 1000}'`);
  });

  test('an unknown user has no input', async () => {
    const asked = { ...terms(999_999 as UserId), ...second };
    assert.equal(
      await inTransaction(connection, () => readPolicyInput(connection, asked)),
      undefined,
    );
  });
});
