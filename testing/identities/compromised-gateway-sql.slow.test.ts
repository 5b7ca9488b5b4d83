// An attacker has a public gateway's PostgreSQL credentials on a running exchange: every table,
// every kind of statement, and forged rows that would move money.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AssetId, Atoms, MarketId, UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { describeCeiling } from '../../features/payments/index.ts';
import { type OwnConnection, openConnection } from '../../infra/postgres/index.ts';
import { destinationHash } from '../../infra/signer-link/index.ts';
import { OUTBOX_CHANNELS, type OutboxCommand } from '../../platform/outbox/index.ts';
import { encodeRecord } from '../../platform/outbox/outbox.ts';
import {
  COLUMN_GRANTS,
  PROJECTION_GRANTS,
  REGISTRY_GRANTS,
} from '../../tools/migrate/grants/grants.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { PROJECTION_SCHEMA, REGISTRY_SCHEMA, urlAs } from '../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';

let sandbox: Sandbox;
/** The attacker's connection. */
let thief: OwnConnection;
let mallory: UserId;

/** Tables that control operators and money. The gateway cannot write any of their columns. */
const PROTECTED = [
  'approval_keys',
  'approval_requests',
  'approval_votes',
  'audit_checkpoints',
  'audit_entries',
  'audit_head',
  'audit_keys',
  'channels',
  'coins',
  'engine_commands',
  'exchange_control',
  'operator_movements',
  'outbox',
  'pairs',
  'referral_totals',
  'roles',
  'setup_tokens',
  'stake_pools',
  'stops',
  'switch_version',
  'tiers',
  'transaction_limits',
  'transfer_changes',
  'withdrawal_ceilings',
  'withdrawal_policy_settings',
  'migrations',
  'key_encryption_keys',
] as const satisfies readonly (keyof typeof REGISTRY_GRANTS)[];

/** Columns that row locks need. Their values have no meaning. */
const LOCKED_BY = new Set(['stake_pools.updated_at', 'coins.updated_at']);

describe('abuse 80: an attacker has the database credentials of a public gateway', () => {
  before(async () => {
    sandbox = await startSandbox({ isSplit: true, streams: 1 });
    const { postgres } = sandbox;
    thief = await openConnection({
      url: urlAs('gateway-http', postgres.url),
      schema: REGISTRY_SCHEMA,
      name: 'thief',
      statementTimeoutMs: 30_000,
    });
    const made = await createUser(sandbox.admin.registry, { email: 'mallory@example.com' });
    assert.ok(typeof made === 'object');
    mallory = made.id;
  });
  after(async () => {
    if (process.env.RIALTO_SHOW_LOGS !== undefined) console.log(sandbox?.logs());
    await thief?.end();
    await sandbox?.stop();
  });

  test('abuse 80: only the listed tables and columns are accessible', async () => {
    const { rows } = await sandbox.admin.registry.query(
      `select n.nspname as schema, c.relname as table, array(
         select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ($1, $2) and c.relkind in ('r', 'p') order by 1, 2`,
      [REGISTRY_SCHEMA, PROJECTION_SCHEMA],
    );
    let tried = 0;
    const open: string[] = [];
    const attempt = async (name: string, statement: string) => {
      tried++;
      if ((await codeOf(statement)) !== DENIED) open.push(name);
    };
    for (const { columns, schema, table } of rows) {
      const whole = `${schema}.${table}`;
      await attempt(`delete ${whole}`, `delete from ${whole} where false`);
      await attempt(`truncate ${whole}`, `truncate ${whole}`);
      await attempt(`alter ${whole}`, `alter table ${whole} disable trigger all`);
      await attempt(`rule ${whole}`, `create rule r as on insert to ${whole} do nothing`);
      await attempt(
        `trigger ${whole}`,
        `create trigger t before insert on ${whole} for each row
         execute function suppress_redundant_updates_trigger()`,
      );
      for (const column of columns) {
        const set = `update ${whole} set "${column}" = default where false`;
        await attempt(`update ${whole}.${column}`, set);
        const insert = `insert into ${whole} ("${column}") overriding system value
          select null where false`;
        await attempt(`insert ${whole}.${column}`, insert);
      }
    }
    assert.ok(tried > 2_000, `tried ${tried}`);
    assert.deepEqual(open.sort(), expectedOpen(rows).sort());
    const isProtected = (name: string) => PROTECTED.some((table) => name.includes(`.${table}.`));
    const wrong = open.filter((name) => isProtected(`${name}.`) && !isLock(name));
    assert.deepEqual(wrong, [], 'operator tables are not writable');
  });

  test('abuse 80: the attacker cannot change roles or create objects', async () => {
    const statements = [
      'set role rialto_gateway_admin',
      'set role postgres',
      'set session authorization rialto_outbox_dispatcher',
      'set session_replication_role = replica',
      'alter role rialto_gateway_http superuser',
      'alter role rialto_gateway_admin password null',
      'create role accomplice login',
      'grant rialto_gateway_admin to rialto_gateway_http',
      'grant insert on audit_entries to rialto_gateway_http',
      'create schema shadow',
      'create table registry.shadow (id bigint)',
      'create temporary table users (id bigint)',
      'create function registry.shadow() returns bigint language sql as $$ select 1 $$',
      'alter function registry.append_to_outbox security invoker',
      'create or replace function registry.record_withdrawal_change() returns trigger ' +
        'language plpgsql as $$ begin return null; end $$',
      "copy users to program 'cat'",
      "copy users from '/etc/passwd'",
      "select pg_read_file('/etc/passwd')",
      'select pg_terminate_backend(pid) from pg_stat_activity ' +
        "where usename = 'rialto_outbox_dispatcher'",
      'alter table registry.users disable row level security',
      'create policy mine on registry.sessions using (true)',
    ];
    for (const statement of statements) {
      const code = await codeOf(statement);
      assert.equal(code, DENIED, `${statement}: ${code}`);
    }
    // Without row security a statement fails. It does not see more rows.
    await thief.query('set row_security = off');
    assert.equal(await codeOf('select count(*) from sessions'), DENIED);
    await thief.query('set row_security = on');
  });

  test('abuse 80: operator credentials are invisible to the attacker', async () => {
    const { admin, alice } = sandbox.seeded.users;
    await sandbox.admin.issueSession({ user: admin.user, scopes: ['user', 'admin'] });
    for (const table of ['api_keys', 'sessions', 'passwords', 'totp_secrets', 'passkeys']) {
      const seen = await thief.query(`select from ${table} where user_id = $1`, [admin.user]);
      assert.equal(seen.rows.length, 0, table);
    }
    const hash = Buffer.alloc(32, 7);
    const session = (user: number) =>
      codeOf(
        `insert into sessions (user_id, token_hash, scopes, expires_at)
         values ($1, $2, '{user,admin}', now() + interval '1 day')`,
        [user, hash],
      );
    assert.equal(await session(admin.user), DENIED);
    assert.equal(await session(alice.user), 'done', 'it can for its own users');
    const key = (user: number, role: string) =>
      codeOf(
        `insert into api_keys (user_id, name, public_key, kind, role, expires_at, kek_id, sealed)
         values ($1, 'x', repeat('a', 40), 'hmac', $2, now() + interval '1 day', 1, '')`,
        [user, role],
      );
    assert.equal(await key(admin.user, 'user'), DENIED);
    assert.equal(await key(alice.user, 'admin'), DENIED);
    for (const [column, value] of [
      ['role', "'admin'"],
      ['verification_level', '60'],
      ['parent_id', `${alice.user}`],
    ]) {
      const change = `update users set ${column} = ${value} where id = ${mallory}`;
      assert.equal(await codeOf(change), DENIED, column);
    }
    const mail = "update users set email = 'thief@example.com' where id = $1";
    assert.equal(await codeOf(mail, [admin.user]), DENIED);
    const operator = `insert into users (email, username, affiliation_code, role)
      values ('o@example.com', 'o', 'AAAAAA', 'admin')`;
    assert.equal(await codeOf(operator), DENIED);
    const ofTier = `insert into users (email, username, affiliation_code, verification_level)
      values ('t@example.com', 't', 'AAAAAB', 60)`;
    assert.equal(await codeOf(ofTier), DENIED);
  });

  test('abuse 80: no forged outbox command moves money', async () => {
    const before = await balances();
    const { alice, bob } = sandbox.seeded.users;
    const btc = sandbox.seeded.assets.get('btc')!.id;
    const amountAtoms = 100_000_000n as Atoms;
    const to = { user: mallory, asset: btc, amountAtoms, reference: 'forged' };
    const forged: OutboxCommand[] = [
      { kind: 'MintAsset', ...to },
      { kind: 'CreditDeposit', ...to },
      { kind: 'BurnAsset', ...to, user: alice.user },
      { kind: 'SettleFees', asset: btc, user: mallory },
      { kind: 'CompleteWithdrawal', withdrawal: 1, reference: 'forged' },
      { kind: 'CancelWithdrawal', withdrawal: 1 },
      transfer(alice.user, mallory),
      opening(1, alice.user),
      {
        kind: 'TradeDirectly',
        market: 1 as MarketId,
        maker: alice.user,
        taker: mallory,
        takerSide: 'buy',
        priceTicks: 1,
        sizeLots: 1,
        makerFeePpm: 0,
        takerFeePpm: 0,
      } as unknown as OutboxCommand,
    ];
    const positions: [number, number][] = [];
    for (const channel of Object.values(OUTBOX_CHANNELS)) {
      for (const command of forged) {
        positions.push([channel, await append(channel, command)]);
      }
      positions.push([channel, await appendBytes(channel, Buffer.from('no record'))]);
    }
    // A family transfer and a payout that no table explains.
    const linked = await forgeTransfer({ from: alice.user, to: mallory, network: null });
    positions.push([OUTBOX_CHANNELS.transfers, linked]);
    positions.push([OUTBOX_CHANNELS.transfers, await forgePayout(bob.user)]);
    const settled = await outcomes(positions);
    assert.equal(settled.length, positions.length);
    for (const { kind, state, voided } of settled) {
      assert.equal(state, 'refused', `${kind} ${voided}`);
      assert.notEqual(voided, null);
    }
    assert.deepEqual(await balances(), before);
  });

  test('abuse 80: forged withdrawals above the ceilings are pending review', async () => {
    const { alice } = sandbox.seeded.users;
    const { registry } = sandbox.admin;
    await describeCeiling(registry, 'btc', { hourly: '1', daily: '1' });
    const ids: number[] = [];
    for (let at = 0; at < 12; at++) ids.push(await forgeWithdrawal(alice.user, 20_000_000n));
    await waitUntil({
      what: 'the engine has processed the forged withdrawals',
      timeoutMs: SETTLED_WITHIN_MS,
      async question() {
        const { rows } = await registry.query(
          `select from withdrawal_requests where id = any($1) and state = 'opening'`,
          [ids],
        );
        return rows.length === 0;
      },
    });
    const { rows } = await registry.query(
      `select state, sum(amount_atoms)::text as atoms, min(reviews_needed)::int as reviews
       from withdrawal_requests where id = any($1) group by state order by state`,
      [ids],
    );
    assert.deepEqual(rows, [
      { state: 'approved', atoms: '100000000', reviews: 0 },
      { state: 'in_review', atoms: '140000000', reviews: 2 },
    ]);
    const waiting = ids.at(-1);
    for (const change of [
      "state = 'approved'",
      "state = 'claimed'",
      "state = 'completing'",
      'reviews_needed = 0',
      "address = 'elsewhere'",
      'amount_atoms = 1',
      "approved_by = '{1,2}'",
      "created_at = now() - interval '2 days'",
    ]) {
      const statement = `update withdrawal_requests set ${change} where id = ${waiting}`;
      assert.equal(await codeOf(statement), DENIED, change);
    }
    const shown = `kind, user_id, asset_id, currency, scale, amount_atoms, fee_asset_id,
      fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state, policy_input`;
    for (const [column, value] of [
      ['state', "'approved'"],
      ['state', "'claimed'"],
      ['kind', "'burn'"],
      ['policy_input', 'null'],
    ]) {
      const copied = shown.replace(new RegExp(`\\b${column}\\b`), value);
      const insert = `insert into withdrawal_requests (${shown})
        select ${copied} from withdrawal_requests where id = ${waiting}`;
      assert.equal(await codeOf(insert), DENIED, `${column} ${value}`);
    }
  });

  test("only the operators' own process accepts operators", async () => {
    const { admin } = sandbox.seeded.users;
    const operator = await PersonOverHttp.operator(sandbox, 'supervisor');
    const send = (url: string, target: string, more: object = {}) =>
      new RestClient({ url }).send({ method: 'GET', target, ...more });
    const { headers } = operator;
    assert.equal((await send(sandbox.adminUrl, '/v2/user', { headers })).status, 200);
    assert.equal((await send(sandbox.url, '/v2/user', { headers })).status, 401);
    const key = { key: admin.key, secret: admin.secret };
    const asAdmin = (url: string) => new RestClient({ url, ...key }).get('/user/balance');
    assert.equal((await asAdmin(sandbox.adminUrl)).status, 200);
    assert.equal((await asAdmin(sandbox.url)).status, 401);
    assert.equal((await send(sandbox.url, '/v2/admin/users')).status, 404);
    // The response does not reveal whose address it is.
    const ask = async (email: string) => {
      const target = `/v2/reset-password?email=${encodeURIComponent(email)}`;
      const { status, text } = await send(sandbox.url, target);
      return { status, text };
    };
    assert.deepEqual(await ask(admin.email), await ask('nobody@example.com'));
    const codes = await sandbox.admin.registry.query('select from codes where user_id = $1', [
      admin.user,
    ]);
    assert.equal(codes.rows.length, 0);
  });

  test('abuse 80: the honest user trades and withdraws during the attack', async () => {
    const { bob } = sandbox.seeded.users;
    // A statement of many megabytes affects only the attacker.
    await codeOf(`select length('${'x'.repeat(16_000_000)}')`);
    const client = new RestClient({ url: sandbox.url, key: bob.key, secret: bob.secret });
    const order = { symbol: 'btc-usdt', side: 'buy', size: 0.001, type: 'limit', price: 50_000 };
    const placed = await client.post('/order', order);
    assert.equal(placed.status, 200, placed.text);
    const held = await client.get('/user/balance');
    assert.equal(held.status, 200, held.text);
  });
});

const DENIED = '42501';
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const SETTLED_WITHIN_MS = 30_000;

/** Returns `done`, or the SQLSTATE of the rejection. Rolls everything back. */
async function codeOf(statement: string, values: readonly unknown[] = []): Promise<string> {
  await thief.query('begin');
  try {
    await thief.query(statement, [...values]);
    return 'done';
  } catch (fault) {
    return (fault as { code?: string }).code ?? String(fault);
  } finally {
    await thief.query('rollback');
  }
}

function isLock(name: string): boolean {
  return [...LOCKED_BY].some((column) => name === `update ${REGISTRY_SCHEMA}.${column}`);
}

interface CatalogueRow {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/** Returns the tables and columns that the grants list. */
function expectedOpen(rows: readonly CatalogueRow[]): string[] {
  return rows.flatMap(({ columns, schema, table }) => {
    const grants: Readonly<Record<string, readonly string[]>> =
      schema === REGISTRY_SCHEMA ? REGISTRY_GRANTS : PROJECTION_GRANTS;
    // A partition has no separate permissions.
    const [letters = ''] = grants[table] ?? [];
    const whole = `${schema}.${table}`;
    const ofColumn = (right: 'insert' | 'update', letter: string) =>
      columns.filter(
        (column) =>
          letters.includes(letter) ||
          (schema === REGISTRY_SCHEMA &&
            COLUMN_GRANTS.some(
              (one) =>
                one.table === table &&
                one.role === 'gateway-http' &&
                one.right === right &&
                one.columns.includes(column),
            )),
      );
    return [
      ...(letters.includes('d') ? [`delete ${whole}`] : []),
      ...ofColumn('insert', 'a').map((column) => `insert ${whole}.${column}`),
      ...ofColumn('update', 'w').map((column) => `update ${whole}.${column}`),
    ];
  });
}

async function balances(): Promise<unknown> {
  const { rows } = await sandbox.admin.projections.query(
    `select owner, asset_id, (available_atoms + held_atoms)::text as atoms from balances
     order by owner, asset_id`,
  );
  return rows;
}

function transfer(sender: UserId, receiver: UserId): OutboxCommand {
  const asset = sandbox.seeded.assets.get('btc')!.id;
  const amountAtoms = 1_000_000n as Atoms;
  return { kind: 'TransferAsset', sender, receiver, asset, amountAtoms, reference: 'forged' };
}

function opening(withdrawal: number, user: UserId, atoms = 1_000_000n): OutboxCommand {
  const asset = sandbox.seeded.assets.get('btc')!.id as AssetId;
  return {
    kind: 'OpenWithdrawal',
    withdrawal,
    user,
    asset,
    amountAtoms: atoms as Atoms,
    feeAsset: asset,
    feeAtoms: 50_000n as Atoms,
    destination: destinationHash(withdrawal, 'btc', ADDRESS),
  };
}

function append(channel: number, command: OutboxCommand, requests: Requests = {}): Promise<number> {
  return appendBytes(channel, encodeRecord({ channel, sequence: 0, command }), requests);
}

interface Requests {
  readonly withdrawal?: number;
  readonly deposit?: number;
}

async function appendBytes(
  channel: number,
  record: Buffer,
  { deposit, withdrawal }: Requests = {},
): Promise<number> {
  const version = await thief.query('select max(schema_version) as version from outbox');
  const { rows } = await thief.query(
    "select append_to_outbox($1, 'OpenWithdrawal', $2, $3, $4, $5) as sequence",
    [channel, version.rows[0].version, record, withdrawal ?? null, deposit ?? null],
  );
  return Number(rows[0].sequence);
}

async function forgeWithdrawal(user: UserId, atoms: bigint): Promise<number> {
  const id = await insertRequest({ user, atoms, kind: 'withdrawal', network: 'btc' });
  await append(OUTBOX_CHANNELS.withdrawals, opening(id, user, atoms), { withdrawal: id });
  return id;
}

async function insertRequest(request: {
  readonly user: UserId;
  readonly atoms: bigint;
  readonly kind: 'withdrawal' | 'transfer';
  readonly network: string | null;
}): Promise<number> {
  const { atoms, kind, network, user } = request;
  const asset = sandbox.seeded.assets.get('btc')!.id;
  const { rows } = await thief.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state,
       policy_input, policy_lines, reviews_needed)
     values ($1, $2, $3, 'btc', 8, $4, $3, 'btc', 8, 50000,
       '${ADDRESS}', $5, gen_random_uuid()::text, $6,
       '{"values": {"btc": "0.000001"}, "prices": {"btc": "0.000001"}}', '[]', 0) returning id`,
    [kind, user, asset, atoms, network, kind === 'transfer' ? 'executing' : 'opening'],
  );
  return Number(rows[0].id);
}

async function forgeTransfer(of: {
  readonly from: UserId;
  readonly to: UserId;
  readonly network: string | null;
}): Promise<number> {
  const { from, network, to } = of;
  const withdrawal = await insertRequest({
    user: from,
    atoms: 1_000_000n,
    kind: 'transfer',
    network,
  });
  const { rows } = await thief.query(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
       transaction_id, state)
     values ('transfer', $1, $2, 'btc', 8, 1000000, 'transfer', gen_random_uuid()::text,
       'crediting') returning id`,
    [to, sandbox.seeded.assets.get('btc')!.id],
  );
  const command = transfer(from, to);
  const deposit = Number(rows[0].id);
  return append(OUTBOX_CHANNELS.transfers, command, { withdrawal, deposit });
}

async function forgePayout(from: UserId): Promise<number> {
  await thief.query('begin');
  const sequence = await append(OUTBOX_CHANNELS.transfers, transfer(from, mallory));
  await thief.query(
    `insert into referral_payouts (referrer_id, distributor_id, asset_id, currency, scale,
       amount_atoms, channel, sequence) values ($1, $2, $3, 'btc', 8, 1000000, $4, $5)`,
    [mallory, from, sandbox.seeded.assets.get('btc')!.id, OUTBOX_CHANNELS.transfers, sequence],
  );
  await thief.query('commit');
  return sequence;
}

async function outcomes(positions: readonly [number, number][]) {
  const read = async () => {
    const { rows } = await sandbox.admin.registry.query(
      `select o.kind, o.state, o.voided from outbox o
       join unnest($1::bigint[], $2::bigint[]) as p(channel, sequence)
         on p.channel = o.channel and p.sequence = o.sequence
       where o.state <> 'waiting'`,
      [positions.map(([channel]) => channel), positions.map(([, sequence]) => sequence)],
    );
    return rows;
  };
  await waitUntil({
    what: 'the engine has processed the forged rows',
    timeoutMs: SETTLED_WITHIN_MS,
    question: async () => (await read()).length === positions.length,
  });
  return read();
}
