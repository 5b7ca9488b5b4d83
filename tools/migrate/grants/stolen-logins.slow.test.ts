// Abuse 97: an attacker has the notifier's or the projector's PostgreSQL login to a running
// exchange, and tries to run code inside the transaction of an operator's action.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SCHEMA_VERSION } from '../../../core/messages/index.ts';
import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import { createUser } from '../../../features/accounts/index.ts';
import { type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import { OUTBOX_CHANNELS, type OutboxCommand } from '../../../platform/outbox/index.ts';
import { encodeRecord } from '../../../platform/outbox/outbox.ts';
import { RestClient } from '../../sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { PROJECTION_SCHEMA, REGISTRY_SCHEMA, urlAs } from '../../sandbox/sandbox-settings.ts';
import { waitUntil } from '../../services/wait-until.ts';

const DENIED = '42501';
const CHANNEL = OUTBOX_CHANNELS.deposits;

let sandbox: Sandbox;
let thief: UserId;
let btc: AssetId;
const logins = new Map<string, OwnConnection>();

describe('abuse 97: an attacker has the database login of an internal service', () => {
  before(async () => {
    sandbox = await startSandbox({ isSplit: true, withNotifier: true });
    for (const role of ['notifier', 'projector'] as const) {
      const url = urlAs(role, sandbox.postgres.url);
      const options = { url, schema: REGISTRY_SCHEMA, name: 'thief', statementTimeoutMs: 30_000 };
      logins.set(role, await openConnection(options));
    }
    const made = await createUser(sandbox.admin.registry, { email: 'thief@example.com' });
    assert.ok(typeof made === 'object');
    thief = made.id;
    btc = sandbox.seeded.assets.get('btc')!.id;
  });
  after(async () => {
    if (process.env.RIALTO_SHOW_LOGS !== undefined) console.log(sandbox?.logs());
    for (const login of logins.values()) await login.end();
    await sandbox?.stop();
  });

  test('abuse 97: the notifier cannot plant a function or create an operator', async () => {
    const who = `where id = ${thief}`;
    for (const statement of [
      plantedFunction(),
      'create table registry.scratch (who text)',
      `update users set role = 'supervisor' ${who}`,
      `update users set role_since = now() - interval '9 days' ${who}`,
      `update withdrawal_requests set address = 'thief'`,
      'update withdrawal_requests set reviews_needed = 0, amount_atoms = 1',
      `update sessions set scopes = '{user,admin}'`,
      'update passwords set user_id = user_id',
      `update api_keys set role = 'admin'`,
      'update exchange_control set one_approval_from = 1000000000',
      `insert into sessions (user_id) values (${thief})`,
      `insert into approval_votes (request_id) values (1)`,
    ]) {
      assert.equal(await codeOf('notifier', statement), DENIED, statement);
    }
  });

  test('abuse 97: the projector cannot attach code to tables that all roles read', async () => {
    const balances = `${PROJECTION_SCHEMA}.balances`;
    for (const statement of [
      `create function ${PROJECTION_SCHEMA}.hook() returns boolean language sql as 'select true'`,
      `create policy hook on ${balances} using (true)`,
      `alter table ${balances} enable row level security`,
      `create rule hook as on insert to ${balances} do also select 1`,
      'select from registry.users',
      `select registry.append_to_outbox(12, 'MintAsset', 1, '', null, null)`,
    ]) {
      assert.equal(await codeOf('projector', statement), DENIED, statement);
    }
  });

  test('abuse 97: a configuration queued by the notifier does not reach the engine', async () => {
    const { registry } = sandbox.admin;
    const { rows } = await logins.get('notifier')!.query(
      `insert into engine_commands (kind, schema_version, record)
       select kind, schema_version, record from engine_commands where kind = 'SetMarketStatus'
       limit 1 returning id`,
    );
    const [{ id }] = rows.length > 0 ? rows : await garbageCommand();
    await waitUntil({
      what: 'the dispatcher voids the command',
      timeoutMs: 15_000,
      question: async () => (await voidedCommand(Number(id))) !== null,
    });
    const found = await registry.query('select state from engine_commands where id = $1', [id]);
    assert.deepEqual(found.rows, [{ state: 'refused' }]);
  });

  // The owner plants the code here: the audit is the second defense, against unknown attacks.
  test('abuse 97: a command added to an operator action is voided', async () => {
    const { registry } = sandbox.admin;
    await registry.query(plantedFunction());
    const { admin, bob } = sandbox.seeded.users;
    const client = new RestClient({ url: sandbox.adminUrl, key: admin.key, secret: admin.secret });
    const honest = { user_id: bob.user, currency: 'btc', amount: '0.0001' };
    const answer = await client.post('/admin/mint', { ...honest, transaction_id: 'honest' });
    await registry.query('drop function registry.to_timestamp(numeric)');
    assert.equal(answer.status, 201, answer.text);
    const rows = await settledMints();
    assert.deepEqual(rows, [
      { mine: false, state: 'accepted', voided: null },
      { mine: true, state: 'refused', voided: 'command_not_permitted' },
    ]);
    const found = await sandbox.admin.projections.query(
      'select from balances where owner = $1 and asset_id = $2 and available_atoms > 0',
      [thief, btc],
    );
    assert.equal(found.rows.length, 0, 'the thief has nothing');
  });

  test('a row from an unknown role is voided', async () => {
    const { registry } = sandbox.admin;
    await registry.query('create role stranger login');
    await registry.query('grant usage on schema registry to stranger');
    await registry.query('grant execute on function registry.append_to_outbox to stranger');
    const url = new URL(sandbox.postgres.url);
    url.username = 'stranger';
    const options = { schema: REGISTRY_SCHEMA, name: 'stranger', statementTimeoutMs: 30_000 };
    const stranger = await openConnection({ url: url.href, ...options });
    await stranger.query(
      `select append_to_outbox(${CHANNEL}, 'MintAsset', ${SCHEMA_VERSION}, $1, null, null)`,
      [stolenRecord()],
    );
    await stranger.end();
    await waitUntil({
      what: 'the dispatcher voids the row',
      timeoutMs: 15_000,
      async question() {
        const { rows } = await registry.query(
          `select voided from outbox where written_by = 'stranger' and state = 'refused'`,
        );
        return rows[0]?.voided === 'writer_unknown';
      },
    });
  });
});

/** Returns `done`, or the SQLSTATE of the rejection. Rolls back. */
async function codeOf(role: string, statement: string): Promise<string> {
  const login = logins.get(role)!;
  await login.query('begin');
  try {
    await login.query(statement);
    return 'done';
  } catch (fault) {
    return (fault as { code?: string }).code ?? String(fault);
  } finally {
    await login.query('rollback');
  }
}

function stolenRecord(): Buffer {
  const command: OutboxCommand = {
    kind: 'MintAsset',
    user: thief,
    asset: btc,
    amountAtoms: 77_700_000_000n as Atoms,
    reference: 'stolen',
  };
  return encodeRecord({ channel: CHANNEL, sequence: 0, command });
}

/**
 * Overload that matches `to_timestamp($1 / 1000.0)` in an operator's action better than
 * PostgreSQL's own function, and mints in that transaction.
 */
function plantedFunction(): string {
  const record = `'\\x${stolenRecord().toString('hex')}'`;
  const appended = `${CHANNEL}, 'MintAsset', ${SCHEMA_VERSION}, ${record}, null, null`;
  return `create function registry.to_timestamp(n numeric) returns timestamptz
    language plpgsql as $$
    begin
      if session_user = 'rialto_gateway_admin'
          and not exists (select from registry.outbox where record = ${record}) then
        perform registry.append_to_outbox(${appended});
      end if;
      return pg_catalog.to_timestamp(n::double precision);
    end $$`;
}

async function garbageCommand() {
  const { rows } = await logins.get('notifier')!.query(
    `insert into engine_commands (kind, schema_version, record)
     values ('SetMarketStatus', ${SCHEMA_VERSION}, '') returning id`,
  );
  return rows;
}

async function voidedCommand(id: number): Promise<string | null> {
  const { rows } = await sandbox.admin.registry.query(
    'select voided from engine_commands where id = $1',
    [id],
  );
  return rows[0].voided;
}

async function settledMints(): Promise<unknown[]> {
  const read = async () => {
    const { rows } = await sandbox.admin.registry.query(
      `select coalesce(voided_record, record) = $1 as mine, state, voided from outbox
       where written_by = 'rialto_gateway_admin' order by 1`,
      [stolenRecord()],
    );
    return rows;
  };
  await waitUntil({
    what: 'the engine answers both commands',
    timeoutMs: 15_000,
    question: async () => (await read()).every(({ state }) => state !== 'waiting'),
  });
  return read();
}
