// Each scheduled job on a real PostgreSQL: it ends expired rows in batches, leaves all others, and
// changes nothing when it runs again.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { personalKeyBound } from '../../features/accounts/index.ts';
import { auditKeyBound } from '../../features/audit/index.ts';
import {
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../../features/auth/registry-for-test.ts';
import { migrate, type Pool } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import type { JobContext } from '../../platform/jobs/index.ts';
import { sealWith } from '../../platform/vault/index.ts';
import { applyGrants } from '../../tools/migrate/grants/apply-grants.ts';
import { JOBS } from './jobs.ts';

const NOW = '2026-11-15T12:00:00Z';
const HASH = `decode(rpad('', 64, '0'), 'hex')`;
/** Returns a 32-byte hash that is different for each text. */
const hashOf = (text: string) => `sha256('${text}')`;
const stakePool = `insert into stake_pools (id, name, user_id, account_id, reserve_id, asset_id,
    currency, scale, reward_asset_id, reward_currency, reward_scale, duration_days, min_atoms,
    max_atoms, early_unstake, principal_slash_ppm, reward_slash_ppm, is_automatic, state,
    accrued_to, created_at, updated_at)
  overriding system value values (1, 'pool', 1, 1, 2, 1, 'btc', 8, 1, 'btc', 8, 30, 1, 10, false,
    0, 0, true, 'active', '2026-11-13', now(), now())`;
const stakeRate = `insert into stake_pool_rates values (1, '2026-11-01', 100000000)`;
const stakeUntil = (day: string) => `insert into stakes (pool_id, user_id, principal_atoms, state,
    early_unstake, principal_slash_ppm, reward_slash_ppm, opened_day, last_day, end_day, nav_atoms,
    created_at, updated_at)
  values (1, 1, 360000, 'staking', false, 0, 0, '2026-11-13', '2026-11-13', '${day}', 1, now(),
    now())`;
const user = (id: number, state: string, since: string) =>
  `insert into users (id, email, username, affiliation_code, state, state_since, created_at)
   overriding system value
   values (${id}, 'u${id}@example.com', 'u${id}', 'CODE0${id}', '${state}', '${since}',
     '${since}')`;
const mail = (id: number, state: string, settledAt: string) =>
  `insert into mail_outbox (id, kind, language, recipient_mac, message_id, state, settled_at)
   overriding system value
   values (${id}, 'welcome', 'en', ${HASH}, 'm${id}', '${state}', ${settledAt})`;
const code = (
  id: number,
  expiresAt: string,
  { purpose = 'reset_password', state = 'active' } = {},
) => [
  user(id, state, '2026-01-01'),
  `insert into codes (user_id, purpose, form, code_mac, expires_at)
   values (${id}, '${purpose}', 'v4', ${HASH}, '${expiresAt}')`,
];
const session = (id: number, revokedAt: string, expiresAt: string) =>
  `insert into sessions (id, user_id, token_hash, scopes, revoked_at, expires_at)
   overriding system value
   values (${id}, 1, ${hashOf(`session ${id}`)}, '{user}', ${revokedAt}, '${expiresAt}')`;
const totp = (id: number, state: string, createdAt: string) => [
  user(id, 'active', '2026-01-01'),
  `insert into totp_secrets (user_id, kek_id, sealed_secret, state, created_at)
   values (${id}, 1, 'x', '${state}', '${createdAt}')`,
];
const login = (createdAt: string, outcome: string) =>
  `insert into logins (created_at, email_mac, outcome, ip)
   values ('${createdAt}', 'x', '${outcome}', '')`;
const address = (label: string, removedAt: string) =>
  `insert into address_book (user_id, label, address, network, currency, active_at, removed_at)
   values (1, '${label}', '${label}', 'btc', 'btc', '2025-01-01', ${removedAt})`;
const withdrawal = (id: number, userId: number, state: string, expiresAt: string) =>
  `insert into withdrawal_requests (id, kind, user_id, asset_id, currency, scale, amount_atoms,
     fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state, expires_at)
   overriding system value
   values (${id}, 'withdrawal', ${userId}, 1, 'btc', 8, 5, 1, 'btc', 8, 0, 'a', 'tx', '${state}',
     '${expiresAt}')`;
const approval = (id: number, expiresAt: string) =>
  `insert into approval_requests (id, act, payload, payload_hash, shown, object, object_version,
     requester_id, requester_credential, requester_address, beneficiaries, needed, created_at,
     expires_at, vote_power, requester_role)
   overriding system value
   values (${id}, 'test', '{}', ${HASH}, '[]', 'x', '', 1, 'session 1', '', '{}', 1,
     '2026-11-14T12:00:00Z', '${expiresAt}', 'approve.money', 'admin')`;
const finding = (object: string, closedAt: string | null) =>
  `insert into findings (rule, user_id, object, first_seen_at, last_seen_at, state, result,
     closed_at)
   values ('price_band', 1, '${object}', now(), now(), ${
     closedAt === null ? `'open', null, null` : `'closed', 'no_issue', '${closedAt}'`
   })`;
const sentFile = (list: string, startedAt: string) =>
  `insert into exports (operator_id, list, format, filters, started_at)
   values (1, '${list}', 'csv', '{}', '${startedAt}')`;
const AUDIT_KEY = Buffer.from(vault.seal(auditKeyBound(1), Buffer.alloc(32, 5)).sealed);
const STATES = `select id || ' ' || state as found from users`;

interface Row {
  readonly job: string;
  readonly given: readonly string[];
  /** A query with one column `found`, and its sorted values after the job. */
  readonly query: string;
  readonly expected: readonly string[];
  readonly changed: number;
}

const support = (id: number, createdAt: string) =>
  `insert into support_messages (id, kek_id, sealed, reference, created_at) overriding system value
   values (${id}, 1, 'x', 'r${id}', '${createdAt}')`;

/** User 3 was referred by user 2 and has paid 1 usdt of fees to user 1. */
const referral = [
  user(1, 'active', '2026-01-01'),
  user(2, 'active', '2026-01-01'),
  user(3, 'active', '2026-01-01'),
  `insert into kit (content) values ('{"referral_history_config": {"active": true,
     "currency": "usdt", "earning_rate": 50, "minimum_amount": 1, "distributor_id": 1}}')`,
  `insert into referral_codes (code, user_id, discount, earning_rate) values ('CODE01', 2, 0, 50)`,
  `insert into affiliations (user_id, referrer_id, code, earning_rate, discount, starts_at)
   values (3, 2, 'CODE01', 50, 0, '2026-11-15T01:00:00Z')`,
  `insert into referral_progress (frame, time) values (7, '2026-11-15T00:00:00Z')`,
  `insert into rialto.assets values (1, 'usdt', 6, 1, now())`,
  'create table rialto.all_trades partition of rialto.trades default',
  `insert into rialto.trades values (1, 1, 1, 1, 'buy', 1, 1, 1, 2, 1, 3, 1, 1, 0, 1000000, false,
     false, 1, 8, '2026-11-15T02:00:00Z')`,
  `insert into rialto.projection values
     (true, 1, ${HASH}, 9, 0, true, 0, '2026-11-15T04:00:00Z', 1000)`,
];

/** A user whose data is older than tokens. */
function personWithoutTokens(id: number): string[] {
  const { kekId, key, sealed } = vault.createDataKey(personalKeyBound(id as UserId));
  const data = sealWith(key, `personal data ${id} 1`, '{"phoneNumber":"+41 44 123 45 67"}');
  return [
    user(id, 'active', '2026-01-01'),
    `insert into personal_keys (user_id, kek_id, sealed)
     values (${id}, ${kekId}, decode('${Buffer.from(sealed).toString('hex')}', 'hex'))`,
    `insert into personal_data (user_id, version, sealed)
     values (${id}, 1, decode('${data.toString('hex')}', 'hex'))`,
  ];
}

const rows: readonly Row[] = [
  {
    job: 'make_personal_tokens',
    given: [...personWithoutTokens(1), ...personWithoutTokens(2), ...personWithoutTokens(3)],
    query: `select user_id || ' ' || field as found from personal_tokens`,
    expected: ['1 phone', '2 phone', '3 phone'],
    changed: 3,
  },
  {
    job: 'count_referral_shares',
    given: referral,
    query: `select b.to_frame || ' ' || a.numerator / 1e38 / 1e6 as found from referral_accruals a
      join referral_batches b on b.id = a.batch_id`,
    expected: ['9 0.50000000000000000000'],
    changed: 1,
  },
  {
    job: 'delete_old_lookups',
    given: [
      user(1, 'active', '2026-01-01'),
      `insert into data_lookups (at, operator_id, reason) values
         ('2025-10-14T11:59:59Z', 1, 'id'), ('2025-10-16T12:00:01Z', 1, 'list')`,
    ],
    query: 'select reason as found from data_lookups',
    expected: ['list'],
    changed: 1,
  },
  {
    job: 'delete_old_approval_keys',
    given: [
      user(1, 'active', '2026-01-01'),
      ...[1, 2, 3].map((id) => approval(id, '2026-11-15T12:00:00Z')),
      `insert into approval_keys values (1, 1, ''), (2, 1, ''), (3, 1, '')`,
      `update approval_requests set state = 'rejected', ended_at = '2025-10-14T11:59:59Z'
       where id = 1`,
      `update approval_requests set state = 'rejected', ended_at = '2025-10-16T12:00:01Z'
       where id = 2`,
    ],
    query: 'select request_id::text as found from approval_keys',
    expected: ['2', '3'],
    changed: 1,
  },
  {
    job: 'delete_old_support_messages',
    given: [support(1, '2025-10-14T11:59:59Z'), support(2, '2025-10-16T12:00:01Z')],
    query: 'select id::text as found from support_messages',
    expected: ['2'],
    changed: 1,
  },
  {
    job: 'remove_unverified_users',
    given: [
      user(1, 'unverified', '2026-11-08T11:59:59Z'),
      user(2, 'unverified', '2026-11-08T12:00:01Z'),
      user(3, 'active', '2025-01-01'),
      user(4, 'unverified', '2026-10-01'),
      user(5, 'unverified', '2026-10-01'),
      `insert into codes (user_id, purpose, form, code_mac, expires_at)
       values (1, 'verify_email', 'v4', ${HASH}, '2026-11-08')`,
      `insert into passwords (user_id, salt, memory, passes, lanes, kek_id, sealed_tag)
       values (1, decode(rpad('', 32, '0'), 'hex'), 1, 1, 1, 1, 'x')`,
      // A row that must be kept keeps its user too, and blocks no other.
      `insert into wallets (user_id, currency, address, network) values (4, 'btc', 'x', 'btc')`,
    ],
    query: STATES,
    expected: ['2 unverified', '3 active', '4 unverified'],
    changed: 2,
  },
  {
    job: 'close_accounts',
    given: [
      user(1, 'closing', '2026-11-01T11:59:59Z'),
      user(2, 'closing', '2026-11-01T12:00:01Z'),
      user(3, 'active', '2026-01-01'),
      user(4, 'closing', '2026-01-01'),
      user(5, 'closing', '2026-01-01'),
    ],
    query: STATES,
    expected: ['1 closed', '2 closing', '3 active', '4 closed', '5 closed'],
    changed: 3,
  },
  {
    job: 'erase_closed_accounts',
    given: [
      user(1, 'closed', '2026-10-16T11:59:59Z'),
      user(2, 'closed', '2026-10-16T12:00:01Z'),
      user(3, 'closing', '2026-01-01'),
      user(4, 'closed', '2026-01-01'),
      user(5, 'closed', '2026-01-01'),
    ],
    query: `${STATES} union all select 'mail ' || kind from mail_outbox`,
    expected: [
      '1 erased',
      '2 closed',
      '3 closing',
      '4 erased',
      '5 erased',
      'mail account_erased',
      'mail account_erased',
      'mail account_erased',
    ],
    changed: 3,
  },
  {
    job: 'expire_withdrawals',
    given: [
      user(1, 'active', '2026-01-01'),
      user(2, 'active', '2026-01-01'),
      withdrawal(1, 1, 'unconfirmed', '2026-11-15T11:59:59Z'),
      withdrawal(2, 2, 'unconfirmed', '2026-11-15T12:00:01Z'),
      withdrawal(3, 1, 'awaiting_recipient', '2026-11-15T11:00:00Z'),
      withdrawal(4, 1, 'awaiting_recipient', '2026-11-16T11:00:00Z'),
      // On hold until an operator decides.
      withdrawal(5, 1, 'in_review', '2026-11-15T11:00:00Z'),
      withdrawal(6, 1, 'canceled', '2026-11-15T11:00:00Z'),
    ],
    query: `select id || ' ' || state as found from withdrawal_requests`,
    expected: [
      '1 expired',
      '2 unconfirmed',
      '3 expired',
      '4 awaiting_recipient',
      '5 in_review',
      '6 canceled',
    ],
    changed: 2,
  },
  {
    job: 'surveillance',
    given: [
      user(1, 'active', '2026-01-01'),
      `insert into logins (created_at, user_id, email_mac, outcome, ip, country) values
         ('2026-10-01', 1, 'x', 'success', '', 'IT'), ('2026-11-15', 1, 'x', 'success', '', 'KP')`,
      withdrawal(1, 1, 'in_review', '2026-12-01'),
      `update withdrawal_requests set created_at = '2026-11-15T11:59:00Z', policy_input = '{}'`,
    ],
    query: `select rule || ' ' || object as found from findings`,
    expected: ['new_country withdrawal 1'],
    changed: 1,
  },
  {
    job: 'delete_old_findings',
    given: [
      user(1, 'active', '2026-01-01'),
      finding('old', '2021-11-11T11:59:59Z'),
      finding('closed', '2021-11-11T12:00:01Z'),
      finding('open', null),
      `insert into finding_evidence select id, 'x', now(), 1, '{}' from findings`,
    ],
    query: 'select object as found from findings join finding_evidence on finding_id = id',
    expected: ['closed', 'open'],
    changed: 1,
  },
  {
    job: 'delete_spent_challenges',
    given: [
      `insert into spent_challenges values (${hashOf('a')}, '2026-11-15T11:59:59Z')`,
      `insert into spent_challenges values (${hashOf('b')}, '2026-11-15T12:00:01Z')`,
      `insert into spent_challenges values (${hashOf('c')}, '2026-01-01')`,
    ],
    query: `select expires_at::date::text as found from spent_challenges`,
    expected: ['2026-11-15'],
    changed: 2,
  },
  {
    job: 'delete_old_throttles',
    given: [
      `insert into login_throttles values ('account', ${hashOf('a')}, 3, '2026-01-01', null)`,
      `insert into login_throttles values ('address', ${hashOf('b')}, 3, '2026-11-15', null)`,
    ],
    query: 'select scope as found from login_throttles',
    expected: ['address'],
    changed: 1,
  },
  {
    job: 'delete_old_codes',
    given: [
      ...code(1, '2026-11-14T11:59:59Z'),
      ...code(2, '2026-11-14T12:00:01Z'),
      ...code(3, '2026-01-01'),
      ...code(4, '2026-01-01'),
      // A sign-up's password is stored in its code while the user is unverified.
      ...code(5, '2026-11-10', { purpose: 'verify_email', state: 'unverified' }),
      ...code(6, '2026-11-10', { purpose: 'verify_email' }),
    ],
    query: 'select user_id::text as found from codes',
    expected: ['2', '5'],
    changed: 4,
  },
  {
    job: 'delete_old_sessions',
    given: [
      user(1, 'active', '2025-01-01'),
      session(1, 'null', '2026-12-01'),
      session(2, `'2026-11-14'`, '2026-12-01'),
      session(3, 'null', '2026-11-14'),
      session(4, `'2025-10-15T11:59:59Z'`, '2026-01-01'),
      session(5, `'2025-10-15T12:00:01Z'`, '2026-01-01'),
      session(6, 'null', '2025-10-01'),
      session(7, `'2025-10-30'`, '2025-10-01'),
    ],
    query: 'select id::text as found from sessions',
    expected: ['1', '2', '3', '5'],
    changed: 3,
  },
  {
    job: 'delete_pending_factors',
    given: [
      ...totp(1, 'pending', '2026-11-14T11:59:59Z'),
      ...totp(2, 'pending', '2026-11-14T12:00:01Z'),
      ...totp(3, 'active', '2026-01-01'),
    ],
    query: `select user_id || ' ' || state as found from totp_secrets`,
    expected: ['2 pending', '3 active'],
    changed: 1,
  },
  {
    job: 'delete_old_mails',
    given: [
      mail(1, 'sent', `'2026-10-16T11:59:59Z'`),
      mail(2, 'failed', `'2026-10-16T12:00:01Z'`),
      mail(3, 'waiting', 'null'),
      mail(4, 'expired', `'2026-01-01'`),
      mail(5, 'suppressed', `'2026-01-01'`),
    ],
    query: `select id || ' ' || state as found from mail_outbox`,
    expected: ['2 failed', '3 waiting'],
    changed: 3,
  },
  {
    job: 'delete_old_invitations',
    given: [
      `insert into invitations (code_hash, expires_at) values (${hashOf('a')}, '2026-10-01')`,
      `insert into invitations (code_hash, expires_at) values (${hashOf('b')}, '2026-11-14')`,
    ],
    query: 'select expires_at::date::text as found from invitations',
    expected: ['2026-11-14'],
    changed: 1,
  },
  {
    job: 'delete_removed_addresses',
    given: [
      user(1, 'active', '2025-01-01'),
      address('old', `'2025-10-01'`),
      address('removed', `'2026-11-01'`),
      address('live', 'null'),
    ],
    query: 'select label as found from address_book',
    expected: ['live', 'removed'],
    changed: 1,
  },
  {
    job: 'expire_approvals',
    given: [
      user(1, 'active', '2026-01-01'),
      approval(1, '2026-11-15T12:00:00Z'),
      approval(2, '2026-11-15T12:00:01Z'),
    ],
    query: `select id || ' ' || state || coalesce(' ' || ended_at, '') as found
      from approval_requests`,
    expected: ['1 expired 2026-11-15 12:00:00+00', '2 pending'],
    changed: 1,
  },
  {
    job: 'anchor_audit',
    given: [`update audit_head set seq = 7, hash = ${HASH}`],
    query: `select kind || ' ' || anchored_seq as found from engine_commands, audit_head`,
    expected: ['AnchorAudit 7'],
    changed: 1,
  },
  {
    job: 'checkpoint_audit',
    given: [
      `insert into audit_keys values (1, 1, decode('${AUDIT_KEY.toString('hex')}', 'hex'))`,
      `update audit_head set seq = 7, hash = ${HASH}`,
    ],
    query: `select split_part(note, E'\\n', 2) || ' ' || split_part(note, E'\\n', 4) as found
      from audit_checkpoints`,
    expected: ['7 2026-11-15T12:00:00.000Z'],
    changed: 1,
  },
  {
    job: 'count_stake_rewards',
    given: [
      user(1, 'active', '2026-01-01'),
      user(2, 'active', '2026-01-01'),
      stakePool,
      stakeRate,
      stakeUntil('2026-12-01'),
    ],
    query: `select day || ' ' || amount_atoms as found from stake_movements`,
    expected: ['2026-11-14 1000', '2026-11-15 1000'],
    changed: 2,
  },
  {
    job: 'settle_stakes',
    given: [
      user(1, 'active', '2026-01-01'),
      user(2, 'active', '2026-01-01'),
      stakePool,
      stakeRate,
      stakeUntil('2026-11-13'),
      stakeUntil('2026-12-01'),
    ],
    query: `select state as found from stakes union all select kind from stake_movements`,
    expected: ['principal', 'settling', 'staking'],
    // It ends, its principal is paid, and there is no reward.
    changed: 3,
  },
  {
    job: 'keep_login_partitions',
    given: [],
    query: `select relname as found from pg_class where relname ~ '^logins_\\d{4}_\\d{2}$'`,
    expected: ['logins_2026_11', 'logins_2026_12', 'logins_2027_01'],
    changed: 3,
  },
  {
    job: 'delete_old_logins',
    given: [
      `create table logins_2025_01 partition of logins
       for values from ('2025-01-01') to ('2025-02-01')`,
      login('2024-01-01', 'old'),
      login('2025-01-02', 'old'),
      login('2026-02-01', 'new'),
    ],
    query: `select outcome as found from logins
      union all select relname from pg_class where relname = 'logins_2025_01'`,
    expected: ['new'],
    changed: 2,
  },
  {
    job: 'end_lost_exports',
    given: [
      user(1, 'active', '2026-01-01'),
      sentFile('lost', '2026-11-15T11:44:59Z'),
      sentFile('pending', '2026-11-15T11:45:01Z'),
    ],
    query: `select list || ' ' || state as found from exports`,
    expected: ['lost broken', 'pending sending'],
    changed: 1,
  },
  // The last two read the projected tables for the referral shares.
  {
    job: 'sum_ledger',
    given: [
      'create table rialto.all_entries partition of rialto.ledger_entries default',
      ...[5, 7].map(
        (frame) => `insert into rialto.ledger_entries values
          (1, 1, ${frame}, 0, 0, ${frame}, 0, 'deposit', 1, 1, null, '2026-11-15T03:00:00Z')`,
      ),
    ],
    query: `select frame || ' ' || users_available_atoms as found from ledger_totals`,
    expected: ['7 12'],
    changed: 2,
  },
  {
    job: 'sum_fees',
    given: [],
    query: `select count(*) || ' days to ' || max(day) as found from fee_days_closed`,
    expected: ['31 days to 2026-11-14'],
    changed: 31,
  },
  {
    job: 'complete_mode_change',
    given: [
      'alter table exchange_control disable trigger keep_team',
      `update exchange_control set mode = 'team', solo_from = '2026-11-15T11:59:59Z'`,
      'alter table exchange_control enable trigger keep_team',
    ],
    query: `select mode || coalesce(' ' || solo_from, '') as found from exchange_control`,
    expected: ['solo'],
    changed: 1,
  },
];

let tables: RegistryForTest;
/** Login of the notifier, because a job has no other permissions. */
let pool: Pool;

describe('scheduled jobs', () => {
  before(async () => {
    tables = await openRegistryForTest();
    await migrate(await tables.connection(), 'rialto', readProjectionMigrations());
    const [registrySchema, projectionSchema] = ['registry', 'rialto'];
    const schemas = { registrySchema, projectionSchema, rolePrefix: 'rialto' };
    await applyGrants(await tables.connection(), schemas);
    pool = tables.poolAs('rialto_notifier');
    // The trigger would refuse to empty its table together with the users.
    await tables.pool.query('drop trigger refuse_audit_change on audit_entries');
  });
  after(() => tables.close());
  beforeEach(() =>
    // In the replica role, to empty the audit too.
    tables.pool.query(`begin; set local session_replication_role = replica;
      truncate users, codes, totp_secrets, mail_outbox, spent_challenges, login_throttles,
        invitations, logins, audit_checkpoints, engine_commands cascade;
      commit`),
  );

  for (const { changed, expected, given, job: name, query } of rows) {
    test(name, async () => {
      const job = JOBS.find((one) => one.name === name);
      assert.ok(job !== undefined, 'it is scheduled');
      for (const statement of given) await tables.pool.query(statement);
      const found = async () => {
        const { rows: all } = await tables.pool.query(query);
        return all.map(({ found: text }) => text).sort();
      };
      assert.notDeepEqual(await found(), expected, 'it has something to do');
      assert.equal(await job.run(context()), changed);
      assert.deepEqual(await found(), expected);
      assert.equal(await job.run(context()), 0, 'again');
      assert.deepEqual(await found(), expected);
    });
  }

  test('an account is not erased without its last email', async () => {
    await tables.pool.query(user(1, 'closed', '2026-01-01'));
    const job = JOBS.find(({ name }) => name === 'erase_closed_accounts');
    await tables.pool.query('alter table mail_outbox rename to mail_elsewhere');
    try {
      await assert.rejects(async () => job?.run(context()));
    } finally {
      await tables.pool.query('alter table mail_elsewhere rename to mail_outbox');
    }
    const { rows: states } = await tables.pool.query(STATES);
    assert.deepEqual(states, [{ found: '1 closed' }]);
    assert.equal(await job?.run(context()), 1);
    const { rows: mails } = await tables.pool.query('select kind from mail_outbox');
    assert.deepEqual(mails, [{ kind: 'account_erased' }]);
  });

  test('every job has a row here', () => {
    assert.deepEqual(rows.map(({ job }) => job).sort(), JOBS.map(({ name }) => name).sort());
  });
});

function context(): JobContext {
  return {
    pool,
    vault,
    nowMs: Date.parse(NOW),
    retentionMs: 30 * 86_400_000,
    batch: 2,
    projectionSchema: 'rialto',
  };
}
