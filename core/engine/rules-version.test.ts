// The rules version: set by a logged command, kept in snapshots, and never beyond what this release
// can run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, CommandFrame, Event } from '../messages/index.ts';
import { RULES_VERSION_MAX } from '../messages/index.ts';
import type { TimeMs } from '../money/index.ts';
import { applyFrame } from './apply-frame.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import { restoreExchange } from './restore.ts';
import { RulesVersionFault } from './rules-version.ts';
import { hashExchange, snapshotExchange } from './snapshot.ts';

let number = 0;

function frameOf(exchange: Exchange, versions: readonly number[]): CommandFrame {
  const commands = versions.map(
    (version): Command => ({ kind: 'SetRulesVersion', source: 1, number: ++number, version }),
  );
  return {
    sequence: exchange.sequence + 1,
    epoch: 1,
    timeMs: 1_000 as TimeMs,
    previousHash: new Uint8Array(32),
    commands,
  };
}

function setVersions(exchange: Exchange, ...versions: number[]): readonly Event[] {
  return applyFrame(exchange, frameOf(exchange, versions)).events;
}

test('an exchange starts with version 1, and its version never decreases', () => {
  const exchange = createExchange();
  assert.equal(exchange.rulesVersion, 1);
  assert.deepEqual(setVersions(exchange, RULES_VERSION_MAX, 0), [
    { kind: 'RulesVersionSet', command: 1, version: RULES_VERSION_MAX },
    {
      kind: 'CommandRefused',
      command: 2,
      refusal: 'rules_version_must_not_decrease',
      order: 0,
    },
  ]);
  assert.equal(exchange.rulesVersion, RULES_VERSION_MAX);
});

test("a frame with a later release's version is not applied, not even in part", () => {
  const exchange = createExchange();
  const before = hashExchange(exchange);
  const frame = frameOf(exchange, [RULES_VERSION_MAX, RULES_VERSION_MAX + 1]);
  assert.throws(
    () => applyFrame(exchange, frame),
    (fault) =>
      fault instanceof RulesVersionFault &&
      fault.message.startsWith(`the log has rules version ${RULES_VERSION_MAX + 1}, and this`),
  );
  assert.equal(hashExchange(exchange), before);
  assert.equal(exchange.sequence, 0);
  setVersions(exchange, RULES_VERSION_MAX);
});

test('a snapshot has the version, and one from a later release is refused', () => {
  const exchange = createExchange();
  const first = hashExchange(exchange);
  exchange.rulesVersion = RULES_VERSION_MAX;
  const bytes = snapshotExchange(exchange);
  assert.equal(restoreExchange(bytes).rulesVersion, RULES_VERSION_MAX);
  exchange.rulesVersion = RULES_VERSION_MAX + 1;
  assert.notEqual(hashExchange(exchange), first, 'the hash covers the version');
  const later = snapshotExchange(exchange);
  assert.throws(() => restoreExchange(later), RulesVersionFault);
});
