// Connections without a handshake are limited in number and time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { type Connection, HandshakeLimits } from './handshake-limits.ts';

class FakeConnection implements Connection {
  isOpen = true;
  readonly #tasks: (() => void)[] = [];

  once(_event: 'close', task: () => void): void {
    this.#tasks.push(task);
  }

  destroy(): void {
    this.isOpen = false;
    for (const task of this.#tasks.splice(0)) task();
  }
}

function world() {
  const clock = new FakeClock();
  const sizes = { handshakesMax: 4, handshakesPerAddressMax: 2, handshakeMs: 5_000 };
  const limits = new HandshakeLimits({ clock, ...sizes });
  const connect = (group?: string) => {
    const connection = new FakeConnection();
    return { connection, isTaken: limits.connected(connection, group) };
  };
  return { clock, limits, connect };
}

test('an address can have a few handshakes in progress, and a trusted proxy more', () => {
  const { connect, limits } = world();
  const own = [1, 2, 3].map(() => connect('a'));
  assert.deepEqual(
    own.map(({ connection, isTaken }) => [isTaken, connection.isOpen]),
    [
      [true, true],
      [true, true],
      [false, false],
    ],
  );
  limits.completed(own[0].connection);
  assert.equal(connect('a').isTaken, true);
  const proxied = [1, 2, 3].map(() => connect(undefined));
  assert.equal(
    proxied.every(({ isTaken }) => isTaken),
    true,
  );
});

test('at the total limit the oldest is closed, and completed handshakes are kept', () => {
  const { connect, limits } = world();
  const done = connect('a').connection;
  limits.completed(done);
  const [oldest, ...others] = ['a', 'b', 'c', 'd'].map((group) => connect(group).connection);
  const newest = connect('e').connection;
  assert.deepEqual(
    [done, oldest, newest].map(({ isOpen }) => isOpen),
    [true, false, true],
  );
  assert.equal(
    others.every(({ isOpen }) => isOpen),
    true,
  );
  assert.equal(limits.count, 4);
});

test('a connection without a handshake is closed after its time limit', () => {
  const { clock, connect, limits } = world();
  const slow = connect('a').connection;
  const quick = connect('a').connection;
  limits.completed(quick);
  clock.advance(4_999);
  assert.equal(slow.isOpen, true);
  clock.advance(1);
  assert.deepEqual([slow.isOpen, quick.isOpen, limits.count], [false, true, 0]);
  assert.equal(clock.pendingCount, 0);
});
