// From credentials to a caller or a refusal: the order of the checks, the edges of expiry, replays,
// sessions, roles, revocations, and the database away.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { KeyId, UserId } from '../../core/money/index.ts';
import {
  ACCESS_REFUSALS,
  type Identified,
  type Revocation,
  type SignedRequest,
} from '../../infra/access/access.ts';
import { accessChangeFeed } from '../../infra/access/access-changes.ts';
import { AccessFault } from '../../infra/access/access-fault.ts';
import { MemoryBus } from '../../infra/bus/bus-for-test.ts';
import {
  keyRow,
  MemoryRegistry,
  NOW_S,
  openMemoryAccess,
  PUBLIC_KEY,
  sessionRow,
  signed,
  TOKEN,
} from './access-for-test.ts';
import type { Caller } from './caller.ts';

type Opened = ReturnType<typeof openMemoryAccess>;

/** As a gateway would, with the turn that a miss takes. */
async function identify(
  { access, clock }: Opened,
  request: SignedRequest<Caller>,
): Promise<Identified<Caller>> {
  const identified = access.identify(request);
  clock.advance(0);
  return identified;
}

async function refusalOf(opened: Opened, request: SignedRequest<Caller>): Promise<string> {
  const identified = await identify(opened, request);
  return 'refused' in identified ? identified.refused : 'accepted';
}

const bearer = { key: undefined, signature: undefined, authorization: `Bearer ${TOKEN}` };

test('a signed request has a caller, at once when its key is known', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.seal)];
  const first = opened.access.identify(signed());
  assert.ok(first instanceof Promise);
  opened.clock.advance(0);
  assert.ok('caller' in (await first));
  const second = opened.access.identify(signed());
  assert.ok(!(second instanceof Promise) && 'caller' in second);
  const { mayOperate, ...caller } = second.caller;
  assert.deepEqual(caller, {
    kind: 'key',
    user: 5,
    key: 7,
    session: 0,
    email: 'ann@example.com',
    role: 'user',
    permissions: new Set(),
    canRead: true,
    canTrade: true,
    canWithdraw: false,
    language: 'en',
    verificationLevel: 1,
    isActivated: true,
    withdrawalBlockedUntilMs: 0,
  });
  assert.equal(mayOperate('/admin/users', 'GET'), false);
  assert.equal(opened.registry.reads, 1);
});

test('it is told until when a key or a session lasts', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.seal)];
  opened.registry.sessions = [sessionRow()];
  for (const [request, lastsS] of [
    [signed(), 86_400],
    [signed({ headers: bearer }), 60],
  ] as const) {
    const identified = await identify(opened, request);
    assert.ok('untilMs' in identified);
    assert.equal(identified.untilMs, (NOW_S + lastsS) * 1_000);
  }
});

describe('a request with a key is refused', () => {
  const headers = (changes: Record<string, string | undefined>) =>
    ({ headers: changes }) as Partial<SignedRequest>;
  const wrong = 'f'.repeat(64);
  const past = new Date((NOW_S - 1) * 1_000);
  const elsewhere = { whitelisting_enabled: true, whitelisted_ips: ['198.51.100.0/24'] };

  // Each row would also be refused for what stands below it: the order is that of the checks.
  const table: [refusal: string, request: SignedRequest, row: Record<string, unknown>][] = [
    ['several_credentials', signed(headers({ authorization: 'Bearer x' })), {}],
    ['credentials_missing', signed(headers({ key: undefined, signature: undefined })), {}],
    ['key_missing', signed(headers({ key: undefined })), {}],
    ['signature_missing', signed(headers({ signature: undefined, expires: 'x' })), {}],
    ['expires_invalid', signed(headers({ expires: undefined })), {}],
    ['expires_invalid', signed({}, `${NOW_S}.5`), {}],
    ['expires_invalid', signed({}, `0${NOW_S + 60}`), {}],
    ['expires_invalid', signed({}, `+${NOW_S}`), {}],
    ['expires_invalid', signed({}, `${NOW_S} `), {}],
    ['expires_invalid', signed({}, '1e10'), {}],
    ['expires_invalid', signed({}, 'undefined'), {}],
    ['expires_invalid', signed({}, '-1'), {}],
    ['expires_invalid', signed({}, '9'.repeat(16)), {}],
    ['request_expired', signed(headers({ key: 'unknown' }), `${NOW_S - 1}`), {}],
    ['expires_too_far', signed(headers({ key: 'unknown' }), `${NOW_S + 301}`), {}],
    ['expires_too_far', signed({}, `${NOW_S * 1_000}`), {}],
    ['key_unknown', signed(headers({ key: PUBLIC_KEY.replace('0', '1') })), elsewhere],
    ['key_unknown', signed(headers({ key: PUBLIC_KEY.toUpperCase() })), elsewhere],
    ['key_unknown', signed(headers({ key: '' })), elsewhere],
    ['address_not_allowed', signed(), { ...elsewhere, expires_at: past, active: false }],
    ['key_expired', signed(headers({ signature: wrong })), { expires_at: past, active: false }],
    ['key_inactive', signed(headers({ signature: wrong })), { active: false }],
    ['key_inactive', signed(headers({ signature: wrong })), { revoked: true }],
    ['signature_wrong', signed(headers({ signature: wrong })), { owner_activated: false }],
    ['signature_wrong', signed(headers({ signature: 'short' })), {}],
    ['signature_wrong', signed(), { secret: 'another' }],
    ['account_deactivated', signed(), { owner_activated: false }],
  ];
  for (const [refusal, request, row] of table) {
    test(`${refusal}: ${JSON.stringify({ ...request.headers, ...row })}`, async () => {
      const opened = openMemoryAccess();
      opened.registry.keys = [keyRow(opened.seal, row)];
      assert.equal(await refusalOf(opened, request), refusal);
      assert.deepEqual(opened.refusals, [refusal]);
    });
  }

  test('and every refusal has its row, here or below', () => {
    const elsewhere = ['signature_replayed', 'session_unknown', 'session_revoked'];
    const known = new Set([...table.map(([one]) => one), ...elsewhere, 'session_expired']);
    assert.deepEqual([...known].sort(), [...ACCESS_REFUSALS].sort());
  });
});

test('expiry is good until the end of its second, and 300 s ahead', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.seal)];
  assert.equal(await refusalOf(opened, signed({}, `${NOW_S + 300}`)), 'accepted');
  const request = signed({}, `${NOW_S}`);
  assert.equal(await refusalOf(opened, request), 'accepted');
  opened.clock.advance(999);
  assert.equal(await refusalOf(opened, request), 'accepted');
  opened.clock.advance(1);
  assert.equal(await refusalOf(opened, request), 'request_expired');
});

test('a list of addresses that is switched off or empty lets all pass', async () => {
  for (const row of [
    { whitelisting_enabled: false, whitelisted_ips: ['198.51.100.7'] },
    { whitelisting_enabled: true, whitelisted_ips: [] },
    { whitelisting_enabled: true, whitelisted_ips: ['203.0.113.0/24'] },
  ]) {
    const opened = openMemoryAccess();
    opened.registry.keys = [keyRow(opened.seal, row)];
    assert.equal(await refusalOf(opened, signed()), 'accepted');
  }
});

test('what is to be read is the body that was signed, not the one that came', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.seal)];
  const write = { method: 'POST', target: '/v2/order', bodyIsExpected: true };
  const honest = signed({ ...write, body: '{"size":1}' });
  const twisted = { ...honest, body: '{"size":1.00000000000000001}' };
  const identified = await identify(opened, twisted);
  assert.ok('caller' in identified);
  assert.equal(identified.signedBody, '{"size":1}');
});

test('the signature of a write counts once, in whichever digits, on every gateway', async () => {
  const bus = new MemoryBus();
  const one = openMemoryAccess(bus);
  const other = openMemoryAccess(bus, one.registry);
  one.registry.keys = [keyRow(one.seal)];
  const write = signed({ method: 'DELETE', target: '/v2/order?order_id=1', isWrite: true });
  const signature = write.headers.signature!.toUpperCase();
  const louder = { ...write, headers: { ...write.headers, signature } };
  const identified = await identify(one, louder);
  assert.ok('caller' in identified);
  assert.equal(identified.signature, write.headers.signature);
  assert.equal(await refusalOf(one, write), 'signature_replayed');
  assert.equal(await refusalOf(other, write), 'signature_replayed');
  const read = signed();
  assert.equal(await refusalOf(one, read), 'accepted');
  assert.equal(await refusalOf(one, read), 'accepted');
});

test('a wrong signature is not remembered in place of the right one', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.seal)];
  const write = signed({ method: 'DELETE', target: '/v2/order?order_id=1', isWrite: true });
  const twisted = { ...write, target: '/v2/order?order_id=2' };
  assert.equal(await refusalOf(opened, twisted), 'signature_wrong');
  assert.equal(await refusalOf(opened, write), 'accepted');
});

test('a signature that was not admitted has not been used, and is not remembered', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.seal)];
  const admitted: number[] = [];
  const write = signed({ method: 'DELETE', target: '/v2/order?order_id=1', isWrite: true });
  const refusing = {
    ...write,
    admit: () => {
      throw new Error('over the budget');
    },
  };
  // The first time the key has to be read, the second time it is known.
  for (const _ of [1, 2]) {
    await assert.rejects(identify(opened, refusing), /over the budget/);
  }
  assert.equal(opened.access.sizes.signatures, 0);
  const admitting = { ...write, admit: ({ user }: { user: number }) => void admitted.push(user) };
  assert.equal(await refusalOf(opened, admitting), 'accepted');
  assert.equal(await refusalOf(opened, admitting), 'signature_replayed');
  assert.deepEqual(admitted, [5, 5]);
});

test('a row that was given more by other hands verifies nothing, and is reported', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [{ ...keyRow(opened.seal), can_withdraw: true }];
  assert.equal(await refusalOf(opened, signed()), 'signature_wrong');
  assert.deepEqual(opened.broken, [7]);
});

describe('a session', () => {
  const request = signed({ headers: bearer } as Partial<SignedRequest>);

  test('has a caller that may do what its user may', async () => {
    const opened = openMemoryAccess();
    opened.registry.sessions = [sessionRow()];
    const identified = await identify(opened, { ...request, body: '{}', bodyIsExpected: true });
    assert.ok('caller' in identified);
    const { canWithdraw, key, kind, session, user } = identified.caller;
    assert.deepEqual([kind, user, key, session, canWithdraw], ['session', 5, 0, 3, true]);
    assert.equal(identified.signedBody, '{}');
    assert.ok(!(opened.access.identify(request) instanceof Promise));
  });

  const table: [refusal: string, authorization: string, row: Record<string, unknown>][] = [
    ['session_unknown', 'Basic abc', {}],
    ['session_unknown', 'Bearer ', {}],
    ['session_unknown', `Bearer ${TOKEN}x`, {}],
    ['session_unknown', `Bearer ${TOKEN.replace('a', 'b')}`, {}],
    ['session_revoked', `Bearer ${TOKEN}`, { revoked_at: new Date(0), expires_at: new Date(0) }],
    ['session_expired', `bearer ${TOKEN}`, { expires_at: new Date(NOW_S * 1_000) }],
    ['account_deactivated', `Bearer ${TOKEN}`, { owner_activated: false }],
  ];
  for (const [refusal, authorization, row] of table) {
    test(`is refused: ${refusal}, ${authorization.slice(0, 9)} ${Object.keys(row)}`, async () => {
      const opened = openMemoryAccess();
      opened.registry.sessions = [sessionRow(row)];
      const asked = { ...request, headers: { ...bearer, authorization } };
      assert.equal(await refusalOf(opened, asked), refusal);
    });
  }
});

test('a role is used only by a key or session that was given it', async () => {
  const owner = { owner_role: 'support', owner_permissions: ['/admin/users:get'] };
  const rows: [Record<string, unknown>, role: string, mayList: boolean][] = [
    [{ ...owner, role: 'user' }, 'user', false],
    [{ ...owner, role: 'admin' }, 'support', true],
    [{ role: 'admin' }, 'user', false],
  ];
  for (const [row, role, mayList] of rows) {
    const opened = openMemoryAccess();
    opened.registry.keys = [keyRow(opened.seal, row)];
    const identified = await identify(opened, signed());
    assert.ok('caller' in identified);
    assert.equal(identified.caller.role, role);
    assert.equal(identified.caller.mayOperate('/admin/users', 'GET'), mayList);
    assert.equal(identified.caller.mayOperate('/admin/users', 'POST'), false);
    assert.equal(identified.caller.mayOperate('/admin/user', 'GET'), false);
  }
  const opened = openMemoryAccess();
  const admin = { owner_role: 'admin', owner_permissions: ['*'] };
  opened.registry.sessions = [sessionRow({ ...admin, scopes: ['user', 'admin'] })];
  const identified = await identify(opened, signed({ headers: bearer } as Partial<SignedRequest>));
  assert.ok('caller' in identified && identified.caller.mayOperate('/admin/mint', 'POST'));
});

test('a change that is heard is read anew, and its revocation told', async () => {
  const opened = openMemoryAccess();
  const { access, bus, registry, seal } = opened;
  registry.keys = [keyRow(seal)];
  const told: Revocation[] = [];
  const watch = access.watchRevocations((revocation) => told.push(revocation));
  assert.equal(await refusalOf(opened, signed()), 'accepted');
  registry.keys = [keyRow(seal, { revoked: true })];
  assert.equal(await refusalOf(opened, signed()), 'accepted');
  const change = { user: 5 as UserId, key: 7 as KeyId, session: 0 };
  accessChangeFeed(bus, 'test').announce({ ...change, isRevoked: true });
  assert.equal(await refusalOf(opened, signed()), 'key_inactive');
  assert.deepEqual(told, [change]);
  watch.stop();
  bus.publish('test.access.changed', Buffer.from('{}'));
  assert.equal(access.sizes.keys, 0);
  assert.equal(told.length, 1);
});

test('a revocation whose message was lost is found within a minute', async () => {
  const opened = openMemoryAccess();
  const { access, clock, registry, seal } = opened;
  registry.keys = [keyRow(seal)];
  registry.sessions = [sessionRow({ expires_at: new Date((NOW_S + 999) * 1_000) })];
  const session = signed({ headers: bearer } as Partial<SignedRequest>);
  const told: Revocation[] = [];
  access.watchRevocations((revocation) => told.push(revocation));
  assert.equal(await refusalOf(opened, signed()), 'accepted');
  assert.equal(await refusalOf(opened, session), 'accepted');
  registry.keys = [];
  registry.sessions = [sessionRow({ revoked_at: new Date(0) })];
  clock.advance(60_000);
  for (let at = 0; at < 10; at++) await turn();
  assert.deepEqual(told, [
    { user: 5, key: 7, session: 0 },
    { user: 5, key: 0, session: 3 },
  ]);
  const later = signed({}, `${NOW_S + 100}`);
  assert.equal(await refusalOf(opened, later), 'key_unknown');
  assert.equal(await refusalOf(opened, session), 'session_revoked');
});

test('with the database away, known keys sign on and unknown ones are a fault', async () => {
  const registry = new MemoryRegistry();
  const opened = openMemoryAccess(new MemoryBus(), registry);
  registry.keys = [keyRow(opened.seal)];
  assert.equal(await refusalOf(opened, signed()), 'accepted');
  registry.fault = new Error('away');
  opened.clock.advance(60_000);
  await turn();
  assert.equal(await refusalOf(opened, signed({}, `${NOW_S + 200}`)), 'accepted');
  const stranger = signed({ headers: { key: 'a'.repeat(40) } }, `${NOW_S + 200}`);
  await assert.rejects(identify(opened, stranger), AccessFault);
  assert.ok(opened.faults.length > 0);
});

test('uses are written once a minute, however many there were', async () => {
  const opened = openMemoryAccess();
  const { uses } = opened.registry;
  opened.registry.keys = [keyRow(opened.seal)];
  for (let count = 0; count < 10; count++) await identify(opened, signed());
  assert.equal(uses.length, 0);
  opened.clock.advance(60_000);
  for (let at = 0; at < 10; at++) await turn();
  opened.clock.advance(60_000);
  for (let at = 0; at < 10; at++) await turn();
  assert.deepEqual(uses, [[[7], [NOW_S * 1_000]]]);
  await opened.access.stop();
});
