// Signs of life: they come back as they were, and what can not be one is ignored, without a throw.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  decodeHandOver,
  decodeLeaderBeat,
  decodeStandbyBeat,
  encodeBeat,
  type HandOver,
  LEADER_STATES,
  type LeaderBeat,
  type StandbyBeat,
} from './beats.ts';

const LEADER: LeaderBeat = {
  instance: 'sequencer-1',
  epoch: 4,
  state: 'leading',
  sequence: 1_000,
  commandsApplied: 52_000,
  eventsSequence: 998,
  schemaVersion: 2,
  outputDigests: [
    { sequence: 896, digest: 4_000_000_000 },
    { sequence: 960, digest: 0 },
  ],
  stateHash: 'abcdef',
  stateHashSequence: 512,
};
const STANDBY: StandbyBeat = { instance: 'sequencer-2', sequence: 999 };
const HAND_OVER: HandOver = { from: 'sequencer-1', to: 'sequencer-2', epoch: 4, sequence: 1_000 };

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The beat with one field made another; undefined leaves it out. */
function changed(beat: object, name: string, value: unknown): Uint8Array {
  return bytes(JSON.stringify({ ...beat, [name]: value }));
}

test('beats come back as they were', () => {
  for (const state of LEADER_STATES) {
    const beat = { ...LEADER, state, door: undefined };
    assert.deepEqual(decodeLeaderBeat(encodeBeat(beat)), beat);
  }
  const beat = { ...LEADER, door: { host: 'sequencer-1', port: 7_000, token: 'abc' } };
  assert.deepEqual(decodeLeaderBeat(encodeBeat(beat)), beat);
  assert.deepEqual(decodeStandbyBeat(encodeBeat(STANDBY)), STANDBY);
  assert.deepEqual(decodeHandOver(encodeBeat(HAND_OVER)), HAND_OVER);
});

test('a door that can not be dialled is left out, and the beat still counts', () => {
  const [host, token] = ['sequencer-1', 'abc'];
  const doors = [
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
  for (const door of doors) {
    const beat = decodeLeaderBeat(changed(LEADER, 'door', door));
    assert.deepEqual([beat?.epoch, beat?.door], [4, undefined], JSON.stringify(door));
  }
});

test('a field that a later release adds does no harm', () => {
  assert.equal(decodeLeaderBeat(changed(LEADER, 'mood', 'good'))?.epoch, 4);
});

test('a leader beat with any field missing, or of another kind, is ignored', () => {
  for (const name of Object.keys(LEADER)) {
    for (const value of [undefined, null, {}, true, -1, 0.5, 'leaping', [1]]) {
      const isRight =
        typeof value === 'string' && typeof LEADER[name as keyof LeaderBeat] === 'string';
      if (isRight && name !== 'state') continue;
      assert.equal(decodeLeaderBeat(changed(LEADER, name, value)), undefined, `${name}: ${value}`);
    }
  }
  const digests = [{ sequence: 64 }, { digest: 1 }, { sequence: '64', digest: 1 }, null, 7];
  for (const digest of digests) {
    assert.equal(decodeLeaderBeat(changed(LEADER, 'outputDigests', [digest])), undefined);
  }
});

test('a standby beat or a hand-over with a field missing, or of another kind, is ignored', () => {
  for (const value of [undefined, null, {}, true, -1, 0.5]) {
    for (const name of Object.keys(STANDBY)) {
      assert.equal(decodeStandbyBeat(changed(STANDBY, name, value)), undefined, name);
    }
    for (const name of Object.keys(HAND_OVER)) {
      assert.equal(decodeHandOver(changed(HAND_OVER, name, value)), undefined, name);
    }
  }
});

const DECODERS = [decodeLeaderBeat, decodeStandbyBeat, decodeHandOver];

test('what is no JSON, or JSON of something else, is ignored', () => {
  for (const text of ['', '{', 'null', '7', '"text"', '[]', '{}', '{"epoch":1}', 'true']) {
    for (const decode of DECODERS) assert.equal(decode(bytes(text)), undefined, text);
  }
});

test('decoding never throws, whatever the bytes', () => {
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
