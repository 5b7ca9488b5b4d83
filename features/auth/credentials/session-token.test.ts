// Tests session tokens: clients read the claims, the exchange trusts none of them.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { tokenHash } from '../../../infra/access/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { Vault } from '../../../platform/vault/index.ts';
import { CLAIMS, NOW_S, openMemoryAccess, sessionRow } from './access-for-test.ts';
import { makeToken, SessionTokens } from './session-token.ts';

const OLD = Buffer.alloc(32, 7);
const NEW = Buffer.alloc(32, 8);
const clock = new FakeClock(NOW_S * 1_000);
const vault = new Vault(new Map([[1, OLD]]));

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('clients can read the user and the expiry', () => {
  const { jti, ...claims } = claimsOf(makeToken(vault, CLAIMS));
  assert.deepEqual(claims, {
    sub: { id: 5, email: 'ann@example.com', networkId: 5, lang: 'fr', role: 'user' },
    scopes: ['user'],
    ip: '203.0.113.9',
    iss: 'Rialto',
    iat: NOW_S,
    exp: NOW_S + 60,
  });
  assert.equal(Buffer.from(jti, 'base64url').length, 32);
});

test('tokens of sub-accounts and guests have their own claims', () => {
  assert.equal(claimsOf(makeToken(vault, { ...CLAIMS, kind: 'sub' })).is_subaccount, true);
  assert.equal(claimsOf(makeToken(vault, { ...CLAIMS, kind: 'shared' })).is_sharedaccount, true);
});

test('abuse 16: two logins never get the same token', () => {
  assert.notEqual(makeToken(vault, CLAIMS), makeToken(vault, CLAIMS));
});

describe('abuse 18: forged tokens', () => {
  const token = makeToken(vault, CLAIMS);
  const [header, claims, mac] = token.split('.');
  const admin = encoded({
    ...claimsOf(token),
    sub: { ...claimsOf(token).sub, role: 'admin' },
    scopes: ['user', 'admin'],
  });
  const none = encoded({ alg: 'none', typ: 'JWT' });
  const guessed = createHmac('sha256', 'secret').update(`${header}.${admin}`).digest('base64url');

  const table: [what: string, token: string][] = [
    ['a changed role', `${header}.${admin}.${mac}`],
    ['a later expiry', `${header}.${encoded({ ...claimsOf(token), exp: 9e9 })}.${mac}`],
    ['alg none with unchanged claims', `${none}.${claims}.${mac}`],
    ['alg none without a signature', `${none}.${admin}.`],
    ['alg none with two parts', `${none}.${admin}`],
    ['signed with a guessed key', `${header}.${admin}.${guessed}`],
    ['a MAC of zeros', `${header}.${claims}.${'A'.repeat(43)}`],
    ['a truncated MAC', `${header}.${claims}.${mac.slice(0, 42)}`],
    ['an extra part at the end', `${token}.${mac}`],
    ['no claims', `${header}..${mac}`],
    ['a MAC alone', 'A'.repeat(43)],
    ['nothing', ''],
    ['too long', `${header}.${'a'.repeat(4_000)}.${mac}`],
  ];
  for (const [what, forged] of table) {
    test(`abuse 18: ${what} is rejected and costs no query`, async () => {
      const opened = openMemoryAccess();
      const row = sessionRow({ token_hash: Buffer.from(tokenHash(forged), 'hex') });
      opened.registry.sessions = [row];
      const asked = { authorization: `Bearer ${forged}` };
      assert.deepEqual(await identify(opened, asked), { refused: 'session_unknown' });
      assert.equal(opened.registry.reads, 0);
      const cookie = { token: forged, isFromOwnPage: true };
      const byCookie = await identify(opened, { sessionCookie: cookie });
      assert.deepEqual(byCookie, { refused: 'session_unknown' });
      assert.equal(opened.registry.reads, 0);
    });
  }

  test('abuse 18: the row decides, whatever a genuine token claims', async () => {
    const opened = openMemoryAccess();
    const boasting = makeToken(opened.vault, { ...CLAIMS, role: 'admin', scopes: ['admin'] });
    const row = { token_hash: Buffer.from(tokenHash(boasting), 'hex'), owner_role: 'admin' };
    opened.registry.sessions = [sessionRow({ ...row, owner_permissions: ['*'] })];
    const identified = await identify(opened, { authorization: `Bearer ${boasting}` });
    assert.ok('caller' in identified);
    assert.equal(identified.caller.role, 'user');
    assert.equal(identified.caller.mayOperate('/admin/users', 'GET'), false);
  });

  test('abuse 18: a genuine token without a row is unknown', async () => {
    const opened = openMemoryAccess();
    const asked = { authorization: `Bearer ${makeToken(opened.vault, CLAIMS)}` };
    assert.deepEqual(await identify(opened, asked), { refused: 'session_unknown' });
    assert.equal(opened.registry.reads, 1);
  });
});

test('tokens from before and after a key rotation are recognized', () => {
  const before = makeToken(vault, CLAIMS);
  const rotating = new Vault(new Map([[1, OLD]]));
  const tokens = new SessionTokens(rotating, clock);
  rotating.add(new Map([[2, NEW]]));
  const other = new Vault(new Map([[2, NEW]]), { activeId: 2 });
  const after = makeToken(other, CLAIMS);
  assert.equal(tokens.isOwn(before), true);
  clock.advance(1_000);
  assert.equal(tokens.isOwn(after), true);
  rotating.activate(2);
  assert.equal(tokens.isOwn(before), true);
  assert.equal(new SessionTokens(other, clock).isOwn(before), false);
});

async function identify(
  { access, clock: time }: ReturnType<typeof openMemoryAccess>,
  headers: Parameters<typeof access.identify>[0]['headers'],
) {
  const identified = access.identify({
    method: 'GET',
    target: '/v2/user',
    headers,
    bodyIsExpected: false,
    isWrite: false,
    address: '203.0.113.9',
  });
  time.advance(0);
  return identified;
}
