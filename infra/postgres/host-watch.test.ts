// The name of the primary leads to another machine: connections to the former one are closed, and
// no other ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock } from '../process/clock-for-test.ts';
import { HostWatch, hostWatchOf } from './host-watch.ts';

function stage() {
  const clock = new FakeClock();
  const names = { addresses: ['10.0.0.1'] as readonly string[] | Error, lookups: 0 };
  const watch = new HostWatch('rialto-db', {
    clock,
    async lookup() {
      names.lookups += 1;
      if (names.addresses instanceof Error) throw names.addresses;
      return names.addresses;
    },
  });
  const open = (remoteAddress: string | undefined) => {
    const connection = { remoteAddress, closed: 0, close: () => void (connection.closed += 1) };
    watch.add(connection);
    return connection;
  };
  const second = async () => {
    clock.pass(1_000);
    await turn();
  };
  return { names, open, second, watch };
}

test('connections to the former server are closed after two responses', async () => {
  const { names, open, second } = stage();
  const [former, mapped] = [open('10.0.0.1'), open('::ffff:10.0.0.1')];
  await second();
  assert.deepEqual([former.closed, mapped.closed], [0, 0]);
  names.addresses = ['10.0.0.2'];
  const next = open('10.0.0.2');
  await second();
  assert.deepEqual([former.closed, mapped.closed], [0, 0], 'one response is not enough');
  await second();
  await second();
  assert.deepEqual([former.closed, mapped.closed, next.closed], [1, 1, 0]);
});

test('a name server that does not respond, or differs only once, closes nothing', async () => {
  const { names, open, second } = stage();
  const connection = open('10.0.0.1');
  for (const addresses of [new Error('away'), ['10.0.0.2'], ['10.0.0.1'], ['10.0.0.2'], []]) {
    names.addresses = addresses;
    await second();
  }
  assert.equal(connection.closed, 0);
});

test('without connections nothing is looked up', async () => {
  const { names, open, second, watch } = stage();
  await second();
  const connection = open('10.0.0.1');
  await second();
  watch.remove(connection);
  await second();
  await second();
  assert.equal(names.lookups, 1);
});

test('addresses and this machine are not watched', () => {
  for (const host of ['10.0.0.1', '[::1]', 'localhost', '%2Frun%2Fpostgresql', '']) {
    assert.equal(hostWatchOf(`postgres://user@${host}/rialto`), undefined, host);
  }
  assert.equal(hostWatchOf('postgres://a@rialto-db/x'), hostWatchOf('postgres://b@rialto-db/x'));
});
