// Tests a user's timeline on a real PostgreSQL: every kind of record is an entry, pages join
// without gaps or repeats, and no entry is from another user or of an unrequested type.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { createUser } from '../accounts/index.ts';
import { TIMELINE_TYPES, type TimelineType } from './api/console.ts';
import { parseCursor, readTimeline, type TimelineEntry } from './user-timeline.ts';

const BANK = 'ff00'.repeat(3).padEnd(15, '0');

let connection: OwnConnection;
let stop: () => Promise<void> = async () => {};
let ann: UserId;
let bob: UserId;

describe('user timeline', { timeout: 300_000 }, () => {
  before(async () => {
    const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    connection = await postgres.session('registry');
    await migrate(connection, 'registry', readRegistryMigrations());
    [bob, ann] = [await newUser('bob'), await newUser('ann')];
    for (const user of [bob, ann]) await plant(user);
  });
  after(() => stop());

  test('every record is an entry, newest first', async () => {
    const entries = await pages(100);
    const texts = entries.map(({ event, type }) => `${type} ${event}`);
    assert.deepEqual(texts, [
      'reveal not_reviewed',
      'operator user.note',
      'account frozen',
      'stake unstaked',
      'stake opened',
      'withdrawal completed',
      'withdrawal executing',
      'deposit completed',
      'deposit pending',
      'address_book removed',
      'address_book added',
      'payment_detail added',
      'bank_account verified',
      'bank_account added',
      'mail api_key_revoked',
      'api_key revoked',
      'api_key created',
      'mail new_device',
      'mail password_changed',
      'security password_changed',
      'session ended',
      'device revoked',
      'device first_seen',
      'login password_wrong',
      'login success',
      'account signed_up',
    ]);
  });

  test('entries have the values of their rows, and amounts as decimals', async () => {
    const entries = await pages(100);
    const one = (type: TimelineType, event: string) =>
      entries.find((entry) => entry.type === type && entry.event === event);
    assert.deepEqual(one('deposit', 'completed')?.details, {
      kind: 'deposit',
      currency: 'btc',
      network: 'btc',
      amount: '0.00000005',
    });
    assert.deepEqual(one('login', 'success')?.details, {
      ip: '198.51.100.7',
      country: 'AT',
      device: 'a browser',
      device_id: null,
    });
    assert.equal(one('bank_account', 'added')?.id, `${BANK}${ann}`);
    const revealed = { operator_id: 1, fields: ['email'] };
    assert.deepEqual(one('reveal', 'not_reviewed')?.details, revealed);
  });

  test('pages of any size give the same list', async () => {
    const whole = (await pages(100)).map(({ cursor }) => cursor);
    assert.equal(new Set(whole).size, whole.length);
    for (const limit of [1, 2, 3, 7]) {
      assert.deepEqual(
        (await pages(limit)).map(({ cursor }) => cursor),
        whole,
        `${limit}`,
      );
    }
  });

  test('entries with the same time are neither lost nor repeated between pages', async () => {
    const moment = '2026-11-10T10:00:00.123456Z';
    await connection.query(
      `insert into logins (created_at, user_id, email_mac, outcome, ip)
       select $2::timestamptz, $1, '', 'success', '' from generate_series(1, 5)`,
      [ann, moment],
    );
    await connection.query(
      `insert into mail_outbox (user_id, kind, language, recipient_mac, message_id, created_at)
       select $1, 'welcome', 'en', sha256(''), 'same-' || i, $2::timestamptz
       from generate_series(1, 4) i`,
      [ann, moment],
    );
    const same = (await pages(2)).filter(({ cursor }) => cursor.startsWith(moment));
    assert.equal(same.length, 9);
    assert.equal(new Set(same.map(({ cursor }) => cursor)).size, 9);
  });

  test('only the requested types are listed', async () => {
    for (const type of TIMELINE_TYPES) {
      const found = new Set((await pages(5, [type])).map((entry) => entry.type));
      assert.deepEqual(found, new Set([type]));
    }
    assert.deepEqual(await pages(5, []), []);
  });

  test('a credential change stays recorded after its email is deleted', async () => {
    await connection.query('delete from mail_outbox where user_id = $1', [ann]);
    const entries = await pages(100, ['security', 'api_key', 'mail']);
    assert.deepEqual(
      entries.map(({ event, type }) => `${type} ${event}`),
      ['api_key revoked', 'api_key created', 'security password_changed'],
    );
  });

  test('every table is read through an index', async () => {
    await connection.query('set enable_seqscan = off; set enable_bitmapscan = off');
    const plan: string[] = [];
    const explained = {
      async query(text: string, values?: unknown[]) {
        const { rows } = await connection.query(`explain ${text}`, values);
        plan.push(...rows.map((row) => row['QUERY PLAN']));
        return { rows: [], rowCount: 0 };
      },
    };
    const page = { user: ann, types: new Set(TIMELINE_TYPES), limit: 51 };
    await readTimeline(explained, page);
    await connection.query('reset enable_seqscan; reset enable_bitmapscan');
    const text = plan.join('\n');
    assert.doesNotMatch(text, /Seq Scan/);
    const byTime = [
      'logins_default_user_id_created_at_id_idx',
      'ended_sessions_of_user',
      'security_changes_of_user',
      'deposit_changes_of_user',
      'withdrawal_changes_of_user',
      'audit_entries_of_subject_by_time',
      'mails_of_user',
    ];
    for (const index of byTime) assert.ok(text.includes(`Scan Backward using ${index}`), index);
  });

  test('a text that is not a cursor is recognized', () => {
    const cursor = '2026-11-10T10:00:00.123456Z_2_17';
    assert.deepEqual(parseCursor(cursor), { at: cursor.slice(0, 27), source: 2, key: '17' });
    const wrong = ['', '17', '2026-13-10T10:00:00.123456Z_2_17', `${cursor}'`, `x${cursor}`];
    for (const text of [...wrong, '2026-11-10T10:00:00.123456Z_2_9223372036854775808']) {
      assert.equal(parseCursor(text), undefined, text);
    }
  });
});

async function newUser(name: string): Promise<UserId> {
  const user = await createUser(connection, { email: `${name}@console.example` });
  assert.ok(typeof user === 'object', `${user}`);
  return user.id;
}

/** Returns all of Ann's pages, each with at most `limit` entries. */
async function pages(
  limit: number,
  types: readonly TimelineType[] = TIMELINE_TYPES,
): Promise<TimelineEntry[]> {
  const all: TimelineEntry[] = [];
  for (;;) {
    const last = all.at(-1);
    const before = last === undefined ? undefined : parseCursor(last.cursor);
    const page = await readTimeline(connection, {
      user: ann,
      types: new Set(types),
      before,
      limit,
    });
    all.push(...page);
    if (page.length < limit) return all;
  }
}

/**
 * One row of everything, in order of time; the expected list is reversed. `USER` is the user, each
 * `TIME` is an hour after the previous one.
 */
const ROWS: readonly string[] = [
  'update users set created_at = TIME where id = USER',
  ...['success', 'password_wrong'].map(
    (outcome) => `
      insert into logins (user_id, created_at, email_mac, outcome, ip, country, user_agent)
      values (USER, TIME, '', '${outcome}', '198.51.100.7', 'AT', 'a browser')`,
  ),
  `insert into devices (user_id, network, first_seen_at, revoked_at)
   values (USER, 'x', TIME, TIME)`,
  `insert into sessions (user_id, token_hash, scopes, expires_at, created_at, revoked_at)
   values (USER, sha256('USER'), '{}', now(), '2026-01-01', TIME)`,
  mail('password_changed'),
  mail('new_device'),
  `insert into api_keys (user_id, created_at, name, public_key, kind, expires_at, kek_id, sealed)
   values (USER, TIME, 'bot', left(encode(sha256('USER'), 'hex'), 40), 'hmac', now(), 1, '')`,
  mail('api_key_revoked'),
  `insert into bank_accounts (user_id, id, status, sealed, created_at, decided_at)
   values (USER, '${BANK}' || USER, 'verified', '', TIME, TIME)`,
  `insert into payment_details (user_id, is_p2p, is_fiat_control, status, sealed, created_at)
   values (USER, true, false, 'pending', '', TIME)`,
  `insert into address_book (user_id, label, address, network, currency, created_at, active_at,
     removed_at) values (USER, 'mine', 'bc1', 'btc', 'btc', TIME, now(), TIME)`,
  `insert into deposit_requests (user_id, kind, asset_id, currency, scale, amount_atoms, address,
     network, transaction_id, state)
   values (USER, 'deposit', 1, 'btc', 8, 5, 'a', 'btc', 'in USER', 'pending')`,
  `update deposit_requests set state = 'completed' where user_id = USER`,
  datedChanges('deposit_request'),
  `insert into withdrawal_requests (user_id, kind, asset_id, currency, scale, amount_atoms,
     fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state)
   values (USER, 'withdrawal', 1, 'btc', 8, 5, 1, 'btc', 8, 0, 'a', 'btc', 'out USER',
     'executing')`,
  `update withdrawal_requests set state = 'completed' where user_id = USER`,
  datedChanges('withdrawal_request'),
  `insert into stake_pools (name, user_id, account_id, reserve_id, asset_id, currency, scale,
     reward_asset_id, reward_currency, reward_scale, min_atoms, max_atoms, early_unstake,
     principal_slash_ppm, reward_slash_ppm, is_automatic, accrued_to, created_at, updated_at)
   values ('pool USER', 1, USER % 2 + 1, USER, 1, 'btc', 8, 1, 'btc', 8, 1, 9, false, 0, 0, true,
     now(), now(), now())`,
  `insert into stakes (user_id, pool_id, principal_atoms, early_unstake, principal_slash_ppm,
     reward_slash_ppm, nav_atoms, created_at, unstaked_at, updated_at)
   select USER, max(id), 5, false, 0, 0, 0, TIME, TIME, now() from stake_pools`,
  `update users set state = 'frozen', state_since = TIME where id = USER`,
  `insert into audit_entries (subject_id, seq, at, credential, address, act, object, prev, hash,
     mac)
   select USER, USER * 10 + n, TIME, 'tool', '', act, 'user', sha256(''), sha256(''), sha256('')
   from (values (0, 'user.note'), (1, 'people.reveal')) given (n, act)`,
  `insert into reveals (subject_id, operator_id, fields, reason, ticket, created_at, expires_at)
   values (USER, 1, '{email}', 'a reason that is enough', 'T-1', TIME, now())`,
];

function mail(kind: string): string {
  return `insert into mail_outbox (user_id, kind, created_at, language, recipient_mac, message_id)
    values (USER, '${kind}', TIME, 'en', sha256(''), '${kind} USER')`;
}

/** The triggers wrote the changes with the database's time. */
function datedChanges(request: string): string {
  return `update transfer_changes set changed_at = case when state <> 'completed' then TIME
    else TIME end where user_id = USER and ${request} is not null`;
}

async function plant(user: UserId): Promise<void> {
  let hour = 0;
  const time = () => `'${new Date(Date.UTC(2026, 10, 1, hour++)).toISOString()}'::timestamptz`;
  for (const text of ROWS) {
    await connection.query(text.replaceAll('USER', `${user}`).replaceAll('TIME', time));
  }
}
