// Tests codes on a real PostgreSQL: each is accepted once, in its own flow, within five tries and
// five minutes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Pool } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import {
  type CodeForm,
  type Flow,
  issueCode,
  useCode,
  useCodeOfUser,
  usePublicCode,
} from './codes.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  rotatedVault,
  vault,
} from './registry-for-test.ts';
import { addressFailures } from './throttles.ts';

const cookie = (byte: number) => Buffer.alloc(32, byte);
const BROWSER: Flow = { cookieHash: cookie(1), network: '192.0.2.1', session: 0 };
const PROGRAM: Flow = { network: '192.0.2.1', session: 0 };
const SESSION: Flow = { network: '192.0.2.1', session: 7 };

let registry: RegistryForTest;
let pool: Pool;

describe('codes', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  const forms: [CodeForm, RegExp][] = [
    ['v2', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/],
    ['v3', /^[A-Z]{2}-\d{5}$/],
    ['v4', /^\d{6}$/],
    ['v5', /^[A-Z2-9]{20}$/],
  ];
  for (const [form, pattern] of forms) {
    test(`a code of format ${form} confirms its payload once`, async () => {
      const user = await makeUser(pool);
      const asked = { user, purpose: 'verify_email', flow: BROWSER } as const;
      const code = await issueCode(pool, vault, { ...asked, form, payload: 'a tag' });
      assert.match(code, pattern);
      const typed = { ...asked, code: ` ${code.toLowerCase()} ` };
      const used = { user, form, payload: 'a tag', isSameFlow: true };
      assert.deepEqual(await useCodeOfUser(pool, vault, typed), used);
      assert.deepEqual(await useCodeOfUser(pool, vault, typed), new Refused('code_used'));
    });
  }

  const flows: [name: string, asked: Flow, used: Flow, works: boolean][] = [
    ['the same cookie', BROWSER, BROWSER, true],
    ['the same cookie from another network', BROWSER, { ...BROWSER, network: '::1' }, true],
    ['another cookie', BROWSER, { ...BROWSER, cookieHash: cookie(2) }, false],
    ['a cookie where none was', PROGRAM, BROWSER, false],
    ['no cookies, the same network', PROGRAM, PROGRAM, true],
    ['no cookies, a code of a browser', BROWSER, PROGRAM, false],
    ['no cookies, another network', PROGRAM, { ...PROGRAM, network: '192.0.2.2' }, false],
    ['the same session', SESSION, { ...SESSION, network: '192.0.2.2' }, true],
    ['another session', SESSION, { ...SESSION, session: 8 }, false],
    ['no session', SESSION, PROGRAM, false],
  ];
  for (const [name, asked, used, works] of flows) {
    for (const [form, isLink] of [
      ['v2', true],
      ['v4', false],
    ] as const) {
      test(`${form} with ${name}: ${works || isLink ? 'accepted' : 'rejected'}`, async () => {
        const user = await makeUser(pool);
        const purpose = 'reset_password';
        const code = await issueCode(pool, vault, { user, purpose, form, flow: asked });
        const found = await useCodeOfUser(pool, vault, { user, purpose, code, flow: used });
        const right = { user, form, payload: '', isSameFlow: works };
        assert.deepEqual(found, works || isLink ? right : new Refused('code_wrong'));
      });
    }
  }

  test('a short code without an account is found only in its flow', async () => {
    const flow = { network: '198.51.100.1', session: 0 };
    const asked = { purpose: 'reset_password', form: 'v4', flow } as const;
    const [one, other] = [await makeUser(pool), await makeUser(pool)];
    const code = await issueCode(pool, vault, { ...asked, user: one });
    await issueCode(pool, vault, { ...asked, user: other });
    const elsewhere = { ...asked, code, flow: { ...flow, network: '198.51.100.2' } };
    assert.deepEqual(await useCode(pool, vault, elsewhere), new Refused('code_wrong'));
    const found = await useCode(pool, vault, { ...asked, code });
    assert.deepEqual(found, { user: one, form: 'v4', payload: '', isSameFlow: true });
  });

  test('abuse 7: after five wrong codes, the correct one is rejected', async () => {
    const asked = { user: await makeUser(pool), purpose: 'reset_password', flow: PROGRAM } as const;
    const code = await issueCode(pool, vault, { ...asked, form: 'v4' });
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries++) {
      assert.deepEqual(
        await useCodeOfUser(pool, vault, { ...asked, code: wrong }),
        new Refused('code_wrong'),
      );
    }
    const exhausted = await useCodeOfUser(pool, vault, { ...asked, code });
    assert.deepEqual(exhausted, new Refused('code_tries_exhausted'));
    const fresh = await issueCode(pool, vault, { ...asked, form: 'v4' });
    assert.ok(!((await useCodeOfUser(pool, vault, { ...asked, code: fresh })) instanceof Refused));
  });

  test('abuse 3: without a session, used-up tries are not revealed', async () => {
    const flow = { network: '203.0.113.7', session: 0 };
    const nowMs = Date.now();
    const asked = { user: await makeUser(pool), purpose: 'reset_password', flow } as const;
    const code = await issueCode(pool, vault, { ...asked, form: 'v4' });
    const wrong = code === '000000' ? '000001' : '000000';
    const nobody = { ...asked, user: 0 } as const;
    for (const [sent, owner] of [
      ...Array.from({ length: 6 }, () => [wrong, asked] as const),
      [code, asked],
      [code, nobody],
      [code, { ...asked, user: undefined }],
    ] as const) {
      const { user, ...rest } = owner;
      const sender = { ...rest, ...(user !== undefined && { user }) };
      const refusal = await usePublicCode(pool, vault, { ...sender, code: sent, nowMs });
      assert.deepEqual(refusal, new Refused('code_wrong'));
    }
    // Each wrong code brings the address closer to a captcha.
    assert.equal(await addressFailures(pool, vault, { network: flow.network, nowMs }), 9);
  });

  test('wrong codes do not use up a link', async () => {
    const asked = { user: await makeUser(pool), purpose: 'verify_email', flow: PROGRAM } as const;
    const code = await issueCode(pool, vault, { ...asked, form: 'v2' });
    for (let tries = 0; tries < 6; tries++) {
      assert.deepEqual(
        await useCodeOfUser(pool, vault, { ...asked, code: '000000' }),
        new Refused('code_wrong'),
      );
    }
    assert.ok(!((await useCodeOfUser(pool, vault, { ...asked, code })) instanceof Refused));
  });

  test('abuse 8: a guess is compared with the five newest codes of its flow', async () => {
    const flow = { network: '203.0.113.8', session: 0 };
    const asked = { purpose: 'reset_password', form: 'v3', flow } as const;
    const codes: string[] = [];
    for (let count = 0; count < 6; count++) {
      codes.push(await issueCode(pool, vault, { ...asked, user: await makeUser(pool) }));
    }
    assert.deepEqual(
      await useCode(pool, vault, { ...asked, code: codes[0] }),
      new Refused('code_wrong'),
    );
    assert.ok(!((await useCode(pool, vault, { ...asked, code: codes[5] })) instanceof Refused));
  });

  test('a wrong guess without an account costs every code of the flow a try', async () => {
    const flow = { network: '203.0.113.1', session: 0 };
    const asked = { purpose: 'reset_password', form: 'v4', flow } as const;
    const codes: string[] = [];
    for (let count = 0; count < 3; count++) {
      codes.push(await issueCode(pool, vault, { ...asked, user: await makeUser(pool) }));
    }
    const wrong = ['111111', '222222', '333333', '444444'].find((one) => !codes.includes(one));
    for (let tries = 0; tries < 5; tries++) {
      assert.deepEqual(
        await useCode(pool, vault, { ...asked, code: wrong ?? '' }),
        new Refused('code_wrong'),
      );
    }
    for (const code of codes) {
      assert.deepEqual(
        await useCode(pool, vault, { ...asked, code }),
        new Refused('code_tries_exhausted'),
      );
    }
  });

  test('abuse 9: one code sent 200 times concurrently is accepted once', async () => {
    const asked = { user: await makeUser(pool), purpose: 'confirm_action', flow: SESSION } as const;
    const code = await issueCode(pool, vault, { ...asked, form: 'v5' });
    // Opens all connections and transactions before the first use, so the uses are concurrent.
    const lanes = await Promise.all(Array.from({ length: 8 }, () => pool.connect()));
    for (const lane of lanes) await lane.query('begin');
    const outcomes: unknown[] = [];
    const uses = lanes.map(async (lane) => {
      for (let use = 0; use < 25; use++) {
        if (use > 0) await lane.query('begin');
        outcomes.push(await useCodeOfUser(lane, vault, { ...asked, code }));
        await lane.query('commit');
      }
      lane.release();
    });
    await Promise.all(uses);
    assert.equal(outcomes.filter((one) => !(one instanceof Refused)).length, 1);
    assert.equal(
      outcomes.filter((one) => one instanceof Refused && one.key === 'code_used').length,
      199,
    );
  });

  test('a code expires, and a new code invalidates the old one', async () => {
    const asked = { user: await makeUser(pool), purpose: 'verify_email', flow: PROGRAM } as const;
    const old = await issueCode(pool, vault, { ...asked, form: 'v2' });
    const code = await issueCode(pool, vault, { ...asked, form: 'v2' });
    assert.deepEqual(
      await useCodeOfUser(pool, vault, { ...asked, code: old }),
      new Refused('code_wrong'),
    );
    await pool.query("update codes set expires_at = now() - interval '1 ms'");
    assert.deepEqual(
      await useCodeOfUser(pool, vault, { ...asked, code }),
      new Refused('code_expired'),
    );
  });

  test('a code is accepted only for its purpose and its user', async () => {
    const [user, other] = [await makeUser(pool), await makeUser(pool)];
    const asked = { user, purpose: 'verify_email', flow: PROGRAM } as const;
    const code = await issueCode(pool, vault, { ...asked, form: 'v2' });
    const elsewhere = { ...asked, code, purpose: 'reset_password' } as const;
    assert.deepEqual(await useCodeOfUser(pool, vault, elsewhere), new Refused('code_wrong'));
    assert.deepEqual(await useCode(pool, vault, elsewhere), new Refused('code_wrong'));
    assert.deepEqual(
      await useCodeOfUser(pool, vault, { ...asked, code, user: other }),
      new Refused('code_wrong'),
    );
  });

  test('a code created before a rotation is still accepted', async () => {
    const asked = { user: await makeUser(pool), purpose: 'verify_email', flow: PROGRAM } as const;
    const code = await issueCode(pool, vault, { ...asked, form: 'v4', payload: 'kept' });
    const used = await useCodeOfUser(pool, rotatedVault, { ...asked, code });
    assert.ok(!(used instanceof Refused) && used.payload === 'kept');
  });
});
