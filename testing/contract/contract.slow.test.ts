// Runs all contract cases of every route against an exchange. The gateway validates successful
// responses against their schemas and returns 500 if they differ. Operators use a separate
// process, so each route runs with the PostgreSQL permissions that it has in production.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { contractCases } from './contract-cases.ts';
import { personOf } from './permission-cases.ts';
import { SampleWorld, sampleOf } from './route-samples.ts';
import { sendSample } from './send-sample.ts';

let sandbox: Sandbox;
let world: SampleWorld;

before(async () => {
  sandbox = await startSandbox({ checkAnswers: true, isSplit: true, givesPlayMoney: true });
  world = new SampleWorld(sandbox);
  // Lists and files need rows, and prices need a trade.
  await world.trade();
  await world.withdrawal('alice');
});

after(() => sandbox?.stop());

for (const name of Object.keys(routes) as RouteName[]) {
  const route: Route = routes[name];
  for (const { change, says, status, what } of contractCases(name)) {
    test(`${route.method} ${route.path}, ${what}: ${status}`, async () => {
      const { admin, alice } = sandbox.seeded.users;
      const sample = change(await sampleOf(name, world, { owner: 'alice' }));
      const key = route.permission.who === 'operator' ? admin : alice;
      const person = personOf(route.permission);
      const headers = sample.person ?? (await world.sessionHeaders(person ?? 'alice'));
      const means = person === undefined ? { key } : { headers };
      const answer = await sendSample(route, sample, {
        url: world.urlFor('alice', route),
        ...means,
      });
      assert.equal(answer.status, status, answer.text);
      if (says !== undefined) assert.ok(answer.text.includes(says), answer.text);
      if (status === 202) {
        const type = sample.query?.format === 'pdf' ? /^application\/pdf$/ : /^text\/csv/;
        assert.match(answer.headers.get('content-type') ?? '', type);
      }
      if (status >= 400) assert.equal(typeof answer.body.code, 'number', answer.text);
    });
  }
}
