// Every identity lookup uses an index: EXPLAIN runs on the statements that the functions send, over
// tables with many rows. Deleting a user never makes PostgreSQL scan an entire table.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { hasSubAccounts } from '../../features/accounts/index.ts';
import { useCode, useCodeOfUser } from '../../features/auth/codes.ts';
import { readSessions } from '../../features/auth/credentials/owned-credentials.ts';
import { findLoginUser, readKeys } from '../../features/auth/index.ts';
import { findKnownDevice, listDevices, pastLogins } from '../../features/auth/login/devices.ts';
import { countPasswordKnown } from '../../features/auth/login/logins.ts';
import {
  clientAt,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../../features/auth/registry-for-test.ts';
import { chargeMails, Throttles } from '../../features/auth/throttles.ts';
import { hasMailBudget, leaseMails, mailBacklog } from '../../features/messages/index.ts';
import type { Pool, Statements } from '../../infra/postgres/index.ts';
import { JOBS } from '../../services/notifier/jobs.ts';

const ROWS = 20_000;
const TABLES: readonly string[] = [
  'users',
  'api_keys',
  'sessions',
  'codes',
  'devices',
  'login_throttles',
  'mail_outbox',
  'totp_secrets',
  'spent_challenges',
  'logins_default',
];

// One row of each table per user. Jobs search for only a few of them.
const FILL = `
  insert into users (email, username, affiliation_code, state, state_since)
  select 'u' || n || '@example.com', 'u' || n, upper(lpad(to_hex(n), 6, '0')),
    case n % 1000 when 1 then 'unverified' when 2 then 'closing' when 3 then 'closed'
      else 'active' end, now() - n % 100 * interval '1 hour'
  from generate_series(1, ${ROWS}) n;
  update users set kind = 'sub', parent_id = 5 where id between 10 and 12;
  insert into api_keys (user_id, name, kind, public_key, kek_id, sealed, expires_at)
  select id, 'bot', 'hmac', lpad(to_hex(id), 40, '0'), 1, '\\x00', now() + interval '1 day'
  from users;
  insert into sessions (user_id, token_hash, scopes, expires_at)
  select id, sha256(id::text::bytea), '{user}', now() + interval '1 day' from users;
  insert into codes (user_id, purpose, form, code_mac, flow_hash, network, expires_at)
  select id, 'reset_password', case id % 2 when 0 then 'v2' else 'v4' end, sha256(id::text::bytea),
    sha256(id::text::bytea), '10.0.' || id / 250 || '.' || id % 250,
    now() + interval '5 minutes' - case id % 1000 when 1 then 2 else 0 end * interval '1 day'
  from users;
  insert into devices (user_id, token_hash, network)
  select id, sha256(id::text::bytea), '10.0.0.1' from users;
  insert into logins (user_id, email_mac, outcome, ip) select id, 'x', 'success', '' from users;
  insert into login_throttles (scope, subject_mac) select 'account', sha256(id::text::bytea)
  from users;
  insert into mail_outbox (user_id, kind, language, recipient_mac, message_id, state, settled_at,
    expires_at)
  select id, 'verify_email', 'en', sha256(id::text::bytea), 'm' || id,
    case id % 100 when 0 then 'waiting' else 'sent' end,
    case id % 100 when 0 then null else now()
      - case id % 1000 when 1 then 40 else 1 end * interval '1 day' end,
    case id % 200 when 0 then now() + interval '5 minutes' end
  from users;
  insert into totp_secrets (user_id, kek_id, sealed_secret, state, created_at)
  select id, 1, 'x', case id % 1000 when 0 then 'pending' else 'active' end,
    now() - id % 100 * interval '1 hour'
  from users;
  insert into spent_challenges (hash, expires_at)
  select sha256(id::text::bytea), now() + case id % 1000 when 1 then -1 else 1 end
      * interval '1 hour'
  from users;
  analyze`;

let registry: RegistryForTest;
let pool: Pool;

const user = 5 as UserId;
const nowMs = Date.now();
const bytes = Buffer.alloc(32, 1);
const client = clientAt('10.0.0.5');
const flow = { network: '10.0.0.5', session: 0 };
const cookie = { ...flow, cookieHash: bytes };
const mail = { kind: 'verify_email', to: 'u5@example.com' } as const;
const asked = { purpose: 'reset_password', code: 'AA-12345' } as const;

const lookUps: [what: string, lookUp: (statements: Statements) => Promise<unknown>][] = [
  ['a login by email', (on) => findLoginUser(on, 'u5@example.com')],
  ['a session by its token', (on) => readSessions(on, [bytes])],
  ['a key by its public key', (on) => readKeys(on, ['0'.repeat(40)])],
  ['a code alone or by its network', (on) => useCode(on, vault, { ...asked, flow })],
  ['a code by its browser', (on) => useCode(on, vault, { ...asked, flow: cookie })],
  ['a code by its user', (on) => useCodeOfUser(on, vault, { ...asked, flow, user })],
  ['a known device', (on) => findKnownDevice(on, { user, client, nowMs })],
  ['the devices of a user', (on) => listDevices(on, user)],
  ['the countries of a user', (on) => pastLogins(on, user)],
  ['the failed logins of a user', (on) => countPasswordKnown(on, { user, nowMs })],
  ['a block', (on) => Throttles.check(on, vault, { scope: 'account', subject: 'a', nowMs })],
  ['the emails of a session', (on) => chargeMails(on, vault, { user, nowMs })],
  ['the budget of a recipient', (on) => hasMailBudget(on, vault, mail)],
  ['the sub-accounts of a user', (on) => hasSubAccounts(on, user)],
  ['the emails to send', (on) => leaseMails(on, vault, { max: 10, leaseMs: 1_000 })],
  ['the email backlog', (on) => mailBacklog(on)],
];

/** Logins are in partitions, which are dropped entirely. The default partition is nearly empty. */
const JOBS_OF_SMALL_TABLES = [
  'keep_login_partitions',
  'delete_old_logins',
  'delete_old_invitations',
];

/** Jobs that scan the projected tables, which do not exist here. */
const JOBS_OF_PROJECTIONS = ['sum_ledger', 'sum_fees', 'surveillance'];
const SKIPPED = [...JOBS_OF_SMALL_TABLES, ...JOBS_OF_PROJECTIONS];

describe('an identity lookup uses an index', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
    await pool.query(FILL);
  });
  after(() => registry.close());

  for (const [what, lookUp] of lookUps) {
    test(what, async () => {
      const { scanned, statements, texts } = explaining();
      await lookUp(statements);
      assert.ok(texts.length > 0);
      assert.deepEqual([...scanned], []);
    });
  }

  for (const job of JOBS.filter(({ name }) => !SKIPPED.includes(name))) {
    test(`the job ${job.name}`, async () => {
      const { scanned, statements } = explaining();
      const own = { query: statements.query, connect: () => pool.connect() } as unknown as Pool;
      const context = { vault, nowMs, retentionMs: 0, batch: 5, projectionSchema: 'rialto' };
      await job.run({ ...context, pool: own });
      assert.deepEqual([...scanned], []);
    });
  }

  test('every foreign key to users has an index, so users can be deleted', async () => {
    const { rows } = await pool.query(
      `select conrelid::regclass || '.' || attname as column_name
       from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and confrelid = 'users'::regclass and not exists (
         select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])
       order by 1`,
    );
    assert.deepEqual(rows, []);
  });
});

/** Explains each statement before it is executed, and collects scanned large tables. */
function explaining() {
  const scanned = new Set<string>();
  const texts: string[] = [];
  const query: Statements['query'] = async (text, values) => {
    texts.push(text);
    if (/^\s*(?:with|select|insert|update|delete)\b/i.test(text)) {
      const { rows } = await pool.query(`explain (format json) ${text}`, values as unknown[]);
      const found = scansOf(rows[0]['QUERY PLAN'][0].Plan);
      for (const table of found) if (TABLES.includes(table)) scanned.add(`${table}: ${text}`);
    }
    return pool.query(text, values as unknown[]);
  };
  return { scanned, texts, statements: { query } };
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

function scansOf(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(scansOf);
  return plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? '', ...below] : below;
}
