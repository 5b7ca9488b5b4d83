// In team mode, a key never gets a 2xx for a pending action. Every operator route that can require
// approval is called with a key, and the response is compared with the requests in the database.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setThresholds } from '../../features/approvals/index.ts';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { personOf } from './permission-cases.ts';
import { SampleWorld, sampleOf } from './route-samples.ts';
import { sendSample } from './send-sample.ts';

/** Samples that need no approval, because they stop, tighten or only report something. */
const IMMEDIATE: ReadonlySet<string> = new Set<RouteName>([
  'activateUser',
  'blockWithdrawals',
  'changeStakePool',
  'createStakePool',
  'dismissProcess',
  'reportBackup',
  'sendMail',
  'setWithdrawalPolicy',
]);

const RECEIVERS = Array.from({ length: 11 }, (_, at) => `user${at}@example.com`);

const PENDING_CODE = 2610;

let sandbox: Sandbox;
let world: SampleWorld;

before(async () => {
  sandbox = await startSandbox({ isSplit: true });
  world = new SampleWorld(sandbox);
  await world.trade();
  await world.withdrawal('alice');
});

after(() => sandbox?.stop());

async function lastRequest(): Promise<number> {
  const { rows } = await sandbox.admin.registry.query(
    'select coalesce(max(id), 0) as id from approval_requests',
  );
  return Number(rows[0].id);
}

const names = (Object.keys(routes) as RouteName[]).filter((name) => {
  const { mayWait, permission }: Route = routes[name];
  return mayWait === true && personOf(permission) === undefined;
});

for (const name of names) {
  const route: Route = routes[name];
  const isPending = !IMMEDIATE.has(name);
  test(`${route.method} ${route.path}: ${isPending ? 'pending' : 'immediate'}`, async () => {
    const made = await sampleOf(name, world, { owner: 'alice' });
    const isList = route.csv === true && route.isFile !== true;
    const sample = {
      ...made,
      ...(isList && { query: { ...made.query, format: 'csv' } }),
      ...(name === 'sendRawMail' && { body: { ...made.body, receivers: RECEIVERS } }),
    };
    await useTeam(sandbox.admin.registry);
    // Everything with a price needs one approval.
    await setThresholds(sandbox.admin.registry, { oneApprovalFrom: '0', twoApprovalsFrom: '1e9' });
    const before = await lastRequest();
    const key = sandbox.seeded.users.admin;
    const { body, status, text } = await sendSample(route, sample, {
      url: world.urlFor('alice', route),
      key,
    });
    if (!isPending) {
      assert.deepEqual([status, await lastRequest()], [route.status, before], text);
      return;
    }
    assert.deepEqual([status, body.code], [409, PENDING_CODE], text);
    const { rows } = await sandbox.admin.registry.query(
      'select state from approval_requests where id = $1',
      [body.approval_id],
    );
    assert.deepEqual(rows, [{ state: 'pending' }]);
  });
}
