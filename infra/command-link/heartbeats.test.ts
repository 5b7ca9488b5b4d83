// Heartbeats: they round-trip, and a malformed one is ignored without an exception.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  decodeHandOver,
  decodeLeaderHeartbeat,
  decodeStandbyHeartbeat,
  encodeHeartbeat,
  type HandOver,
  LEADER_STATES,
  type LeaderHeartbeat,
  type StandbyHeartbeat,
} from './heartbeats.ts';

const LEADER: LeaderHeartbeat = {
  instance: 'sequencer-1',
  writer: 77,
  epoch: 4,
  state: 'leading',
  sequence: 1_000,
  commandsApplied: 52_000,
  unacknowledgedMs: 12,
  acknowledgedMs: 3,
  eventsSequence: 998,
  schemaVersion: 2,
  outputDigests: [
    { sequence: 896, digest: 4_000_000_000 },
    { sequence: 960, digest: 0 },
  ],
  stateHash: 'abcdef',
  stateHashSequence: 512,
};
const STANDBY: StandbyHeartbeat = { instance: 'sequencer-2', writer: 78, sequence: 999 };
const HAND_OVER: HandOver = {
  from: 'sequencer-1',
  to: 'sequencer-2',
  toWriter: 78,
  epoch: 4,
  sequence: 1_000,
};
/** Earlier releases do not send these. */
const ADDED_LATER = ['writer', 'toWriter', 'unacknowledgedMs', 'acknowledgedMs'];

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The heartbeat with one field replaced; undefined removes it. */
function changed(heartbeat: object, name: string, value: unknown): Uint8Array {
  return bytes(JSON.stringify({ ...heartbeat, [name]: value }));
}

test('heartbeats round-trip', () => {
  for (const state of LEADER_STATES) {
    const heartbeat = { ...LEADER, state, linkAddress: undefined };
    assert.deepEqual(decodeLeaderHeartbeat(encodeHeartbeat(heartbeat)), heartbeat);
  }
  const heartbeat = { ...LEADER, linkAddress: { host: 'sequencer-1', port: 7_000, token: 'abc' } };
  assert.deepEqual(decodeLeaderHeartbeat(encodeHeartbeat(heartbeat)), heartbeat);
  assert.deepEqual(decodeStandbyHeartbeat(encodeHeartbeat(STANDBY)), STANDBY);
  assert.deepEqual(decodeHandOver(encodeHeartbeat(HAND_OVER)), HAND_OVER);
});

test('a handover names the command on which the engine failed', () => {
  const poison = { steps: [-8_192], commands: [{ source: 41, number: 7 }] };
  const handOver = { ...HAND_OVER, poison };
  assert.deepEqual(decodeHandOver(encodeHeartbeat(handOver)), handOver);
  for (const wrong of [null, {}, { steps: [], commands: [7] }, { steps: ['1'], commands: [] }]) {
    assert.equal(decodeHandOver(changed(HAND_OVER, 'poison', wrong)), undefined);
  }
});

test('an invalid link address is dropped, and the heartbeat is still valid', () => {
  const [host, token] = ['sequencer-1', 'abc'];
  const addresses = [
    null,
    7_000,
    'sequencer-1:7000',
    {},
    { host, port: 0, token },
    { host, port: 65_536, token },
    { host: '', port: 7_000, token },
    { host, port: 7_000 },
    { host, port: '7000', token },
  ];
  for (const address of addresses) {
    const heartbeat = decodeLeaderHeartbeat(changed(LEADER, 'linkAddress', address));
    assert.deepEqual(
      [heartbeat?.epoch, heartbeat?.linkAddress],
      [4, undefined],
      JSON.stringify(address),
    );
  }
});

test('a field added by a later release is ignored', () => {
  assert.equal(decodeLeaderHeartbeat(changed(LEADER, 'region', 'eu'))?.epoch, 4);
});

test('messages of an earlier release are read: the process is 0, and the ages are', () => {
  const leader = { ...LEADER, linkAddress: undefined };
  for (const name of ['writer', 'unacknowledgedMs', 'acknowledgedMs']) {
    const decoded = decodeLeaderHeartbeat(changed(LEADER, name, undefined));
    assert.deepEqual(decoded, { ...leader, [name]: 0 });
  }
  const standby = decodeStandbyHeartbeat(changed(STANDBY, 'writer', undefined));
  assert.deepEqual(standby, { ...STANDBY, writer: 0 });
  const handOver = decodeHandOver(changed(HAND_OVER, 'toWriter', undefined));
  assert.deepEqual(handOver, { ...HAND_OVER, toWriter: 0 });
});

test('a leader heartbeat with a missing or mistyped field is ignored', () => {
  for (const name of Object.keys(LEADER)) {
    for (const value of [undefined, null, {}, true, -1, 0.5, 'leaping', [1]]) {
      const isRight =
        typeof value === 'string' && typeof LEADER[name as keyof LeaderHeartbeat] === 'string';
      if (isRight && name !== 'state') continue;
      if (value === undefined && ADDED_LATER.includes(name)) continue;
      assert.equal(
        decodeLeaderHeartbeat(changed(LEADER, name, value)),
        undefined,
        `${name}: ${value}`,
      );
    }
  }
  const digests = [{ sequence: 64 }, { digest: 1 }, { sequence: '64', digest: 1 }, null, 7];
  for (const digest of digests) {
    assert.equal(decodeLeaderHeartbeat(changed(LEADER, 'outputDigests', [digest])), undefined);
  }
});

test('a standby heartbeat or handover with a missing or mistyped field is ignored', () => {
  for (const value of [undefined, null, {}, true, -1, 0.5]) {
    const isAbsent = (name: string) => value === undefined && ADDED_LATER.includes(name);
    for (const name of Object.keys(STANDBY)) {
      if (isAbsent(name)) continue;
      assert.equal(decodeStandbyHeartbeat(changed(STANDBY, name, value)), undefined, name);
    }
    for (const name of Object.keys(HAND_OVER)) {
      if (isAbsent(name)) continue;
      assert.equal(decodeHandOver(changed(HAND_OVER, name, value)), undefined, name);
    }
  }
});

const DECODERS = [decodeLeaderHeartbeat, decodeStandbyHeartbeat, decodeHandOver];

test('messages that are not JSON, or not a heartbeat, are ignored', () => {
  for (const text of ['', '{', 'null', '7', '"text"', '[]', '{}', '{"epoch":1}', 'true']) {
    for (const decode of DECODERS) assert.equal(decode(bytes(text)), undefined, text);
  }
});

test('decoding arbitrary bytes never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (message) => {
      for (const decode of DECODERS) assert.equal(decode(message), undefined);
    }),
  );
  fc.assert(
    fc.property(fc.json(), (text) => {
      for (const decode of DECODERS) assert.equal(decode(bytes(text)), undefined);
    }),
  );
});
