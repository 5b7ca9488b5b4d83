// The answers of JetStream about a stream, as facts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOf } from './stream-state.ts';

test('one server has no replicas, and messages between first and last can be missing', () => {
  const whole = stateOf('A', { state: { messages: 5, first_seq: 3, last_seq: 7 } });
  const one = { name: 'A', lastSequence: 7, missing: 0, replicas: [], hasLeader: true };
  assert.deepEqual(whole, one);
  const damaged = stateOf('A', { state: { messages: 3, first_seq: 3, last_seq: 7 } });
  assert.equal(damaged?.missing, 2);
  const empty = stateOf('A', { state: { messages: 0, first_seq: 8, last_seq: 7 } });
  assert.deepEqual([empty?.missing, empty?.lastSequence], [0, 7]);
  assert.equal(stateOf('A', {}), undefined, 'an error is not a state');
});

test('a replica is current if its leader reports so and receives from it', () => {
  const state = { messages: 1, first_seq: 1, last_seq: 1 };
  const replicas = [
    { name: 'n2', current: true, active: 900_000_000 },
    { name: 'n3', current: true, active: 4_000_000_000 },
    { name: 'n4', current: true, offline: true },
    { name: 'n5', current: false, active: 1 },
  ];
  const found = stateOf('A', { state, cluster: { leader: 'n1', replicas } });
  const current = found?.replicas.map(({ isCurrent, name }) => `${name} ${isCurrent}`);
  assert.deepEqual(current, ['n1 true', 'n2 true', 'n3 false', 'n4 false', 'n5 false']);
  assert.equal(found?.hasLeader, true);
  assert.equal(stateOf('A', { state, cluster: { replicas } })?.hasLeader, false);
});
