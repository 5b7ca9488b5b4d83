// PostgreSQL of a running exchange is restored from an older copy. The documented `rialto restore
// reconcile` is enough to recover: everything starts, no balance record differs, and withdrawals
// continue.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import type { Atoms } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { describePolicySettings } from '../../features/payments/index.ts';
import { readChecks, readOpenDifferences } from '../../features/reconciliation/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import {
  accessKeyFile,
  archiveFolder,
  EXCHANGE,
  PROJECTION_SCHEMA,
  REGISTRY_SCHEMA,
} from '../../tools/sandbox/sandbox-settings.ts';
import { until } from '../../tools/services/wait-until.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const WITHIN_MS = 120_000;
const ENOUGH = '1000000000';

let sandbox: Sandbox;
let bob: RestClient;
let operator: RestClient;

before(async () => {
  sandbox = await startSandbox({
    withReconciler: true,
    withArchivist: true,
    withNotifier: true,
    checkAnswers: false,
  });
  const { seeded, url } = sandbox;
  bob = new RestClient({ url, ...seeded.users.bob });
  operator = new RestClient({ url, ...seeded.users.admin });
  await describePolicySettings(sandbox.admin.registry, {
    oneReviewFrom: ENOUGH,
    twoReviewsFrom: ENOUGH,
    newAddressFrom: ENOUGH,
    freshFundsFrom: ENOUGH,
    outflowPerHourMax: ENOUGH,
  });
});
after(() => sandbox?.stop());

async function rows(text: string, values: unknown[] = []) {
  return (await sandbox.admin.registry.query(text, values)).rows;
}

async function withdraw(amount: number): Promise<number> {
  const terms = { currency: 'btc', amount, address: ADDRESS, network: 'btc' };
  const answer = await bob.post('/user/withdrawal', terms);
  assert.equal(answer.status, 200, answer.text);
  const [{ id }] = await rows('select max(id)::int as id from withdrawal_requests');
  await reach(id, 'approved');
  return id;
}

function reach(id: number, state: string): Promise<void> {
  return until(
    `withdrawal ${id} is ${state}`,
    async () => {
      const found = await rows('select state from withdrawal_requests where id = $1', [id]);
      return found[0]?.state === state;
    },
    WITHIN_MS,
  );
}

async function ask(id: number, change: object): Promise<RestAnswer> {
  const [{ transaction_id }] = await rows(
    'select transaction_id from withdrawal_requests where id = $1',
    [id],
  );
  return operator.put('/admin/burn', { transaction_id, ...change });
}

async function review(id: number, change: object): Promise<void> {
  const answer = await ask(id, change);
  assert.equal(answer.status, 200, answer.text);
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a tool on the server, with the settings of a sequencer and of the table owner. */
function rialto(...args: readonly string[]): Promise<Ran> {
  const { folder, nats, postgres } = sandbox;
  const env = {
    PATH: process.env.PATH,
    RIALTO_MODE: 'development',
    RIALTO_EXCHANGE: EXCHANGE,
    RIALTO_REPLICAS: '1',
    RIALTO_NATS_URLS: nats.nodes.map(({ plainUrl }) => plainUrl).join(','),
    RIALTO_IDENTITY_KEY_FILE: join(folder, 'identities/sequencer.nkey'),
    RIALTO_POSTGRES_URL: postgres.url,
    RIALTO_POSTGRES_SCHEMA: PROJECTION_SCHEMA,
    RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
    RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
  };
  const command = [join(REPOSITORY, 'tools/cli/main.ts'), ...args];
  return new Promise((done) => {
    execFile(process.execPath, command, { env }, (fault, out, err) => {
      done({ code: fault === null ? 0 : Number(fault.code), out, err });
    });
  });
}

function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

/** Waits until every check has completed a full pass without findings. */
async function assertNoDifference(): Promise<void> {
  const since = new Date();
  await until(
    'every check has passed',
    async () => {
      const checks = await readChecks(sandbox.admin.registry);
      return checks.every(({ passedAt = 0 }) => passedAt > since);
    },
    WITHIN_MS,
  );
  assert.deepEqual(await readOpenDifferences(sandbox.admin.registry), []);
  assert.deepEqual(await rows('select name, object, reason from stops'), []);
}

test('an exchange continues after its registry was restored from an older copy', async () => {
  const { admin, folder, postgres, seeded } = sandbox;
  const copy = join(folder, 'older-copy');
  const [paid, open, canceled] = [await withdraw(0.1), await withdraw(0.2), await withdraw(0.3)];
  await postgres.stop();
  copyFolder(postgres.dataFolder, copy);
  await postgres.start();

  await until('the gateway responds', async () => (await bob.get('/user')).status === 200);
  await until('the registry is confirmed', async () => {
    const found = await rows(
      `select from registry_term
       where state = 'confirmed' and server_started = pg_postmaster_start_time()`,
    );
    return found.length === 1;
  });
  await review(paid, { status: true, updated_transaction_id: 'paid-1' });
  await reach(paid, 'completed');
  assert.equal((await bob.delete('/user/withdrawal', { id: canceled })).status, 200);
  await reach(canceled, 'canceled');
  const lost = await withdraw(0.4);
  const carol = await createUser(admin.registry, { email: 'carol@example.com' });
  assert.ok(typeof carol !== 'string');
  const asset = seeded.assets.get('btc')!;
  const credit = { user: carol.id, asset, amountAtoms: 500_000_000n as Atoms };
  await admin.credit({ ...credit, transactionId: 'ab'.repeat(32) });

  for (const service of sandbox.services) await service.stop();
  await postgres.kill('SIGKILL');
  renameSync(postgres.dataFolder, join(folder, 'lost-data'));
  copyFolder(copy, postgres.dataFolder);
  await postgres.start();

  const archive = ['--archive', archiveFolder(folder)];
  const first = await rialto('restore', 'reconcile', ...archive);
  assert.equal(first.code, 1, first.err);
  assert.match(first.err, new RegExp(`decide \\d+: withdrawal ${lost}: `));
  assert.match(first.err, new RegExp(`decide \\d+: user ${carol.id}: `));
  const again = await rialto('restore', 'reconcile', ...archive);
  assert.equal(again.code, 1, again.err);
  const decisions = (text: string) => text.split('\n').filter((line) => /^decide/.test(line));
  assert.deepEqual(decisions(again.err), decisions(first.err), 'a repeated run lists the same');

  for (const service of sandbox.services) await service.start();
  await assertNoDifference();
  await reach(paid, 'completed');
  await reach(canceled, 'canceled');

  // The usual actions settle every case.
  const next = await withdraw(0.05);
  assert.ok(next > lost + 100_000, 'no number is used twice');
  await review(lost, { processing: false });
  const refused = await ask(lost, { processing: true });
  assert.equal(refused.body?.code, 2429, refused.text);
  await review(lost, { rejected: true });
  await reach(lost, 'rejected');
  await review(open, { status: true, updated_transaction_id: 'paid-2' });
  await reach(open, 'completed');
  await admin.credit({ ...credit, transactionId: 'ab'.repeat(32) });
  const credits = await rows(
    `select count(*)::int as count from outbox where kind = 'CreditDeposit' and deposit_request in (
       select id from deposit_requests where user_id = $1)`,
    [carol.id],
  );
  assert.deepEqual(credits, [{ count: 1 }], 'the deposit is credited once');
  await assertNoDifference();

  const id = /decide (\d+): user/.exec(first.err)?.[1] ?? '';
  const decided = await rialto('restore', 'decide', id, '--by', 'ann', '--note', 'by support');
  assert.equal(decided.code, 0, decided.err);
  const audit = await rows(`select act from audit_entries where act = 'restore.decide'`);
  assert.equal(audit.length, 1);
  await sandbox.service('outbox-dispatcher').stop();
  const last = await rialto('restore', 'reconcile', ...archive);
  assert.equal(last.code, 0, last.err);
});
