// The first frame of every log is accepted by a new exchange, which then has its limits and rules.

import assert from 'node:assert/strict';
import test from 'node:test';
import { applyFrame, createExchange } from '../../core/engine/index.ts';
import {
  decodeCommandFrame,
  INITIAL_LIMITS,
  LIMIT_NAMES,
  type Limits,
  RULES_VERSION_MAX,
  SHARE_NAMES,
} from '../../core/messages/index.ts';
import { exchangeIdOf } from '../../infra/journal/index.ts';
import { GENESIS_LIMITS, genesisFrame } from './genesis.ts';

const AT = { timeMs: 1_700_000_000_000, writer: 7 };

function applied(limits: Limits, rulesVersion: number) {
  const exchange = createExchange(INITIAL_LIMITS);
  const frame = decodeCommandFrame(genesisFrame({ ...AT, limits, rulesVersion }));
  const { events } = applyFrame(exchange, frame);
  return { exchange, kinds: events.map(({ kind }) => kind) };
}

test('genesis is frame 1 without a leader, and its commands have source 0', () => {
  const { commands, ...frame } = decodeCommandFrame(genesisFrame(AT));
  assert.deepEqual([frame.sequence, frame.epoch, frame.timeMs], [1, 0, AT.timeMs]);
  assert.deepEqual(commands, [
    { kind: 'SetLimits', source: 0, number: 1, ...GENESIS_LIMITS },
    { kind: 'SetRulesVersion', source: 0, number: 2, version: RULES_VERSION_MAX },
  ]);
});

test('a new exchange accepts genesis and has its limits', () => {
  const limits = { ...INITIAL_LIMITS, marketsMax: 32, commandWindow: 2_048 };
  const { exchange, kinds } = applied(limits, 1);
  assert.deepEqual(kinds, ['LimitsSet']);
  assert.deepEqual({ ...exchange.limits }, limits);
});

test('the rules of a new log follow its limits, unless they are the first rules', () => {
  assert.deepEqual(applied(INITIAL_LIMITS, 2).kinds, ['LimitsSet', 'RulesVersionSet']);
  assert.equal(applied(INITIAL_LIMITS, 2).exchange.rulesVersion, 2);
});

test('two exchanges created at the same moment have different IDs', () => {
  const ids = [7, 8].map((writer) => exchangeIdOf(genesisFrame({ ...AT, writer })));
  assert.notEqual(ids[0], ids[1]);
});

test('no genesis limit except the user shares is below the initial limits', () => {
  for (const name of LIMIT_NAMES) {
    const isShare = SHARE_NAMES.includes(name);
    assert.equal(GENESIS_LIMITS[name] >= INITIAL_LIMITS[name], !isShare, name);
  }
});
