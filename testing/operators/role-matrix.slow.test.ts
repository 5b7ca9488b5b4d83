// Every operator call, with every default role, an ordinary user and no caller, on a running
// exchange: allowed exactly as the route declares. Migrations must create the declared roles.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { listRoles } from '../../features/approvals/admin/roles.ts';
import { issueKey } from '../../features/auth/index.ts';
import { type Route, routes } from '../../protocol/index.ts';
import {
  DEFAULT_ROLES,
  type DefaultRole,
  operatorCall,
  Refused,
} from '../../protocol/wire/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { CONFIGS_OF, callsOf, missingMigration, POWERS_OF } from './default-roles.ts';

type Person = DefaultRole | 'admin' | 'user' | 'nobody';

const PEOPLE: readonly Person[] = ['admin', ...DEFAULT_ROLES, 'user', 'nobody'];
/** Error code of `role_missing`. */
const ROLE_MISSING = 126;
const POWER_MISSING = 2609;

const operatorRoutes = Object.values<Route>(routes).filter(
  ({ permission }) => permission.who === 'operator',
);

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** For calls that accept no session. */
  readonly key?: { readonly key: string; readonly secret: string };
}

let sandbox: Sandbox;
const credentialsOf = new Map<Person, Credentials>();

async function credentialsFor(person: Person): Promise<Credentials> {
  if (person === 'nobody') return { headers: {} };
  const role = person === 'user' ? {} : { role: person };
  const made = await createUser(sandbox.admin.registry, {
    email: `${person}@matrix.example`,
    ...role,
  });
  assert.ok(typeof made === 'object', String(made));
  const scopes = person === 'user' ? ['user'] : ['user', person];
  const { token } = await sandbox.admin.issueSession({ user: made.id, scopes });
  return { headers: { authorization: `Bearer ${token}` }, key: await keyFor(made.id, person) };
}

async function keyFor(user: UserId, person: Person) {
  const { registry, vault } = sandbox.admin;
  const scopes = { canRead: true, canTrade: true, canWithdraw: true };
  const issued = await issueKey(
    registry,
    vault,
    {
      user,
      name: 'matrix',
      kind: 'hmac',
      ...scopes,
      role: person === 'user' ? 'user' : 'admin',
      whitelistedIps: [],
      nowMs: Date.now(),
    },
    { mayBeAnywhere: true },
  );
  assert.ok(!(issued instanceof Refused), JSON.stringify(issued));
  return { key: issued.key.publicKey, secret: issued.secret };
}

function mayCall(person: Person, route: Route): boolean {
  if (person === 'admin') return true;
  if (person === 'user' || person === 'nobody') return false;
  return callsOf(person).includes(operatorCall(route));
}

/** Sends no parameters, so an allowed call is rejected for them or is harmless. */
function send(route: Route, person: Person): Promise<RestAnswer> {
  const { headers = {}, key } = credentialsOf.get(person) ?? {};
  const takesSessions = !('sessions' in route.permission) || route.permission.sessions;
  return new RestClient({ url: sandbox.url, ...(takesSessions ? {} : key) }).send({
    method: route.method,
    target: route.path,
    ...(route.body !== undefined && { body: {} }),
    headers: takesSessions ? headers : {},
  });
}

describe('the default roles', () => {
  before(async () => {
    sandbox = await startSandbox({});
    for (const person of PEOPLE) credentialsOf.set(person, await credentialsFor(person));
  });
  after(() => sandbox?.stop());

  test('the migrations create the roles that the routes declare', async () => {
    const roles = await listRoles(sandbox.admin.registry);
    const sql = missingMigration(new Map(roles.map((role) => [role.name, role.permissions])));
    assert.deepEqual(sql, [], `add a migration:\n${sql.join('\n')}`);
    assert.deepEqual(roles.map(({ name }) => name).sort(), ['admin', ...DEFAULT_ROLES].sort());
    for (const role of DEFAULT_ROLES) {
      const found = roles.find(({ name }) => name === role);
      assert.deepEqual(found?.permissions.toSorted(), callsOf(role), role);
      assert.deepEqual(found?.powers.toSorted(), POWERS_OF[role].toSorted(), role);
      assert.deepEqual(found?.configs, CONFIGS_OF[role], role);
    }
  });

  for (const route of operatorRoutes) {
    test(`${route.method} ${route.path}: allowed as the route declares`, async () => {
      const answers = await Promise.all(PEOPLE.map((person) => send(route, person)));
      for (const [at, person] of PEOPLE.entries()) {
        const { body, status, text } = answers[at];
        const message = `${person}: ${status} ${text.slice(0, 200)}`;
        if (person === 'nobody') assert.equal(status, 401, message);
        else if (mayCall(person, route)) {
          assert.ok(status !== 401 && body?.code !== ROLE_MISSING, message);
        } else assert.deepEqual([status, body?.code], [403, ROLE_MISSING], message);
        const needsExport = route.isFile === true && mayCall(person, route);
        const hasExport = person === 'admin' || person === 'auditor';
        if (needsExport && !hasExport) assert.equal(body?.code, POWER_MISSING, message);
      }
    });
  }
});
