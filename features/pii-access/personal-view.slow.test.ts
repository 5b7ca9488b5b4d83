// Tests personal data unmasked or masked, on a real registry: every default role, in both control
// modes, by session, by key, and by a key with a grant.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEFAULT_ROLES, Refused } from '../../protocol/wire/index.ts';
import { OperatorStage, useSolo, useTeam } from '../approvals/operators-for-test.ts';
import { issueKey } from '../auth/index.ts';
import { vault } from '../auth/registry-for-test.ts';
import { CLEAR, MASKED, viewOf } from './personal-view.ts';

type Means = 'session' | 'key' | 'limited key' | 'trusted key';
const MEANS: readonly Means[] = ['session', 'key', 'limited key', 'trusted key'];

/** Means by which the role sees unmasked values. A daily limit alone does not matter. */
const CLEAR_FOR: Readonly<Record<'solo' | 'team', (role: string) => readonly Means[]>> = {
  solo: (role) => (role === 'admin' ? MEANS : ['trusted key']),
  team: () => ['trusted key'],
};

let stage: OperatorStage;

describe('personal data', () => {
  before(async () => {
    stage = await OperatorStage.open();
  });
  after(() => stage.close());

  for (const mode of ['solo', 'team'] as const) {
    for (const role of ['admin', ...DEFAULT_ROLES]) {
      const clear = CLEAR_FOR[mode](role);
      test(`in ${mode} mode, ${role} reads clear text by ${clear.join(', ')}`, async () => {
        await (mode === 'solo' ? useSolo : useTeam)(stage.pool);
        const operator = await stage.operator(role);
        const seen: Means[] = [];
        for (const means of MEANS) {
          const credential = await credentialOf(operator, means);
          const view = await viewOf(stage.pool, { role, credential });
          assert.ok(view === CLEAR || view === MASKED);
          if (view.isClear) seen.push(means);
        }
        assert.deepEqual(seen, clear);
      });
    }
  }

  test('a grant ends when it is removed', async () => {
    await useTeam(stage.pool);
    const operator = await stage.operator();
    const credential = await credentialOf(operator, 'trusted key');
    assert.equal((await viewOf(stage.pool, { role: 'admin', credential })).isClear, true);
    await stage.pool.query('delete from key_grants');
    assert.equal((await viewOf(stage.pool, { role: 'admin', credential })).isClear, false);
  });
});

test('a clear view changes nothing, a masked one hides every value', () => {
  const bank = { id: 'a1', type: 'bank', account_number: '99887' };
  assert.deepEqual(
    [CLEAR.email('mara@domain.com'), CLEAR.text('mara'), CLEAR.bank(bank)],
    ['mara@domain.com', 'mara', bank],
  );
  assert.deepEqual(
    [MASKED.email('mara@domain.com'), MASKED.text('mara'), MASKED.bank(bank)],
    ['m•••@d•••.com', 'm•••', { ...bank, account_number: '•••87' }],
  );
});

async function credentialOf(
  { credential, user }: Awaited<ReturnType<OperatorStage['operator']>>,
  means: Means,
): Promise<string> {
  if (means === 'session') return credential;
  const scopes = { canRead: true, canTrade: false, canWithdraw: false } as const;
  const issued = await issueKey(
    stage.pool,
    vault,
    {
      user,
      name: means,
      kind: 'hmac',
      ...scopes,
      role: 'admin',
      whitelistedIps: ['127.0.0.1/32'],
      nowMs: stage.clock.nowMs(),
    },
    { mayBeAnywhere: true },
  );
  assert.ok(!(issued instanceof Refused));
  const { id } = issued.key;
  if (means !== 'key') {
    await stage.pool.query(
      `insert into key_grants (key_id, daily_limit, may_read_personal, granted_by)
       values ($1, 100, $2, $3)`,
      [id, means === 'trusted key', user],
    );
  }
  return `key ${id}`;
}
