// The first command of every log: accepted by a new exchange, which then has these limits.

import assert from 'node:assert/strict';
import test from 'node:test';
import { applyFrame, createExchange } from '../../core/engine/index.ts';
import {
  decodeCommandRecords,
  INITIAL_LIMITS,
  LIMIT_NAMES,
  type Limits,
  SHARE_NAMES,
} from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { NO_HASH } from '../../infra/journal/index.ts';
import { GENESIS_LIMITS, genesisRecords } from './genesis.ts';

function applied(limits: Limits) {
  const exchange = createExchange(INITIAL_LIMITS);
  const { commands } = genesisRecords(limits);
  const frame = { sequence: 1, epoch: 1, timeMs: 1 as TimeMs, previousHash: NO_HASH, commands };
  const { events } = applyFrame(exchange, frame);
  return { exchange, kinds: events.map(({ kind }) => kind) };
}

test('genesis is one command of source 0, in its own bytes', () => {
  const { commands, records, source } = genesisRecords(INITIAL_LIMITS);
  assert.deepEqual([source, records.count], [0, 1]);
  assert.deepEqual(decodeCommandRecords(records), commands);
  assert.deepEqual(commands, [{ kind: 'SetLimits', source: 0, number: 1, ...INITIAL_LIMITS }]);
});

test('a new exchange accepts genesis and has its limits', () => {
  const limits = { ...INITIAL_LIMITS, marketsMax: 32, commandWindow: 2_048 };
  const { exchange, kinds } = applied(limits);
  assert.deepEqual(kinds, ['LimitsSet']);
  assert.deepEqual({ ...exchange.limits }, limits);
});

test('the rules of a new log follow the limits, unless they are the first ones', () => {
  const { commands, records } = genesisRecords(INITIAL_LIMITS, 2);
  assert.deepEqual(decodeCommandRecords(records), commands);
  assert.deepEqual(commands[1], { kind: 'SetRulesVersion', source: 0, number: 2, version: 2 });
  assert.equal(genesisRecords(INITIAL_LIMITS, 1).commands.length, 1);
});

test('no genesis limit except the shares of users is below the initial limits', () => {
  for (const name of LIMIT_NAMES) {
    const isShare = SHARE_NAMES.includes(name);
    assert.equal(GENESIS_LIMITS[name] >= INITIAL_LIMITS[name], !isShare, name);
  }
});
