// Tests actions on roles on a real server: subsets, approvals, ended sessions, protected roles.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';
import { vault } from '../../auth/registry-for-test.ts';
import type { Act, Assessment } from '../act.ts';
import { prepareForTest } from '../act-for-test.ts';
import { type OperatorForTest, OperatorStage } from '../operators-for-test.ts';
import { performAct } from '../perform-act.ts';
import { changeRole, createRole, exceeds, findRole, listRoles, removeRole } from './roles.ts';

const READER = {
  description: '',
  color: '',
  permissions: ['/admin/users:get'],
  configs: [] as string[],
  powers: [] as string[],
  moneyCeiling: null,
};

let stage: OperatorStage;
let admin: OperatorForTest;
let roles = 0;

/** Uses setup mode, so no vote is needed. */
async function newRole(content: Partial<typeof READER> = {}): Promise<number> {
  const payload = { name: `role-${++roles}`, ...READER, ...content };
  const made = await performAct(stage.ports, admin, createRole, payload);
  assert.ok(made.kind === 'done');
  return Number(made.executed.result.id);
}

const refusalOf = async (work: Promise<unknown>) => {
  const performed = await work;
  return performed instanceof Refused ? performed.key : 'done';
};

function assess<Payload extends JsonObject>(
  act: Act<Payload, JsonValue, string>,
  operator: OperatorForTest,
  payload: Payload,
): Promise<Assessment> {
  const { exchange } = stage.ports;
  return withConnection(stage.pool, async (connection) => {
    const context = { connection, operator, vault, exchange, nowMs: stage.clock.nowMs() };
    return prepareForTest(act, context, payload);
  });
}

describe('roles', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
  });
  after(() => stage.close());

  test('abuse 37: no default role grants what it lacks, and none grants everything', async () => {
    const all = await listRoles(stage.pool);
    assert.ok(all.length >= 8);
    const calls = [...new Set(all.flatMap(({ permissions }) => permissions))];
    const powers = [...new Set(all.flatMap((role) => role.powers))];
    for (const role of all) {
      const isAll = role.name === 'admin';
      for (const call of calls) {
        const given = { permissions: [call], configs: [], powers: [], moneyCeiling: '0' };
        const mayGrant = call !== '*' && (isAll || role.permissions.includes(call));
        assert.equal(exceeds(role, given) === undefined, mayGrant, `${role.name} ${call}`);
      }
      for (const power of powers) {
        const given = { permissions: [], configs: [], powers: [power], moneyCeiling: '0' };
        const mayGrant = role.powers.includes(power);
        assert.equal(exceeds(role, given) === undefined, mayGrant, `${role.name} ${power}`);
      }
    }
  });

  test('abuse 37: a role with a money ceiling cannot grant a higher one', () => {
    const of = (moneyCeiling: string | null) => ({
      permissions: [],
      configs: [],
      powers: [],
      moneyCeiling,
    });
    assert.equal(exceeds(of('100'), of('100.00')), undefined);
    assert.equal(exceeds(of('100'), of('100.01')), 'money_ceiling');
    assert.equal(exceeds(of('100'), of(null)), 'money_ceiling');
    assert.equal(exceeds(of(null), of(null)), undefined);
  });

  test('abuse 37: a supervisor cannot create a role with more than its own', async () => {
    const supervisor = await stage.operator('supervisor');
    const create = (content: object) =>
      refusalOf(
        performAct(stage.ports, supervisor, createRole, {
          name: `role-${++roles}`,
          ...READER,
          ...content,
        }),
      );
    assert.equal(await create({}), 'done');
    assert.equal(await create({ permissions: ['*'] }), 'role_beyond_own');
    assert.equal(await create({ permissions: ['/admin/role:put'] }), 'role_beyond_own');
    assert.equal(await create({ powers: ['kit.secrets'] }), 'role_beyond_own');
    assert.equal(await create({ configs: ['title'] }), 'role_beyond_own');
  });

  const names: [name: string, refusal: string][] = [
    ['admin', 'role_name_invalid'],
    ['user', 'role_name_invalid'],
    ['Upper', 'role_name_invalid'],
    ['support', 'role_name_taken'],
  ];
  for (const [name, refusal] of names) {
    test(`a role named ${name}: ${refusal}`, async () => {
      const made = performAct(stage.ports, admin, createRole, { name, ...READER });
      assert.equal(await refusalOf(made), refusal);
    });
  }

  test('an unknown permission is rejected', async () => {
    const payload = { name: 'odd', ...READER, powers: ['fly'] };
    const made = performAct(stage.ports, admin, createRole, payload);
    assert.equal(await refusalOf(made), 'role_power_unknown');
  });

  test('the admin role can be neither changed nor removed', async () => {
    const [{ id }] = (await listRoles(stage.pool)).filter(({ name }) => name === 'admin');
    for (const work of [
      performAct(stage.ports, admin, changeRole, { id, ...READER }),
      performAct(stage.ports, admin, removeRole, { id }),
    ]) {
      assert.equal(await refusalOf(work), 'role_protected');
    }
  });

  test('a change ends the sessions of users with the role', async () => {
    const id = await newRole();
    const { name } = (await findRole(stage.pool, id))!;
    const person = await stage.operator(name);
    const payload = { id, ...READER, permissions: ['/admin/users:get', '/admin/logins:get'] };
    const changed = await performAct(stage.ports, admin, changeRole, payload);
    assert.ok(changed.kind === 'done');
    assert.deepEqual(changed.executed.effects, { roles: true, accessOf: [person.user] });
    const { rows } = await stage.pool.query('select revoked_reason from sessions where id = $1', [
      person.session,
    ]);
    assert.deepEqual(rows, [{ revoked_reason: 'role_changed' }]);
  });

  const edits: [what: string, edit: Partial<typeof READER>, isNew: boolean][] = [
    ['a new permission', { powers: ['approve.money', 'export'] }, true],
    ['a new endpoint', { permissions: ['/admin/users:get', '/admin/logins:get'] }, true],
    ['a new kit key', { configs: ['title'] }, true],
    ['another description', { description: 'Reads' }, false],
    ['one endpoint less', { permissions: [] }, false],
    ['one permission less', { powers: [] }, false],
  ];
  for (const [what, edit, isNew] of edits) {
    test(`abuse 40: ${what} ${isNew ? 'restarts' : 'keeps'} the age of the role`, async () => {
      const content = { ...READER, powers: ['approve.money'] };
      const id = await newRole(content);
      const { name } = (await findRole(stage.pool, id))!;
      const { user } = await stage.operator(name);
      await performAct(stage.ports, admin, changeRole, { id, ...content, ...edit });
      const { rows } = await stage.pool.query(
        `select role_since > now() - interval '1 day' as "isNew" from users where id = $1`,
        [user],
      );
      assert.deepEqual(rows, [{ isNew }]);
    });
  }

  test('abuse 39: users with a role cannot vote on its change', async () => {
    const id = await newRole({ powers: ['approve.access'] });
    const { name } = (await findRole(stage.pool, id))!;
    const holders = [await stage.operator(name), await stage.operator(name)];
    const change = { id, ...READER, powers: ['approve.access', 'approve.money'] };
    const { beneficiaries } = await assess(changeRole, admin, change);
    assert.deepEqual(
      beneficiaries,
      holders.map(({ user }) => user),
    );
  });

  test('a role in use cannot be removed', async () => {
    const id = await newRole();
    const { name } = (await findRole(stage.pool, id))!;
    const person = await stage.operator(name);
    const remove = () => refusalOf(performAct(stage.ports, admin, removeRole, { id }));
    assert.equal(await remove(), 'role_in_use');
    await stage.pool.query('update users set role = null where id = $1', [person.user]);
    assert.equal(await remove(), 'done');
    assert.equal(await findRole(stage.pool, id), undefined);
  });

  test('an edit needs one approval, or two if it removes the power to approve', async () => {
    const id = await newRole({ powers: ['approve.money', 'switch.stop'] });
    const kept = { id, ...READER, powers: ['approve.money'] };
    const needed = [
      await assess(createRole, admin, { name: 'new', ...READER }),
      await assess(changeRole, admin, kept),
      await assess(changeRole, admin, { id, ...READER }),
      await assess(removeRole, admin, { id }),
    ];
    assert.deepEqual(
      needed.map(({ approvals }) => approvals),
      [1, 1, 2, 2],
    );
  });
});
