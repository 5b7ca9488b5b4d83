// Tests roles on a real server: who can grant which role to whom, and what a change ends.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { freezeUserAct } from '../../accounts/admin/account-state.ts';
import { OperatorForTest } from '../../accounts/admin/acts-for-test.ts';
import { POWERS } from '../../approvals/powers.ts';
import { PersonForTest } from '../person-for-test.ts';
import { makeUser, openRegistryForTest, type RegistryForTest } from '../registry-for-test.ts';
import { setRoleAct } from './access.ts';

let tables: RegistryForTest;
let admin: OperatorForTest;

before(async () => {
  tables = await openRegistryForTest();
  admin = await OperatorForTest.make(tables.pool);
});
after(() => tables.close());

async function makeRole(
  name: string,
  { permissions = [], powers = [] }: { permissions?: string[]; powers?: string[] },
): Promise<string> {
  await tables.pool.query('insert into roles (name, permissions, powers) values ($1, $2, $3)', [
    name,
    permissions,
    powers,
  ]);
  return name;
}

async function roleOf(user: UserId): Promise<string | null> {
  const { rows } = await tables.pool.query('select role from users where id = $1', [user]);
  return rows[0].role;
}

describe('roles', () => {
  test("granting a role needs one approval and ends the user's sessions", async () => {
    const person = await PersonForTest.make(tables.pool);
    const { assessment, executed } = await admin.mustAct(setRoleAct, {
      user: person.user,
      role: 'support',
    });
    assert.equal(assessment.approvals, 1);
    assert.deepEqual(assessment.beneficiaries, [person.user]);
    assert.deepEqual(executed.before, { role: 'user' });
    assert.deepEqual(executed.after, { role: 'support' });
    assert.deepEqual(executed.effects, { accessOf: [person.user] });
    assert.equal(await roleOf(person.user), 'support');
    const { rows } = await tables.pool.query('select revoked_reason from sessions where id = $1', [
      person.session,
    ]);
    assert.equal(rows[0].revoked_reason, 'role_changed');
  });

  test('removing a voting role needs two approvals', async () => {
    const supervisor = await makeUser(tables.pool, { role: 'supervisor' });
    const taken = await admin.mustAct(setRoleAct, { user: supervisor, role: 'user' });
    assert.equal(taken.assessment.approvals, 2);
    assert.equal(await roleOf(supervisor), null);
    const support = await makeUser(tables.pool, { role: 'support' });
    const other = await admin.mustAct(setRoleAct, { user: support, role: 'user' });
    assert.equal(other.assessment.approvals, 1);
  });

  const refusals = [
    ['the administrator', 'admin', 'role_not_grantable'],
    ['an unknown role', 'captain', 'role_unknown'],
    ["the user's current role", 'user', 'role_unchanged'],
  ] as const;
  for (const [name, role, refusal] of refusals) {
    test(`is not granted: ${name}`, async () => {
      const user = await makeUser(tables.pool);
      assert.equal(await admin.act(setRoleAct, { user, role }), refusal);
      assert.equal(await roleOf(user), null);
    });
  }

  test('a role is granted neither to oneself nor to sub-accounts or frozen accounts', async () => {
    const { user } = admin;
    await makeUser(tables.pool, { role: 'admin' });
    assert.equal(await admin.act(setRoleAct, { user, role: 'kyc' }), 'act_on_own_account');
    const parent = await makeUser(tables.pool);
    const { rows } = await tables.pool.query(
      `insert into users (email, username, affiliation_code, kind, parent_id)
       values ('s@sub.invalid', 's', 'SUBSUB', 'sub', $1) returning id`,
      [parent],
    );
    const sub = Number(rows[0].id);
    assert.equal(await admin.act(setRoleAct, { user: sub, role: 'kyc' }), 'user_is_no_person');
    const frozen = await makeUser(tables.pool, { state: 'frozen' });
    assert.equal(await admin.act(setRoleAct, { user: frozen, role: 'kyc' }), 'user_not_in_use');
    assert.equal(await admin.act(setRoleAct, { user: 999_999, role: 'kyc' }), 'user_not_found');
  });

  test('the last administrator keeps the role and stays active', async () => {
    await tables.pool.query("update users set role = null where role = 'admin' and id <> $1", [
      admin.user,
    ]);
    const { operator } = await OperatorForTest.make(tables.pool, 'supervisor');
    // An operator with all permissions who is not an administrator.
    const other = new OperatorForTest(tables.pool, {
      ...operator,
      permissions: new Set(['*']),
    });
    const payload = { user: admin.user, role: 'user' };
    assert.equal(await other.act(setRoleAct, payload), 'last_administrator');
    assert.equal(await other.act(freezeUserAct, { user: admin.user }), 'last_administrator');
    const second = await makeUser(tables.pool, { role: 'admin' });
    // Two concurrent removals leave one administrator.
    const answers = await Promise.all(
      [admin.user, second].map((user) => other.act(freezeUserAct, { user }).catch(String)),
    );
    const { rows } = await tables.pool.query(
      "select id from users where role = 'admin' and state = 'active'",
    );
    assert.equal(rows.length, 1, JSON.stringify(answers));
    await tables.pool.query("update users set state = 'active' where id = any($1::bigint[])", [
      [admin.user, second],
    ]);
  });
});

describe('abuse 37', () => {
  test('abuse 37: no role grants a permission that it does not have', async () => {
    const everyPermission = [
      ...new Set(
        (
          await tables.pool.query(
            "select unnest(permissions) as one from roles where not permissions && array['*']",
          )
        ).rows.map(({ one }) => one as string),
      ),
    ];
    assert.ok(everyPermission.length > 20);
    const wanted = [
      ...everyPermission.map((one) => ({ permissions: [one] })),
      ...POWERS.map((one) => ({ powers: [one as string] })),
    ];
    const names = await Promise.all(wanted.map((content, at) => makeRole(`one-${at}`, content)));
    const user = await makeUser(tables.pool);
    const { rows } = await tables.pool.query(
      "select name from roles where name not like 'one-%' and name <> 'admin'",
    );
    for (const { name } of rows) {
      const { operator } = await OperatorForTest.make(tables.pool, name);
      const some = new OperatorForTest(tables.pool, operator);
      for (const [at, content] of wanted.entries()) {
        const isHeld =
          'permissions' in content
            ? operator.permissions.has(content.permissions[0])
            : (operator.powers as ReadonlySet<string>).has(content.powers[0]);
        const answer = await some.act(setRoleAct, { user, role: names[at] });
        const label = `${name} gives ${JSON.stringify(content)}`;
        if (isHeld) {
          assert.ok(typeof answer !== 'string', `${label}: ${answer}`);
          await tables.pool.query('update users set role = null where id = $1', [user]);
        } else {
          assert.equal(answer, 'role_exceeds_own', label);
        }
      }
    }
  });

  test('abuse 37: a role with every permission is not granted, whatever its name', async () => {
    const role = await makeRole('other-admin', { permissions: ['*'] });
    const user = await makeUser(tables.pool);
    assert.equal(await admin.act(setRoleAct, { user, role }), 'role_not_grantable');
  });

  test('abuse 37: an operator cannot act on one with more permissions', async () => {
    const kyc = await OperatorForTest.make(tables.pool, 'kyc');
    const supervisor = await OperatorForTest.make(tables.pool, 'supervisor');
    const target = { user: supervisor.user };
    assert.equal(await kyc.act(freezeUserAct, target), 'act_on_higher_role');
    assert.equal(await kyc.act(setRoleAct, { ...target, role: 'user' }), 'act_on_higher_role');
    assert.equal(await supervisor.act(freezeUserAct, { user: admin.user }), 'act_on_higher_role');
  });
});
