// Rejects addresses that open too many sockets, or open them too fast, without affecting others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { AddressLimits } from './address-limits.ts';

function world() {
  const clock = new FakeClock(1_700_000_000_000);
  const sizes = { socketsMax: 5, socketsPerAddressMax: 3, connectsBurst: 4, connectsPerSecond: 2 };
  return { clock, limits: new AddressLimits({ clock, ...sizes }) };
}

test('the number of sockets is limited per address and in total', () => {
  const { limits } = world();
  const enter = (address: string) => limits.enter(address);
  assert.deepEqual(['a', 'a', 'a'].map(enter), [undefined, undefined, undefined]);
  assert.equal(limits.enter('a'), 'too_many_of_address');
  assert.deepEqual(['b', 'c'].map(enter), [undefined, undefined]);
  assert.equal(limits.enter('d'), 'too_many_sockets');
  limits.leave('a');
  assert.equal(limits.enter('d'), undefined);
  assert.equal(limits.socketCount, 5);
});

test('an address that connects too fast is delayed', () => {
  const { clock, limits } = world();
  const comeAndGo = () => {
    const refused = limits.enter('a');
    if (refused === undefined) limits.leave('a');
    return refused;
  };
  assert.deepEqual([1, 2, 3, 4].map(comeAndGo), [undefined, undefined, undefined, undefined]);
  assert.equal(comeAndGo(), 'too_fast');
  limits.forgetOld();
  assert.equal(comeAndGo(), 'too_fast');
  clock.advance(500);
  assert.deepEqual([comeAndGo(), comeAndGo()], [undefined, 'too_fast']);
  clock.advance(2_000);
  limits.forgetOld();
  assert.deepEqual([1, 2, 3, 4, 5].map(comeAndGo).at(-1), 'too_fast');
});

test('an address with repeated offenses is delayed', () => {
  const { clock, limits } = world();
  assert.equal(limits.enter('a'), undefined);
  for (let count = 0; count < 100; count += 1) limits.punish('a');
  clock.advance(2_000);
  assert.equal(limits.enter('a'), 'too_fast');
  assert.equal(limits.enter('b'), undefined);
  clock.advance(500);
  assert.equal(limits.enter('a'), undefined);
});
