// Tests actions on the kit on a real server: who writes which key, defaults, user meta fields.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Refused } from '../../protocol/wire/index.ts';
import { readApproval } from '../approvals/approvals.ts';
import { performAct } from '../approvals/index.ts';
import {
  type OperatorForTest,
  OperatorStage,
  useSolo,
  useTeam,
} from '../approvals/operators-for-test.ts';
import type { JsonObject } from '../audit/index.ts';
import {
  changeKit,
  changeUserMeta,
  createUserMeta,
  readKitContent,
  removeUserMeta,
} from './admin.ts';

let stage: OperatorStage;
let admin: OperatorForTest;
let communicator: OperatorForTest;

const outcome = async (work: Promise<{ kind: string } | Refused>) => {
  const performed = await work;
  return performed instanceof Refused ? performed.key : performed.kind;
};
const write = (operator: OperatorForTest, kit: JsonObject) =>
  outcome(performAct(stage.ports, operator, changeKit, { kit }));

describe('the kit', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
    communicator = await stage.operator('communicator');
  });
  after(() => stage.close());

  test('a role can write only the keys in its configs', async () => {
    assert.equal(await write(communicator, { title: 'Our exchange' }), 'done');
    assert.equal(await write(communicator, { title: 'x', features: {} }), 'kit_key_closed');
    assert.equal(await write(communicator, { injected_html: { head: 'x' } }), 'kit_key_closed');
    assert.equal(await write(admin, { features: { chat: false } }), 'done');
    assert.deepEqual(await readKitContent(stage.pool), {
      title: 'Our exchange',
      features: { chat: false },
    });
  });

  test('null restores the default, and an empty change is rejected', async () => {
    assert.equal(await write(admin, { title: null }), 'done');
    assert.ok(!('title' in (await readKitContent(stage.pool))));
    assert.equal(await write(admin, {}), 'kit_change_empty');
  });

  test('the audit log has old and new values, including fractions set by a tool', async () => {
    await stage.pool.query(`update kit set content = content || '{"dust": {"spread": 0.5}}'`);
    assert.equal(await write(admin, { dust: { spread: '0.25' } }), 'done');
    const { rows } = await stage.pool.query(
      'select before, after from audit_entries order by seq desc limit 1',
    );
    assert.deepEqual(rows, [
      { before: { dust: { spread: '0.5' } }, after: { dust: { spread: '0.25' } } },
    ]);
  });

  test('a kit of more than 200,000 bytes is rejected', async () => {
    assert.equal(await write(admin, { strings: { en: 'x'.repeat(200_000) } }), 'kit_too_large');
  });

  test("HTML that pages run needs another operator's approval in team mode", async () => {
    await useTeam(stage.pool);
    assert.equal(await write(admin, { color: { dark: '#000' } }), 'done');
    assert.equal(await write(admin, { injected_html: { head: '<script>' } }), 'waiting');
    const head = `${' '.repeat(600)}<script>steal()</script>`;
    const asked = await performAct(stage.ports, admin, changeKit, {
      kit: { injected_html: { head } },
    });
    assert.ok(asked.kind === 'waiting');
    const row = await readApproval(stage.pool, asked.approval);
    assert.equal(row?.shown[0].value, JSON.stringify({ head }), 'voters see all of the HTML');
    await useSolo(stage.pool);
  });

  test('a user meta field is added, changed and removed', async () => {
    const field = { type: 'string', required: false, description: 'Where they work' } as const;
    const add = (name: string) =>
      outcome(performAct(stage.ports, admin, createUserMeta, { name, ...field }));
    assert.equal(await add('employer'), 'done');
    assert.equal(await add('employer'), 'user_meta_exists');
    assert.equal(await add('a b'), 'user_meta_name_invalid');
    const nothing = { type: null, required: null, description: null };
    const change = { ...nothing, name: 'employer', required: true };
    const changed = await performAct(stage.ports, admin, changeUserMeta, change);
    assert.ok(changed.kind === 'done');
    assert.deepEqual(changed.executed.result, { employer: { ...field, required: true } });
    const unknown = { ...nothing, name: 'other' };
    assert.equal(
      await outcome(performAct(stage.ports, admin, changeUserMeta, unknown)),
      'user_meta_not_found',
    );
    const remove = () =>
      outcome(performAct(stage.ports, admin, removeUserMeta, { name: 'employer' }));
    assert.equal(await remove(), 'done');
    assert.equal(await remove(), 'user_meta_not_found');
    assert.equal(
      await outcome(performAct(stage.ports, communicator, createUserMeta, { name: 'x', ...field })),
      'kit_key_closed',
    );
  });
});
