// Tests identification from credentials to a caller or a rejection: order of checks, expiry limits,
// replays, sessions, roles, revocations, and an unreachable database.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { KeyId, UserId } from '../../../core/money/index.ts';
import {
  ACCESS_REFUSALS,
  type Identified,
  type Revocation,
  type SignedRequest,
} from '../../../infra/access/access.ts';
import { accessChangeFeed } from '../../../infra/access/access-changes.ts';
import { AccessFault } from '../../../infra/access/credential-cache.ts';
import { MemoryBus } from '../../../infra/bus/bus-for-test.ts';
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

/** Identifies like a gateway, and runs the timer that a cache miss waits for. */
async function identify<Reason extends object = never>(
  { access, clock }: Opened,
  request: SignedRequest<Caller, Reason>,
): Promise<Identified<Caller> | Reason> {
  const identified = access.identify(request);
  clock.advance(0);
  return identified;
}

async function refusalOf(opened: Opened, request: SignedRequest<Caller>): Promise<string> {
  const identified = await identify(opened, request);
  return 'refused' in identified ? identified.refused : 'accepted';
}

const bearer = { key: undefined, signature: undefined, authorization: `Bearer ${TOKEN}` };

test('a signed request has a caller, without waiting if its key is cached', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
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
    sessionKind: undefined,
    openedBy: 0,
    beganAtMs: 0,
    strongAtMs: 0,
    actor: 5,
    isSubAccount: false,
    relatedUsers: [],
    email: 'ann@example.com',
    role: 'user',
    permissions: new Set(),
    powers: new Set(),
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

test('an identified request has the expiry of its key or session', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
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

test('prechecked credentials are identified without their headers', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
  opened.registry.sessions = [sessionRow()];
  for (const request of [signed(), signed({ headers: bearer })]) {
    assert.equal(await refusalOf(opened, request), 'accepted');
    const prechecked = await opened.access.precheck(request);
    assert.ok('claim' in prechecked);
    assert.equal(await refusalOf(opened, { ...request, headers: {}, prechecked }), 'accepted');
  }
});

test('a key that expires or is deactivated after its precheck is rejected', async () => {
  const changes: [refusal: string, change: (opened: Opened) => void][] = [
    ['request_expired', ({ clock }) => clock.advance(61_000)],
    [
      'key_inactive',
      ({ bus, registry, vault }) => {
        registry.keys = [keyRow(vault, { active: false })];
        accessChangeFeed(bus, 'test').announce({
          user: 5 as UserId,
          key: 0 as KeyId,
          session: 0,
          isRevoked: true,
        });
      },
    ],
  ];
  for (const [refusal, change] of changes) {
    const opened = openMemoryAccess();
    opened.registry.keys = [keyRow(opened.vault)];
    assert.equal(await refusalOf(opened, signed()), 'accepted');
    const prechecked = await opened.access.precheck(signed());
    assert.ok('claim' in prechecked);
    change(opened);
    assert.equal(await refusalOf(opened, { ...signed(), prechecked }), refusal);
  }
});

describe('a request with a key is rejected', () => {
  const headers = (changes: Record<string, string | undefined>) =>
    ({ headers: changes }) as Partial<SignedRequest>;
  const wrong = 'f'.repeat(64);
  const past = new Date((NOW_S - 1) * 1_000);
  const none = { key: undefined, signature: undefined };
  const foreign = { token: TOKEN, isFromOwnPage: false };
  const elsewhere = { whitelisting_enabled: true, whitelisted_ips: ['198.51.100.0/24'] };

  // Each row also fails the checks of the rows below it, so the table proves the order of the
  // checks.
  const table: [refusal: string, request: SignedRequest, row: Record<string, unknown>][] = [
    ['several_credentials', signed(headers({ authorization: 'Bearer x' })), {}],
    ['several_credentials', signed({ headers: { sessionCookie: foreign } }), {}],
    ['cookie_from_other_page', signed({ headers: { ...none, sessionCookie: foreign } }), {}],
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
      opened.registry.keys = [keyRow(opened.vault, row)];
      assert.equal(await refusalOf(opened, request), refusal);
      assert.deepEqual(opened.refusals, [refusal]);
    });
  }

  test('every rejection has a row, here or below', () => {
    const elsewhere = ['signature_replayed', 'session_unknown', 'session_revoked'];
    const known = new Set([...table.map(([one]) => one), ...elsewhere, 'session_expired']);
    assert.deepEqual([...known].sort(), [...ACCESS_REFUSALS].sort());
  });
});

test('an expiry is valid until the end of its second, and up to 300 s ahead', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
  assert.equal(await refusalOf(opened, signed({}, `${NOW_S + 300}`)), 'accepted');
  const request = signed({}, `${NOW_S}`);
  assert.equal(await refusalOf(opened, request), 'accepted');
  opened.clock.advance(999);
  assert.equal(await refusalOf(opened, request), 'accepted');
  opened.clock.advance(1);
  assert.equal(await refusalOf(opened, request), 'request_expired');
});

test('a disabled or empty address list accepts every address', async () => {
  for (const row of [
    { whitelisting_enabled: false, whitelisted_ips: ['198.51.100.7'] },
    { whitelisting_enabled: true, whitelisted_ips: [] },
    { whitelisting_enabled: true, whitelisted_ips: ['203.0.113.0/24'] },
  ]) {
    const opened = openMemoryAccess();
    opened.registry.keys = [keyRow(opened.vault, row)];
    assert.equal(await refusalOf(opened, signed()), 'accepted');
  }
});

test('the handler gets the signed body, not the one that arrived', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
  const write = { method: 'POST', target: '/v2/order', bodyIsExpected: true };
  const honest = signed({ ...write, body: '{"size":1}' });
  const twisted = { ...honest, body: '{"size":1.00000000000000001}' };
  const identified = await identify(opened, twisted);
  assert.ok('caller' in identified);
  assert.equal(identified.signedBody, '{"size":1}');
});

test("a write's signature counts once, in either case, on every gateway", async () => {
  const bus = new MemoryBus();
  const one = openMemoryAccess(bus);
  const other = openMemoryAccess(bus, one.registry);
  one.registry.keys = [keyRow(one.vault)];
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

test('abuse 72: a captured order is valid for two seconds, a withdrawal once', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
  const post = { method: 'POST', body: '{}', bodyIsExpected: true, isWrite: true };
  const order = signed({ ...post, target: '/v2/order', mayRepeat: true });
  const withdrawal = signed({ ...post, target: '/v2/user/withdrawal' });
  for (let count = 0; count < 10; count += 1) {
    assert.equal(await refusalOf(opened, order), 'accepted');
  }
  assert.equal(await refusalOf(opened, withdrawal), 'accepted');
  assert.equal(await refusalOf(opened, withdrawal), 'signature_replayed');
  opened.clock.advance(2_001);
  assert.equal(await refusalOf(opened, order), 'signature_replayed');
  // A newly started gateway queries the running one.
  const restarted = openMemoryAccess(opened.bus, opened.registry);
  assert.equal(await refusalOf(restarted, order), 'signature_replayed');
  assert.equal(await refusalOf(restarted, withdrawal), 'signature_replayed');
});

test('a wrong signature is not remembered in place of the correct one', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
  const write = signed({ method: 'DELETE', target: '/v2/order?order_id=1', isWrite: true });
  const twisted = { ...write, target: '/v2/order?order_id=2' };
  assert.equal(await refusalOf(opened, twisted), 'signature_wrong');
  assert.equal(await refusalOf(opened, write), 'accepted');
});

test('a signature that was not admitted is not remembered', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
  const admitted: number[] = [];
  const write = signed({ method: 'DELETE', target: '/v2/order?order_id=1', isWrite: true });
  const reason = { kind: 'over the budget' };
  const refusing = { ...write, admit: () => reason };
  // The first call reads the key, the second finds it in the cache.
  for (const _ of [1, 2]) {
    assert.equal(await identify(opened, refusing), reason);
  }
  assert.equal(opened.access.sizes.signatures, 0);
  const admit = ({ user }: { user: number }) => {
    admitted.push(user);
    return undefined;
  };
  const admitting = { ...write, admit };
  assert.equal(await refusalOf(opened, admitting), 'accepted');
  assert.equal(await refusalOf(opened, admitting), 'signature_replayed');
  assert.deepEqual(admitted, [5, 5]);
});

test('a row changed in the database verifies nothing and is reported', async () => {
  const opened = openMemoryAccess();
  opened.registry.keys = [{ ...keyRow(opened.vault), can_withdraw: true }];
  assert.equal(await refusalOf(opened, signed()), 'signature_wrong');
  assert.deepEqual(opened.broken, [7]);
});

describe('a session', () => {
  const request = signed({ headers: bearer } as Partial<SignedRequest>);

  test('has a caller with the permissions of its user', async () => {
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
    test(`is rejected: ${refusal}, ${authorization.slice(0, 9)} ${Object.keys(row)}`, async () => {
      const opened = openMemoryAccess();
      opened.registry.sessions = [sessionRow(row)];
      const asked = { ...request, headers: { ...bearer, authorization } };
      assert.equal(await refusalOf(opened, asked), refusal);
    });
  }
});

describe('session end', () => {
  const request = signed({ headers: bearer } as Partial<SignedRequest>);

  test('abuse 17: a session with an earlier security version is invalid', async () => {
    for (const [version, outcome] of [
      ['2', 'session_revoked'],
      ['1', 'accepted'],
    ]) {
      const opened = openMemoryAccess();
      opened.registry.sessions = [sessionRow({ owner_security_version: version })];
      assert.equal(await refusalOf(opened, request), outcome);
    }
  });

  test('abuse 17: a lost version change is noticed within a minute', async () => {
    const opened = openMemoryAccess();
    const { access, clock, registry } = opened;
    const row = sessionRow({ expires_at: new Date((NOW_S + 600) * 1_000) });
    registry.sessions = [row];
    const revocations: Revocation[] = [];
    access.watchRevocations((revocation) => revocations.push(revocation));
    assert.equal(await refusalOf(opened, request), 'accepted');
    registry.sessions = [{ ...row, owner_security_version: '2' }];
    clock.advance(60_000);
    await access.readAgain();
    assert.equal(await refusalOf(opened, request), 'session_revoked');
    assert.deepEqual(revocations, [{ user: 5, key: 0, session: 3 }]);
  });

  test('a session idle for too long ends, by the uses of this gateway', async () => {
    const opened = openMemoryAccess();
    const { clock, registry } = opened;
    const expires_at = new Date((NOW_S + 43_200) * 1_000);
    const created_at = new Date(NOW_S * 1_000);
    registry.sessions = [sessionRow({ idle_seconds: '1800', expires_at, created_at })];
    for (let use = 0; use < 3; use += 1) {
      const identified = await identify(opened, request);
      assert.ok('caller' in identified);
      assert.equal(identified.untilMs, clock.nowMs() + 1_800_000, 'its sockets are closed too');
      clock.advance(1_799_000);
    }
    clock.advance(1_000);
    assert.equal(await refusalOf(opened, request), 'session_expired');
    clock.advance(1_000);
    assert.equal(
      await refusalOf(opened, request),
      'session_expired',
      'a rejection does not count as a use',
    );
  });

  test('a session idle for too long ends, by the stored use', async () => {
    for (const [agoS, outcome] of [
      [1_799, 'accepted'],
      [1_800, 'session_expired'],
    ] as const) {
      const opened = openMemoryAccess();
      const last_seen_at = new Date((NOW_S - agoS) * 1_000);
      opened.registry.sessions = [sessionRow({ idle_seconds: '1800', last_seen_at })];
      assert.equal(await refusalOf(opened, request), outcome);
    }
  });

  test('a caller has its session kind and the time of its factor proof', async () => {
    const opened = openMemoryAccess();
    opened.registry.sessions = [sessionRow({ kind: 'shared', strong_at: new Date(7_000) })];
    const identified = await identify(opened, request);
    assert.ok('caller' in identified);
    const { sessionKind, strongAtMs } = identified.caller;
    assert.deepEqual([sessionKind, strongAtMs], ['shared', 7_000]);
  });
});

test('a sub-account or guest reads and trades, without role and withdrawals', async () => {
  const sub = { owner_parent: '3' };
  const boss = { owner_role: 'support', owner_permissions: ['/admin/users:get'] };
  const rows: [row: Record<string, unknown>, kind: string, actor: number, related: number[]][] = [
    [{ kind: 'sub', actor_id: '3', ...sub }, 'sub', 3, [3]],
    [{ kind: 'login', ...sub }, 'sub', 5, [3]],
    [{ kind: 'shared', actor_id: '9', scopes: ['user', 'support'], ...boss }, 'shared', 9, [9]],
  ];
  for (const [row, kind, actor, related] of rows) {
    const opened = openMemoryAccess();
    opened.registry.sessions = [sessionRow(row)];
    const identified = await identify(opened, signed({ headers: bearer }));
    assert.ok('caller' in identified);
    const { caller } = identified;
    assert.deepEqual([caller.sessionKind, caller.actor, caller.user], [kind, actor, 5]);
    assert.deepEqual([caller.canRead, caller.canTrade, caller.canWithdraw], [true, true, false]);
    assert.deepEqual([caller.role, caller.relatedUsers], ['user', related]);
    assert.equal(caller.mayOperate('/admin/users', 'GET'), false);
  }
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault, { can_withdraw: true, ...sub })];
  const identified = await identify(opened, signed());
  assert.ok('caller' in identified);
  assert.equal(identified.caller.canWithdraw, false);
});

test('a change of the parent or the actor drops the cached session', async () => {
  for (const [row, user] of [
    [{ owner_parent: '3' }, 3],
    [{ kind: 'shared', actor_id: '9' }, 9],
    [{}, 5],
  ] as const) {
    const opened = openMemoryAccess();
    opened.registry.sessions = [sessionRow(row)];
    const request = signed({ headers: bearer });
    assert.equal(await refusalOf(opened, request), 'accepted');
    opened.registry.sessions = [sessionRow({ ...row, revoked_at: new Date() })];
    assert.equal(await refusalOf(opened, request), 'accepted', 'it is cached');
    accessChangeFeed(opened.bus, 'test').announce({
      user: user as UserId,
      key: 0,
      session: 0,
      isRevoked: true,
    });
    assert.equal(await refusalOf(opened, request), 'session_revoked', JSON.stringify(row));
  }
});

test('a role applies only to a key or session that was granted it', async () => {
  const owner = { owner_role: 'support', owner_permissions: ['/admin/users:get'] };
  const rows: [Record<string, unknown>, role: string, mayList: boolean][] = [
    [{ ...owner, role: 'user' }, 'user', false],
    [{ ...owner, role: 'admin' }, 'support', true],
    [{ role: 'admin' }, 'user', false],
  ];
  for (const [row, role, mayList] of rows) {
    const opened = openMemoryAccess();
    opened.registry.keys = [keyRow(opened.vault, row)];
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

test('an announced change is read again, and a revocation is reported', async () => {
  const opened = openMemoryAccess();
  const { access, bus, registry, vault } = opened;
  registry.keys = [keyRow(vault)];
  const revocations: Revocation[] = [];
  const watch = access.watchRevocations((revocation) => revocations.push(revocation));
  assert.equal(await refusalOf(opened, signed()), 'accepted');
  registry.keys = [keyRow(vault, { revoked: true })];
  assert.equal(await refusalOf(opened, signed()), 'accepted');
  const change = { user: 5 as UserId, key: 7 as KeyId, session: 0 };
  accessChangeFeed(bus, 'test').announce({ ...change, isRevoked: true });
  assert.equal(await refusalOf(opened, signed()), 'key_inactive');
  assert.deepEqual(revocations, [change]);
  watch.stop();
  bus.publish('test.access.changed', Buffer.from('{}'));
  assert.equal(access.sizes.keys, 0);
  assert.equal(revocations.length, 1);
});

test('a revocation whose message was lost is noticed within a minute', async () => {
  const opened = openMemoryAccess();
  const { access, clock, registry, vault } = opened;
  registry.keys = [keyRow(vault)];
  registry.sessions = [sessionRow({ expires_at: new Date((NOW_S + 999) * 1_000) })];
  const session = signed({ headers: bearer } as Partial<SignedRequest>);
  const revocations: Revocation[] = [];
  access.watchRevocations((revocation) => revocations.push(revocation));
  assert.equal(await refusalOf(opened, signed()), 'accepted');
  assert.equal(await refusalOf(opened, session), 'accepted');
  registry.keys = [];
  registry.sessions = [sessionRow({ revoked_at: new Date(0) })];
  clock.advance(60_000);
  for (let at = 0; at < 10; at++) await turn();
  assert.deepEqual(revocations, [
    { user: 5, key: 7, session: 0 },
    { user: 5, key: 0, session: 3 },
  ]);
  const later = signed({}, `${NOW_S + 100}`);
  assert.equal(await refusalOf(opened, later), 'key_unknown');
  assert.equal(await refusalOf(opened, session), 'session_revoked');
});

test('while the database is down, known keys work and unknown keys are a fault', async () => {
  const registry = new MemoryRegistry();
  const opened = openMemoryAccess(new MemoryBus(), registry);
  registry.keys = [keyRow(opened.vault)];
  assert.equal(await refusalOf(opened, signed()), 'accepted');
  registry.fault = new Error('away');
  opened.clock.advance(60_000);
  await turn();
  assert.equal(await refusalOf(opened, signed({}, `${NOW_S + 200}`)), 'accepted');
  const stranger = signed({ headers: { key: 'a'.repeat(40) } }, `${NOW_S + 200}`);
  await assert.rejects(identify(opened, stranger), AccessFault);
  assert.ok(opened.faults.length > 0);
});

test('uses are written once per minute, however many there are', async () => {
  const opened = openMemoryAccess();
  const { uses } = opened.registry;
  opened.registry.keys = [keyRow(opened.vault)];
  for (let count = 0; count < 10; count++) await identify(opened, signed());
  assert.equal(uses.length, 0);
  opened.clock.advance(60_000);
  for (let at = 0; at < 10; at++) await turn();
  opened.clock.advance(60_000);
  for (let at = 0; at < 10; at++) await turn();
  assert.deepEqual(uses, [[[7], [NOW_S * 1_000]]]);
  await opened.access.stop();
});

test('a cached session ended along with all others is rejected immediately', async () => {
  const opened = openMemoryAccess();
  opened.registry.sessions = [sessionRow()];
  const request = signed({ headers: bearer });
  assert.equal(await refusalOf(opened, request), 'accepted');
  const { reads } = opened.registry;
  opened.ended.add(3);
  assert.equal(await refusalOf(opened, request), 'session_revoked');
  assert.equal(opened.registry.reads, reads);
});
