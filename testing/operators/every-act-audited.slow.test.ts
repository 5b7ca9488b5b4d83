// Every operator call that changes something leaves its audit entry: each route's valid sample is
// sent to a running exchange, and the new entries are counted.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyAudit } from '../../features/audit/index.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { personOf } from '../contract/permission-cases.ts';
import { SampleWorld, sampleOf } from '../contract/route-samples.ts';
import { sendSample } from '../contract/send-sample.ts';

const PATIENT = { timeout: 580_000 };

const acts = (Object.entries(routes) as [RouteName, Route][]).filter(
  ([, { effect, permission }]) => permission.who === 'operator' && effect !== 'read',
);

let sandbox: Sandbox;
let world: SampleWorld;

describe('operator actions', PATIENT, () => {
  before(async () => {
    sandbox = await startSandbox();
    world = new SampleWorld(sandbox);
  });
  after(() => sandbox?.stop());

  for (const [name, route] of acts) {
    test(`abuse 48: ${route.method} ${route.path} leaves one entry in the audit`, async () => {
      const { admin } = sandbox.seeded.users;
      const sample = await sampleOf(name, world, { owner: 'alice' });
      const isPerson = personOf(route.permission) !== undefined;
      const headers = sample.person ?? (await world.sessionHeaders('admin'));
      const before = await head();
      const means = isPerson ? { headers } : { key: admin };
      const answer = await sendSample(route, sample, { url: sandbox.url, ...means });
      assert.equal(answer.status, route.status, answer.text);
      const { rows } = await sandbox.admin.registry.query(
        'select act, object, actor_id, credential from audit_entries where seq > $1 order by seq',
        [before],
      );
      assert.equal(rows.length, 1, JSON.stringify(rows));
      for (const { act, actor_id, credential, object } of rows) {
        assert.notEqual(act, '');
        assert.notEqual(object, '');
        assert.equal(Number(actor_id), admin.user);
        assert.match(credential, isPerson ? /^session \d+$/ : /^key \d+$/);
      }
    });
  }

  test('the route list is not empty, and the audit is valid at the end', async () => {
    assert.ok(acts.length > 35);
    const { registry, vault } = sandbox.admin;
    const report = await withConnection(registry, (one) => verifyAudit(one, vault));
    assert.deepEqual(report.findings, []);
    assert.ok(report.to >= acts.length);
  });
});

async function head(): Promise<number> {
  const { rows } = await sandbox.admin.registry.query('select seq from audit_head');
  return Number(rows[0].seq);
}
