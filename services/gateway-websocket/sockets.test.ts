// Idle and revoked sockets are closed, and new markets are added for sockets subscribed to an
// entire topic.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyId, UserId } from '../../core/money/index.ts';
import type { Caller } from '../../features/auth/index.ts';
import { callerOf, FakeWire, socketHarness } from './socket-for-test.ts';
import { Sockets } from './sockets.ts';

function world() {
  const inner = socketHarness();
  let listed = 1;
  const { clock, dependencies } = inner;
  const sockets = new Sockets({
    clock,
    dependencies,
    idleMs: 60_000,
    listed: () => listed,
    onSweep() {},
  });
  const open = (caller?: Caller, untilMs?: number) => {
    const wire = new FakeWire();
    return { wire, socket: sockets.open({ wire, address: '::1', caller, untilMs }) };
  };
  return { ...inner, sockets, open, listNew: () => listed++ };
}

test('a socket is closed within a second after a minute without messages', () => {
  const { clock, open, sockets } = world();
  // A separate sweep every minute would find this socket too early or a minute too late.
  clock.advance(20_000);
  const [silent, loud] = [open(), open()];
  clock.advance(59_000);
  loud.socket.receive(Buffer.from('{"op":"ping"}'));
  assert.equal(silent.wire.isOpen, true);
  clock.advance(2_000);
  assert.deepEqual(silent.wire.closedWith, [undefined, '']);
  clock.advance(57_000);
  assert.equal(loud.wire.isOpen, true);
  sockets.closed(silent.socket);
  assert.equal(sockets.count, 1);
});

const revocations: [user: number, key: number, session: number, closed: string[]][] = [
  [7, 70, 0, ['key 70']],
  [7, 0, 5, ['session 5']],
  [7, 0, 0, ['key 70', 'key 71', 'session 5']],
  [0, 0, 0, ['key 70', 'key 71', 'session 5', 'other', 'sub-account of 6']],
  [6, 0, 0, ['sub-account of 6']],
  [6, 60, 0, []],
  [6, 0, 55, ['sub-account of 6']],
  [6, 0, 56, []],
  [8, 70, 0, []],
];

for (const [user, key, session, expected] of revocations) {
  test(`a revocation of user ${user}, key ${key}, session ${session} closes ${expected}`, () => {
    const { open, sockets } = world();
    const all: Record<string, ReturnType<typeof open>> = {
      'key 70': open(callerOf(7)),
      'key 71': open(callerOf(7, { key: 71 as KeyId })),
      'session 5': open(callerOf(7, { kind: 'session', key: 0 as KeyId, session: 5 })),
      other: open(callerOf(8)),
      'sub-account of 6': open(callerOf(9, { relatedUsers: [6 as UserId], openedBy: 55 })),
      nobody: open(),
    };
    sockets.revoke({ user: user as UserId, key: key as KeyId, session });
    const closed = Object.keys(all).filter((name) => !all[name].wire.isOpen);
    assert.deepEqual(closed, expected);
    for (const name of closed) {
      assert.deepEqual(all[name].wire.closedWith, [1008, 'the credentials were revoked']);
    }
  });
}

const ends: [name: string, lastsMs: number | undefined, isOpen: [number, boolean][]][] = [
  [
    'a session that expires',
    30_000,
    [
      [29_000, true],
      [1_000, false],
    ],
  ],
  [
    'a session that expires between two ticks',
    1_500,
    [
      [1_000, true],
      [1_000, false],
    ],
  ],
  ['a session that expired while it was being identified', -1, [[1_000, false]]],
  ['a key', undefined, [[59_000, true]]],
];

for (const [name, lastsMs, isOpen] of ends) {
  for (const way of ['a handshake', 'a message'] as const) {
    test(`${name}, authenticated by ${way}, keeps its socket until the expiry`, () => {
      const inner = world();
      const { clock, dependencies } = inner;
      const untilMs = lastsMs === undefined ? undefined : clock.nowMs() + lastsMs;
      const caller = callerOf(7);
      Object.assign(dependencies, { identify: () => ({ caller, untilMs }) });
      const { socket, wire } = way === 'a message' ? inner.open() : inner.open(caller, untilMs);
      if (way === 'a message') socket.receive(Buffer.from('{"op":"auth","args":[{}]}'));
      assert.equal(socket.caller, caller);
      for (const [afterMs, expected] of isOpen) {
        clock.advance(afterMs);
        assert.equal(wire.isOpen, expected, `${afterMs} ms later`);
      }
      if (wire.isOpen) return;
      assert.deepEqual(wire.closedWith, [1008, 'the credentials were revoked']);
      assert.deepEqual(inner.closed, ['revoked']);
    });
  }
}

test('a new market reaches sockets that subscribe to all markets within a second', () => {
  const { clock, listNew, open, orderbook } = world();
  open().socket.receive(Buffer.from('{"op":"subscribe","args":["orderbook"]}'));
  orderbook.list('new-usdt');
  clock.advance(1_000);
  assert.equal(orderbook.subscriptions.size, 2);
  listNew();
  clock.advance(1_000);
  assert.equal(orderbook.subscriptions.size, 3);
});

test('at shutdown every socket is closed with the reason', () => {
  const { open, sockets } = world();
  const all = [open(), open(callerOf(7))];
  sockets.closeAll();
  for (const { wire } of all) {
    assert.deepEqual(wire.closedWith, [1001, 'the gateway is shutting down']);
  }
});

test('sockets of chosen callers are closed with their reason, and no others', () => {
  const { open, sockets } = world();
  const [session, key, nobody] = [
    open(callerOf(7, { kind: 'session', key: 0 as KeyId, session: 5 })),
    open(callerOf(7)),
    open(),
  ];
  sockets.closeWhere((caller) => caller?.kind === 'session', 'revoked');
  assert.deepEqual(session.wire.closedWith, [1008, 'the credentials were revoked']);
  assert.deepEqual([key.wire.isOpen, nobody.wire.isOpen], [true, true]);
  sockets.closeWhere((caller) => caller === undefined, 'intakeStopped');
  const reason = 'the stream is temporarily stopped: reconnect later';
  assert.deepEqual(nobody.wire.closedWith, [1013, reason]);
  assert.equal(key.wire.isOpen, true);
});

test('time in which the gateway stalled counts neither as idle nor as stuck', () => {
  const { clock, open } = world();
  const { socket, wire } = open();
  clock.advance(60_000);
  wire.isSlow = true;
  wire.waitingBytes = 10;
  // The client's next ping and the drained bytes are queued behind the late timers.
  clock.stall(15_000);
  clock.advance(0);
  assert.equal(wire.isOpen, true, 'a late check is deferred until messages were read');
  socket.receive(Buffer.from('{"op":"ping"}'));
  wire.drain();
  clock.advance(30_000);
  assert.equal(wire.isOpen, true);
});
