// Migrations that convert rows, on a real server: rows of an older release, and what the current
// release must read from them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import { DEFAULT_SETTINGS } from '../../../features/accounts/user-settings.ts';
import { keyBound, listKeys } from '../../../features/auth/index.ts';
import { causeOf } from '../../../features/payments/causes.ts';
import { migrate, type OwnConnection } from '../../../infra/postgres/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../../testing/projections/postgres-for-test.ts';
import { type OutboxCommand, readWaiting } from '../../outbox/index.ts';
import { encodeRecord } from '../../outbox/outbox.ts';
import { Vault } from '../../vault/index.ts';
import { readRegistryMigrations } from './registry-migrations.ts';

/** state, rejected, dismissed, kind, the kinds of its commands → state. */
const WITHDRAWALS: [string, boolean, boolean, string, string[], string][] = [
  ['requested', false, false, 'withdrawal', ['OpenWithdrawal'], 'opening'],
  ['requested', false, false, 'burn', ['BurnAsset'], 'executing'],
  ['requested', false, false, 'burn', ['OpenWithdrawal'], 'opening'],
  ['requested', false, false, 'transfer', ['TransferAsset'], 'executing'],
  ['opened', false, false, 'withdrawal', ['OpenWithdrawal'], 'approved'],
  ['refused', true, false, 'withdrawal', ['OpenWithdrawal'], 'refused'],
  ['completing', false, false, 'withdrawal', ['CompleteWithdrawal'], 'completing'],
  ['completed', false, false, 'withdrawal', ['CompleteWithdrawal'], 'completed'],
  ['canceling', false, true, 'withdrawal', ['CancelWithdrawal'], 'canceling'],
  ['canceling', true, false, 'withdrawal', ['CancelWithdrawal'], 'rejecting'],
  ['canceled', false, true, 'withdrawal', ['CancelWithdrawal'], 'canceled'],
  ['canceled', true, false, 'withdrawal', ['CancelWithdrawal'], 'rejected'],
];

const DEPOSITS: [string, boolean, boolean, string][] = [
  ['pending', false, false, 'pending'],
  ['requested', false, false, 'crediting'],
  ['completed', false, false, 'completed'],
  ['refused', true, false, 'refused'],
  ['canceled', false, true, 'dismissed'],
  ['canceled', true, false, 'rejected'],
];

const HASH = 'ab'.repeat(32);
/** As TON shows transactions. */
const BASE64 = Buffer.from(HASH, 'hex').toString('base64');
const ODD_HASH = 'fb'.repeat(32);
const URL_BASE64 = Buffer.from(ODD_HASH, 'hex').toString('base64url');
/** kind, currency, network, transaction, state → cause. */
const CAUSES: [
  'deposit' | 'mint' | 'transfer',
  string,
  string | null,
  string,
  string,
  string | null,
][] = [
  ['deposit', 'btc', 'btc', HASH, 'completed', `/${HASH}/0`],
  // The same transaction, credited five times by older releases, in other spellings.
  ['deposit', 'btc', null, HASH, 'completed', `/${HASH}/1`],
  ['deposit', 'btc', 'BTC', HASH.toUpperCase(), 'crediting', `/${HASH}/2`],
  ['deposit', 'btc', 'btc', `0x${HASH}`, 'pending', `/${HASH}/3`],
  ['deposit', 'btc', 'btc ', ` ${HASH} `, 'completed', `/${HASH}/4`],
  ['deposit', 'btc', 'btc', HASH, 'refused', null],
  ['deposit', 'usdt', 'eth', HASH, 'completed', `/${HASH}/0`],
  ['deposit', 'usdt', 'trx', HASH, 'completed', `/${HASH}/1`],
  ['deposit', 'usdt', null, HASH, 'completed', `/${HASH}/2`],
  // The test numbers assets by the length of their symbols: this is the same transaction.
  ['deposit', 'ton', 'ton', BASE64, 'completed', `/${HASH}/5`],
  ['deposit', 'ton', 'ton', HASH, 'completed', `/${HASH}/6`],
  [
    'deposit',
    'ton',
    'ton',
    `${BASE64.slice(0, 9)}\u00ad${BASE64.slice(9)}\u200b`,
    'completed',
    `/${HASH}/7`,
  ],
  ['deposit', 'ton', 'ton', BASE64.slice(0, 43), 'refused', null],
  ['deposit', 'ton', 'ton', URL_BASE64, 'completed', `/${ODD_HASH}/0`],
  // All of them failed: one of them keeps the cause.
  ['deposit', 'btc', 'btc', 'failed', 'rejected', '/failed/0'],
  ['deposit', 'btc', 'btc', 'FAILED', 'dismissed', null],
  ['mint', 'eur', 'fiat', 'SEPA 7', 'completed', '/sepa7/0'],
  ['mint', 'eur', null, 'sepa 7', 'dismissed', null],
  ['transfer', 'btc', null, 'a transfer', 'completed', null],
];

const ATOMS_MAX = (2n ** 63n - 1n) as Atoms;
const U32_MAX = 2 ** 32 - 1;
const credit = {
  user: U32_MAX as UserId,
  asset: 1 as AssetId,
  amountAtoms: ATOMS_MAX,
  reference: 'Überweisung 💶',
};
const COMMANDS: OutboxCommand[] = [
  { kind: 'CreditDeposit', ...credit },
  { kind: 'MintAsset', ...credit, reference: '' },
  { kind: 'BurnAsset', ...credit, reference: 'x'.repeat(1_024) },
  {
    kind: 'TransferAsset',
    sender: 3 as UserId,
    receiver: (2 ** 31) as UserId,
    asset: 9 as AssetId,
    amountAtoms: 1n as Atoms,
    reference: 'a "quoted" \\ text',
  },
  {
    kind: 'OpenWithdrawal',
    withdrawal: Number.MAX_SAFE_INTEGER,
    user: 1 as UserId,
    asset: 2 as AssetId,
    amountAtoms: 12_345_678_901_234_567n as Atoms,
    feeAsset: 3 as AssetId,
    feeAtoms: 0n as Atoms,
    destination: '',
  },
  { kind: 'CompleteWithdrawal', withdrawal: 7, reference: '0xabc' },
  { kind: 'CancelWithdrawal', withdrawal: 1_000_003 },
];

/** The same record without its last field, which schema 8 added: an empty text of two bytes. */
function inSchema2(record: Buffer): Buffer {
  const older = Buffer.from(record.subarray(0, -2));
  older.writeUInt16LE(record.readUInt16LE(1) - 2, 1);
  return older;
}

// Made by the release before the vault, with an access key of 32 bytes 9: the access key sealed a
// data key, and the data key sealed the secret.
const OLD_SECRET = 'a secret of an older release';
const OLD_SEALED_SECRET =
  'AQVAVUlY5h+h3dfMTCxI2QUpq5XQFGT7LRWIiX63IlZHMPyksr52nSDi7yCqa/cQM8eW0GKlO2dG';
const OLD_SEALED_DATA_KEY =
  'AUcBoOFpgBA203IlYo8XnQu2XST6ychqHV8i4bR4CIa/g9VApjOiMdqaejD+iPIihnAnFmpPt21urFGQvA==';

/** Blanks, control and format characters, and the ends of the areas for private use. */
const INVISIBLE = [...Array(0x110000).keys()]
  .slice(1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((text) => /[\s\p{Cc}\p{Cf}]|[\ue000\uf8ff]/u.test(text));
const hexOf = (text: string) => (text.codePointAt(0) ?? 0).toString(16);

let postgres: PostgresForTest;
let stop: () => Promise<void> = async () => {};

async function schemaBefore(schema: string, migration: number): Promise<OwnConnection> {
  const connection = await postgres.session(schema);
  await migrate(connection, schema, readRegistryMigrations().slice(0, migration - 1));
  await connection.query(
    `insert into users (email, username, affiliation_code) values ('a@example.com', 'a', 'AAAAAA')`,
  );
  await connection.query('insert into channels (channel, last_assigned) values (11, 1000)');
  return connection;
}

describe('conversions', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
  });
  after(() => stop());

  test('migration 4 gives every request of an older release one state', async () => {
    const connection = await schemaBefore('states', 4);
    for (const [index, [state, rejected, dismissed, kind, commands]] of WITHDRAWALS.entries()) {
      await connection.query(
        `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
           fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state,
           rejected, dismissed, waiting)
         values ($1, 1, 1, 'btc', 8, 5, 1, 'btc', 8, 0, 'a', $2, $3, $4, $5, true)`,
        [kind, `tx ${index}`, state, rejected, dismissed],
      );
      for (const command of commands) {
        await connection.query(
          `insert into outbox (channel, sequence, command, withdrawal_request)
           values (11, $1, jsonb_build_object('kind', $2::text), $1)`,
          [index + 1, command],
        );
      }
    }
    for (const [index, [state, rejected, dismissed]] of DEPOSITS.entries()) {
      await connection.query(
        `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
           address, transaction_id, state, rejected, dismissed)
         values ('deposit', 1, 1, 'btc', 8, 5, 'a', $1, $2, $3, $4)`,
        [`tx ${index}`, state, rejected, dismissed],
      );
    }
    await migrate(connection, 'states', readRegistryMigrations().slice(0, 4));
    const statesOf = async (table: string) =>
      (await connection.query(`select state from ${table} order by id`)).rows.map(
        ({ state }) => state,
      );
    assert.deepEqual(
      await statesOf('withdrawal_requests'),
      WITHDRAWALS.map((row) => row[5]),
    );
    assert.deepEqual(
      await statesOf('deposit_requests'),
      DEPOSITS.map((row) => row[3]),
    );
    const kept = await connection.query(
      'select bool_and(waiting) as waiting, bool_or(onhold) as onhold from withdrawal_requests',
    );
    assert.deepEqual(kept.rows[0], { waiting: true, onhold: false });
  });

  test('migration 5 converts the JSON of a command to the bytes of the codec', async () => {
    const connection = await schemaBefore('records', 5);
    for (const [index, command] of COMMANDS.entries()) {
      const text = JSON.stringify(command, (_, value) =>
        typeof value === 'bigint' ? value.toString() : value,
      );
      await connection.query(
        'insert into outbox (channel, sequence, command) values (11, $1, $2)',
        [index + 1, text],
      );
    }
    await migrate(connection, 'records', readRegistryMigrations().slice(0, 5));
    const { rows } = await connection.query('select kind, record from outbox order by sequence');
    for (const [index, command] of COMMANDS.entries()) {
      const current = encodeRecord({ channel: 11, sequence: index + 1, command });
      const expected = command.kind === 'OpenWithdrawal' ? inSchema2(current) : current;
      assert.equal(rows[index].kind, command.kind);
      assert.equal(rows[index].record.toString('hex'), expected.toString('hex'), command.kind);
    }
    await migrate(connection, 'records', readRegistryMigrations());
    const waiting = await readWaiting(connection, 100);
    assert.deepEqual(
      waiting.map(({ command }) => command),
      COMMANDS,
    );
  });

  test('migration 5 stops at a command that no earlier release appended', async () => {
    const connection = await schemaBefore('unknown', 5);
    await connection.query(
      `insert into outbox (channel, sequence, command) values (11, 1, '{"kind":"SettleFees"}')`,
    );
    const migrations = readRegistryMigrations().slice(0, 5);
    await assert.rejects(migrate(connection, 'unknown', migrations), /null values/);
  });

  test('migration 6 keeps the secrets of keys, and freezes deactivated users', async () => {
    const connection = await schemaBefore('identity', 6);
    await connection.query(
      `insert into users (email, username, affiliation_code, activated)
       values ('b@example.com', 'b', 'BBBBBB', false)`,
    );
    await connection.query(
      `insert into api_keys (id, user_id, name, public_key, kind, sealed_secret, sealed_data_key,
         can_trade, can_withdraw, expires_at)
       values (7, 1, 'bot', repeat('ab', 20), 'hmac', $1, $2, true, true, now())`,
      [Buffer.from(OLD_SEALED_SECRET, 'base64'), Buffer.from(OLD_SEALED_DATA_KEY, 'base64')],
    );
    await migrate(connection, 'identity', readRegistryMigrations());
    const users = await connection.query('select email, state, security_version from users');
    assert.deepEqual(users.rows, [
      { email: 'a@example.com', state: 'active', security_version: '1' },
      { email: 'b@example.com', state: 'frozen', security_version: '1' },
    ]);
    const [key] = await listKeys(connection, 1 as UserId);
    const vault = new Vault(new Map([[1, Buffer.alloc(32, 9)]]));
    assert.equal(vault.open(keyBound(key), key).toString(), OLD_SECRET);
    const granted = await connection.query(
      'select withdraw_granted_at = created_at as granted from api_keys',
    );
    assert.deepEqual(granted.rows, [{ granted: true }]);
  });

  test('migration 7 stops at personal data that no release wrote', async () => {
    const wrote = [
      `phone_number = '+41 1'`,
      `dob = '1990-01-01'`,
      `address = '{"address": "Rheinweg 7"}'`,
      `bank_account = '[{"iban": "CH1"}]'`,
    ];
    const connection = await schemaBefore('personal', 7);
    const migrations = readRegistryMigrations();
    for (const values of wrote) {
      await connection.query(`update users set ${values}`);
      await assert.rejects(
        migrate(connection, 'personal', migrations),
        /no release of Rialto wrote/,
      );
      await connection.query(
        `update users set phone_number = '', dob = null, address = default, bank_account = default`,
      );
    }
    await connection.query(`update users set full_name = 'Alice Trader'`);
    await migrate(connection, 'personal', migrations);
  });

  test('migration 8 keeps changed settings, and the defaults are the same', async () => {
    const connection = await schemaBefore('settings', 8);
    await connection.query(
      `insert into users (email, username, affiliation_code)
       values ('b@example.com', 'b', 'BBBBBB')`,
    );
    const stored = 'select email, settings from users order by email';
    const [{ settings: before }] = (await connection.query(stored)).rows;
    assert.deepEqual(before, DEFAULT_SETTINGS);
    await connection.query(
      `update users set settings = settings || '{"language": "de"}' where email = 'b@example.com'`,
    );
    await migrate(connection, 'settings', readRegistryMigrations());
    const { rows } = await connection.query(stored);
    assert.deepEqual(
      rows.map(({ settings }) => settings),
      [{}, { language: 'de' }],
    );
  });

  test('migration 11 makes the marks of an operator a state', async () => {
    const connection = await schemaBefore('marks', 11);
    const marked: [state: string, processing: boolean, waiting: boolean, becomes: string][] = [
      ['approved', false, false, 'approved'],
      ['approved', true, false, 'claimed'],
      ['approved', false, true, 'in_review'],
      ['approved', true, true, 'claimed'],
      ['completing', true, true, 'completing'],
      ['completed', false, false, 'completed'],
    ];
    for (const [state, processing, waiting] of marked) {
      await connection.query(
        `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
           fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state,
           processing, waiting)
         values ('withdrawal', 1, 1, 'btc', 8, 5, 1, 'btc', 8, 0, 'a', 'tx', $1, $2, $3)`,
        [state, processing, waiting],
      );
    }
    await migrate(connection, 'marks', readRegistryMigrations());
    const { rows } = await connection.query('select state from withdrawal_requests order by id');
    assert.deepEqual(
      rows.map(({ state }) => state),
      marked.map(([, , , becomes]) => becomes),
    );
  });

  test('migration 11 gives each deposit its cause, a failed one if it is free', async () => {
    const connection = await schemaBefore('causes', 11);
    await connection.query(
      `insert into coins (symbol, fullname, network)
       values ('btc', 'Bitcoin', 'btc'), ('usdt', 'Tether', 'eth,trx'),
         ('ton', 'Toncoin', 'ton'), ('eur', 'Euro', null)`,
    );
    for (const [index, [kind, currency, network, transaction, state]] of CAUSES.entries()) {
      await connection.query(
        `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
           address, network, transaction_id, state)
         values ($1, 1, $2, $3, 8, 5, $4, $5, $6, $7)`,
        [kind, currency.length, currency, `address ${index}`, network, transaction, state],
      );
    }
    await migrate(connection, 'causes', readRegistryMigrations());
    const { rows } = await connection.query('select cause from deposit_requests order by id');
    assert.deepEqual(
      rows.map(({ cause }) => cause),
      CAUSES.map((row) => row[5]),
    );
    for (const [, , , transactionId, , cause] of CAUSES) {
      if (cause === null) continue;
      // Named again, it is the same cause.
      assert.equal(causeOf({ transactionId, output: cause.split('/').at(-1) }), cause);
    }
  });

  test('migration 11 strips the same characters from a transaction as the code', async () => {
    const connection = await schemaBefore('invisible', 11);
    await connection.query(
      `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         address, transaction_id, state)
       select 'deposit', 1, 1, 'btc', 8, 5, 'address ' || n, 'T' || n || text || 'x', 'completed'
       from unnest($1::text[]) with ordinality as invisible (text, n)`,
      [INVISIBLE],
    );
    await migrate(connection, 'invisible', readRegistryMigrations());
    const { rows } = await connection.query('select cause from deposit_requests order by id');
    const wrong = INVISIBLE.filter((_, index) => rows[index].cause !== `/t${index + 1}x/0`);
    assert.ok(INVISIBLE.length > 200);
    assert.deepEqual(wrong.map(hexOf), []);
    for (const text of INVISIBLE) {
      assert.equal(causeOf({ transactionId: `T${text}x` }), '/tx/0', hexOf(text));
    }
  });

  test('migration 24 joins the causes of a transaction; no credit loses its cause', async () => {
    const connection = await schemaBefore('networks', 24);
    const rows: [cause: string | null, state: string, becomes: string | null][] = [
      [`eth/${HASH}/0`, 'completed', `/${HASH}/0`],
      // Credited again by another spelling or network.
      [`trx/${HASH}/0`, 'completed', `/${HASH}/5`],
      [`eth/${HASH}#0/0`, 'crediting', `/${HASH}/6`],
      [`eth/${HASH}/0/0`, 'rejected', null],
      [`eth/https://etherscan.io/tx/0x${HASH}/0`, 'pending', `/${HASH}/8`],
      [`eth/${HASH}/4`, 'completed', `/${HASH}/4`],
      [`sol/https://solscan.io/tx/${'ab3x'.repeat(22)}/0`, 'refused', `/${'ab3x'.repeat(22)}/0`],
      ['/sepa7/0', 'completed', '/sepa7/0'],
      ['/2026/12/0', 'completed', '/2026/12/0'],
      ['/https://bank.example/0', 'completed', '/https://bank.example/0'],
      [null, 'pending', null],
    ];
    for (const [index, [cause, state]] of rows.entries()) {
      await connection.query(
        `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
           address, transaction_id, state, cause)
         values ('deposit', 1, 1, 'usdt', 8, 5, '', $1, $2, $3)`,
        [`t${index}`, state, cause],
      );
    }
    await migrate(connection, 'networks', readRegistryMigrations());
    const migrated = await connection.query('select cause from deposit_requests order by id');
    assert.deepEqual(
      migrated.rows.map(({ cause }) => cause),
      rows.map(([, , becomes]) => becomes),
    );
  });

  test('migration 13 cuts personal values out of requests, and fixes the currency', async () => {
    const connection = await schemaBefore('requests', 13);
    await connection.query(`insert into kit (content) values ('{"native_currency": "eur"}')`);
    const payload = { user_id: 1, amount: '5', address: 'secret place', description: 'secret' };
    const shown = [
      { label: 'Pay out', value: '5 btc' },
      { label: 'To address', value: 'secret place' },
    ];
    await connection.query(
      `insert into approval_requests (act, vote_power, payload, payload_hash, shown, object,
         object_version, requester_id, requester_role, requester_credential, requester_address,
         beneficiaries, needed, created_at, expires_at)
       values ('withdrawal.payout', 'approve.money', $1, $2, $3, 'user 1', '', 1, 'admin',
         'session 1', '', '{}', 1, now(), now() + interval '1 day')`,
      [payload, Buffer.alloc(32), JSON.stringify(shown)],
    );
    await migrate(connection, 'requests', readRegistryMigrations());
    const { rows } = await connection.query(
      'select state, reason, payload, shown from approval_requests',
    );
    assert.deepEqual(rows, [
      {
        state: 'stale',
        reason: 'upgraded',
        payload: { user_id: 1, amount: '5' },
        shown: [
          { label: 'Pay out', value: '5 btc' },
          { label: 'To address', value: '', isPersonal: true },
        ],
      },
    ]);
    const control = await connection.query('select currency from exchange_control');
    assert.deepEqual(control.rows, [{ currency: 'eur' }]);
  });
});
