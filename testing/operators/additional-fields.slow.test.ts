// Operator request bodies with fields unknown to their route change no user.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Route, type RouteName, routeGroups, routes } from '../../protocol/index.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { personOf } from '../contract/permission-cases.ts';
import { SampleWorld, sampleOf } from '../contract/route-samples.ts';
import { sendSample } from '../contract/send-sample.ts';

/** User columns and wire names that decide a user's permissions. */
const FOREIGN = {
  role: 'admin',
  powers: ['approve.money'],
  permissions: ['*'],
  discount: 99,
  affiliation_rate: 99,
  verification_level: 9,
  state: 'active',
  activated: true,
  kind: 'house',
  parent_id: 1,
  flagged: true,
  status: 3,
  withdrawal_blocked_until: null,
  security_version: 99,
  can_withdraw: true,
  balance: 1_000_000,
};

const COLUMNS = `id, role, discount, affiliation_rate, verification_level, state, kind, parent_id,
  flagged, withdrawal_blocked_until, security_version, book_only, note, meta`;

/**
 * Routes whose purpose is to change a user. Their bodies are closed, so an unknown field rejects
 * the entire request.
 */
const CHANGES_USERS = Object.keys(routeGroups.userActs);

const withBody = Object.entries<Route>(routes).filter(
  ([, { body, permission }]) => permission.who === 'operator' && body !== undefined,
);

let sandbox: Sandbox;
let world: SampleWorld;

before(async () => {
  sandbox = await startSandbox();
  world = new SampleWorld(sandbox);
});
after(() => sandbox?.stop());

async function usersUpTo(last: number): Promise<unknown[]> {
  const { rows } = await world.registry.query(
    `select ${COLUMNS} from users where id <= $1 order by id`,
    [last],
  );
  return rows;
}

async function newestUser(): Promise<number> {
  const { rows } = await world.registry.query('select max(id) as last from users');
  return Number(rows[0].last);
}

describe('additional fields', () => {
  for (const [name, route] of withBody) {
    test(`abuse 36: ${name} does not assign unknown fields`, async () => {
      const sample = await sampleOf(name as RouteName, world, { owner: 'alice' });
      const own = Object.keys(route.body?.properties ?? {});
      const foreign = Object.entries(FOREIGN).filter(([field]) => !own.includes(field));
      const body = { ...sample.body, ...Object.fromEntries(foreign) };
      const last = await newestUser();
      const known = await usersUpTo(last);
      const person = personOf(route.permission);
      const { admin } = sandbox.seeded.users;
      const means =
        person === undefined
          ? { key: admin }
          : { headers: sample.person ?? (await world.sessionHeaders(person)) };
      const answer = await sendSample(route, { ...sample, body }, { url: sandbox.url, ...means });
      assert.ok(answer.status < 500, answer.text);
      if (CHANGES_USERS.includes(name)) assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(await usersUpTo(last), known);
      // A staking pool has its own account.
      const { rows } = await world.registry.query(
        'select id from users where id > $1 and (role is not null or discount <> 0 or flagged)',
        [last],
      );
      assert.deepEqual(rows, []);
    });
  }
});
