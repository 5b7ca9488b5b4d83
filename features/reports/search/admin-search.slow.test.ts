// Tests the search box on a real PostgreSQL: each form of text finds what it names, once; a role
// finds only what it can read; every lookup uses an index.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { orderIdText } from '../../../core/messages/index.ts';
import type { OrderNumber, UserId } from '../../../core/money/index.ts';
import { inTransaction, migrate, type OwnConnection } from '../../../infra/postgres/index.ts';
import {
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
} from '../../../infra/projections/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { Vault } from '../../../platform/vault/index.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { createUser, writePersonal } from '../../accounts/index.ts';
import { NO_PERSONAL_DATA } from '../../accounts/personal-data.ts';
import { MASKED } from '../../pii-access/index.ts';
import { peopleIn, type SearchScope, searchExact, searchUsers } from './admin-search.ts';
import { formsOf, SEARCH_TYPES, type SearchType } from './search-queries.ts';

const PROJECTED = 'projected';
const START = '2026-10-05T12:00:00Z';
const KEY = 'ab'.repeat(20);
const BANK = '00ff'.repeat(4);
const ORDER = orderIdText(7 as OrderNumber);
const vault = new Vault(new Map([[1, Buffer.alloc(32, 3)]]));

let connection: OwnConnection;
let stop: () => Promise<void> = async () => {};
let ann: UserId;
let bob: UserId;

describe('search box', { timeout: 300_000 }, () => {
  before(async () => {
    const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    const projection = await postgres.schema(PROJECTED);
    await makeOrderPartition(projection, 0, 1_000_000);
    await makeMonthPartitions(projection, monthOf(Date.parse(START)));
    await plantTrading(projection);
    connection = await postgres.session('registry');
    await migrate(connection, 'registry', readRegistryMigrations());
    await plant();
  });
  after(() => stop());

  const texts: readonly [text: string, found: string][] = [
    // Planted ids: deposit 1, withdrawal 1, approval 1, audit entry 1.
    ['1', 'deposit withdrawal approval audit'],
    ['2', 'deposit'],
    [` ${ORDER} `, 'order trade'],
    [ORDER.toUpperCase(), 'order trade'],
    ['my bot 1', 'order'],
    ['tx-77', 'deposit withdrawal'],
    ['bc1-deposit', 'deposit deposit_address'],
    ['bc1-away', 'withdrawal address_book'],
    ['INVOICE 2026/17', 'deposit'],
    [KEY, 'api_key'],
    [KEY.toUpperCase(), 'api_key'],
    [BANK, 'bank_account'],
    ['annref', 'referral_code'],
    ['BTC', 'coin'],
    ['btc-usdt', 'market'],
    ['bob@console.example', ''],
    ['nothing like this', ''],
  ];
  for (const [text, expected] of texts) {
    test(`'${text}' finds ${expected || 'nothing'}`, async () => {
      assert.equal((await exact(text)).map(({ type }) => type).join(' '), expected);
    });
  }

  test('results have masked titles, an owner and a time', async () => {
    const [order, trade] = await exact(ORDER);
    assert.deepEqual(order, {
      type: 'order',
      id: ORDER,
      user: ann,
      title: 'limit buy btc-usdt filled',
      at: new Date(START),
      reference: undefined,
    });
    assert.deepEqual([trade.title, trade.user], ['buy btc-usdt as taker', ann]);
    const [deposit] = await exact('INVOICE 2026/17');
    assert.deepEqual(
      [deposit.title, deposit.user, deposit.reference],
      ['deposit 0.00000005 btc completed', ann, 'tx-77'],
    );
    const [, entry] = await exact('bc1-away');
    assert.equal(entry.title, 'm••• btc on btc in use');
  });

  test('types that the role cannot read are not found', async () => {
    for (const text of ['1', ORDER, 'tx-77', 'bc1-away', 'bc1-deposit', KEY, 'BTC']) {
      const all = await exact(text);
      for (const type of SEARCH_TYPES) {
        const without = await exact(text, { types: SEARCH_TYPES.filter((one) => one !== type) });
        assert.deepEqual(
          without,
          all.filter((one) => one.type !== type),
          `${text} ${type}`,
        );
      }
    }
  });

  test('an approval request is found by those who can read it', async () => {
    const found = async (approvals: Partial<Approvals>) =>
      (await exact('1', { types: ['approval'], approvals })).length;
    assert.equal(await found({ isAuditor: false }), 0);
    assert.equal(await found({ isAuditor: false, user: bob }), 1, 'the requester');
    assert.equal(await found({ isAuditor: false, powers: ['approve.money'] }), 0);
    assert.equal(await found({ isAuditor: false, powers: ['approve.access'] }), 1, 'a voter');
  });

  test('at most five of a type are found, newest first', async () => {
    await connection.query(
      `insert into wallets (user_id, currency, address, network, is_valid, created_at)
       select $1, 'btc', 'shared-address', 'btc', false,
         '2026-10-01'::timestamptz + i * interval '1 day'
       from generate_series(1, 9) i`,
      [ann],
    );
    const days = (await exact('shared-address')).map(({ at }) => at?.getUTCDate());
    assert.deepEqual(days, [10, 9, 8, 7, 6]);
  });

  const people: readonly [text: string, isExact: boolean, found: string][] = [
    ['bob@console.example', true, 'b•••@c•••.example active'],
    ['BOB@console.example ', true, 'b•••@c•••.example active'],
    ['console.exam', true, ''],
    ['console.exam', false, 'b•••@c•••.example active, a•••@c•••.example active'],
    ['exemplar', true, ''],
    ['exemplar', false, 'a•••@c•••.example active'],
    ['+41 44 987 65 43', true, ''],
    ['+41 44 987 65 43', false, 'a•••@c•••.example active'],
  ];
  for (const [text, isExact, titles] of people) {
    test(`${isExact ? 'without' : 'with'} pii.search '${text}' finds '${titles}'`, async () => {
      const { isComplete, users } = await usersOf(text, isExact);
      assert.equal(users.map(({ title }) => title).join(', '), titles);
      assert.equal(isComplete, true);
    });
  }

  test('a user is found by ID', async () => {
    const { users } = await usersOf(`${ann}`, true);
    assert.deepEqual(peopleIn(users), [ann]);
  });

  test('every lookup uses an index', async () => {
    await connection.query('set enable_seqscan = off');
    const plans: string[] = [];
    const explained: OwnConnection = Object.assign(Object.create(connection), {
      async query(text: string, values?: unknown[]) {
        if (text.startsWith('set')) return connection.query(text);
        const { rows } = await connection.query(`explain ${text}`, values);
        plans.push(...rows.map((row) => row['QUERY PLAN']));
        return { rows: [] };
      },
    });
    const forms = ['1', ORDER, 'my bot 1', KEY, BANK, 'annref', 'btc-usdt', '123456'];
    for (const text of forms) {
      await inTransaction(connection, () => searchExact(explained, text, scopeOf({})));
      await inTransaction(connection, () =>
        searchUsers(explained, vault, { text, isExact: false, view: MASKED }),
      );
    }
    await connection.query('reset enable_seqscan');
    assert.ok(plans.length > 100);
    assert.deepEqual(
      plans.filter((line) => line.includes('Seq Scan')),
      [],
    );
  });

  test('a user lookup that takes too long is stopped; the search continues', async () => {
    const slow: OwnConnection = Object.assign(Object.create(connection), {
      query: (text: string, values?: unknown[]) =>
        connection.query(
          text.replace('where u.id in', 'where pg_sleep(9) is not null and u.id in'),
          values,
        ),
    });
    const given = await inTransaction(connection, () =>
      searchUsers(slow, vault, { text: 'console.exam', isExact: false, view: MASKED }),
    ).catch(String);
    assert.deepEqual(given, { users: [], isComplete: false });
  });
});

test('the form of a text determines what it can be', () => {
  const { isCode, isCoin, isReference, number } = formsOf('123456');
  assert.deepEqual([number, isCode, isCoin, isReference], [123_456, true, false, true]);
  assert.equal(
    formsOf('someone@example.com').isReference,
    false,
    'email addresses belong to users',
  );
  assert.equal(formsOf('0').number, undefined);
  assert.equal(formsOf('9'.repeat(16)).number, undefined);
});

interface Approvals {
  readonly isAuditor: boolean;
  readonly user: UserId;
  readonly powers: readonly string[];
}

interface Asked {
  readonly approvals?: Partial<Approvals>;
  readonly types?: readonly SearchType[];
}

function exact(text: string, asked: Asked = {}) {
  return inTransaction(connection, () => searchExact(connection, text, scopeOf(asked)));
}

function scopeOf({ approvals = {}, types = SEARCH_TYPES }: Asked): SearchScope {
  return {
    types: new Set(types),
    approvals: { isAuditor: true, user: 0 as UserId, powers: [], ...approvals },
    projectionSchema: PROJECTED,
    view: MASKED,
  };
}

function usersOf(text: string, isExact: boolean) {
  return inTransaction(connection, () =>
    searchUsers(connection, vault, { text, isExact, view: MASKED }),
  );
}

async function newUser(name: string): Promise<UserId> {
  const user = await createUser(connection, { email: `${name}@console.example` });
  assert.ok(typeof user === 'object', `${user}`);
  return user.id;
}

async function plant(): Promise<void> {
  // The first IDs are unused here, so '1' and '2' name no user.
  await connection.query('alter table users alter column id restart with 17');
  [ann, bob] = [await newUser('ann'), await newUser('bob')];
  await writePersonal(connection, vault, ann, {
    ...NO_PERSONAL_DATA,
    fullName: 'Ann Exemplar',
    phoneNumber: '+41 44 987 65 43',
  });
  await connection.query(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
       network, transaction_id, state, description)
     values ('deposit', $1, 1, 'btc', 8, 5, 'bc1-deposit', 'btc', 'tx-77', 'completed',
         'INVOICE 2026/17'),
       ('deposit', $2, 1, 'btc', 8, 5, 'ann@console.example', 'email', 'tx-78', 'completed', '')`,
    [ann, bob],
  );
  await connection.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state)
     values ('withdrawal', $1, 1, 'btc', 8, 5, 1, 'btc', 8, 0, 'bc1-away', 'btc', 'tx-77',
       'completed')`,
    [bob],
  );
  await connection.query(
    `insert into wallets (user_id, currency, address, network) values
       ($1, 'btc', 'bc1-deposit', 'btc')`,
    [ann],
  );
  await connection.query(
    `insert into address_book (user_id, label, address, network, currency, active_at)
     values ($1, 'my own', 'bc1-away', 'btc', 'btc', now())`,
    [bob],
  );
  await connection.query(
    `insert into api_keys (user_id, name, public_key, kind, expires_at, kek_id, sealed)
     values ($1, 'bot', $2, 'hmac', now(), 1, '')`,
    [ann, KEY],
  );
  await connection.query(
    `insert into personal_keys (user_id, kek_id, sealed) values ($1, 1, '') on conflict do nothing`,
    [ann],
  );
  await connection.query(
    `insert into bank_accounts (id, user_id, status, sealed) values ($2, $1, 'pending', '')`,
    [ann, BANK],
  );
  await connection.query(
    `insert into approval_requests (act, vote_power, payload, payload_hash, shown, object,
       object_version, requester_id, requester_role, requester_credential, requester_address,
       beneficiaries, needed, created_at, expires_at)
     values ('user.email', 'approve.access', '{}', sha256(''), '[]', 'user 17', '', $1, 'support',
       'session 1', '', '{}', 1, now(), now())`,
    [bob],
  );
  await connection.query(
    `insert into audit_entries (seq, at, credential, address, act, object, subject_id, prev, hash,
       mac)
     values (1, now(), 'tool', '', 'user.note', 'user 17', $1, sha256(''), sha256(''), sha256(''))`,
    [ann],
  );
  await connection.query(
    `insert into referral_codes (code, user_id, discount, earning_rate)
     values ('AnnRef', $1, 10, 10)`,
    [ann],
  );
  await connection.query(
    `insert into coins (symbol, fullname) values ('btc', 'Bitcoin') on conflict do nothing`,
  );
  await connection.query(`insert into pairs (symbol) values ('btc-usdt') on conflict do nothing`);
}

/** Order 7 of user 17, filled once; order 8 with a client order ID. */
async function plantTrading(projection: OwnConnection): Promise<void> {
  await projection.query(
    `insert into markets (id, name, base_id, quote_id, lot_atoms, tick_mantissa, tick_scale,
       tick_lot_atoms, min_price_ticks, max_price_ticks, min_size_lots, max_size_lots,
       reference_ticks, status, listed_at, updated_at)
     values (1, 'btc-usdt', 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 'full', now(), now())`,
  );
  await projection.query(
    `insert into orders (number, user_id, key_id, market_id, side, type, time_in_force, self_trade,
       post_only, quick, price_ticks, size_lots, stop_ticks, maker_fee_ppm, taker_fee_ppm,
       filled_lots, filled_quote_atoms, fee_atoms, status, close_reason, client_order_id, note,
       created_at, created_frame, updated_at, updated_frame)
     select n, 17, 0, 1, 'buy', 'limit', 'GTC', 'cancel_newest', false, false, 1, 1, 0, 0, 0,
       filled, 0, 0, case filled when 1 then 'filled' else 'new' end,
       case filled when 1 then 'filled' end, name, '', $1::timestamptz, 1,
       $1::timestamptz + interval '1 minute', 1
     from (values (7, 1, ''), (8, 0, 'my bot 1')) given (n, filled, name)`,
    [START],
  );
  await projection.query(
    `insert into fills (user_id, trade, liquidity, market_id, side, price_ticks, size_lots,
       quote_atoms, order_number, fee_asset_id, fee_atoms, quick, executed_at)
     select 17, n, 'taker', 1, 'buy', 1, 1, 1, n, 1, 0, false, $1::timestamptz + interval '1 second'
     from (values (7), (9)) given (n)`,
    [START],
  );
}
