// Every change in a release that matters to operators is a finding with its consequence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Migration } from '../../infra/postgres/index.ts';
import { checkUpgrade, type ExchangeFacts } from './check-upgrade.ts';
import { type ReleaseFacts, readRelease } from './release-facts.ts';

function migrationsUpTo(count: number): Migration[] {
  return Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    name: `step-${at + 1}`,
    text: '',
    checksum: `checksum ${at + 1}`,
  }));
}

const OLD: ReleaseFacts = {
  version: '0.1.0',
  schemaVersion: 5,
  rulesVersionMin: 1,
  rulesVersionMax: 2,
  registryMigrations: migrationsUpTo(3),
  projectionMigrations: migrationsUpTo(2),
  screens: ['terminal', 'console'],
};
const EXCHANGE: ExchangeFacts = {
  registry: migrationsUpTo(3),
  projection: migrationsUpTo(2),
  log: { frame: 900, snapshot: 850, rules: 2 },
  refusedSettings: { projector: [] },
};

function findings(change: Partial<ReleaseFacts>, exchange: Partial<ExchangeFacts> = {}) {
  const all = checkUpgrade(OLD, { ...OLD, ...change }, { ...EXCHANGE, ...exchange });
  return all
    .filter(({ state }) => state !== 'good')
    .map(({ check, detail, more = [], state }) => [state, check, [detail, ...more].join(' | ')]);
}

test('the same release changes nothing, and the way back is open', () => {
  assert.deepEqual(findings({ version: '0.1.1' }), []);
});

test('pending migrations are listed, and close the way back', () => {
  assert.deepEqual(findings({ version: '0.2.0', registryMigrations: migrationsUpTo(5) }), [
    [
      'warning',
      'registry migrations',
      '2 migrations will be applied by rialto migrate | 0004 step-4 | 0005 step-5',
    ],
    [
      'warning',
      'downgrade',
      'not possible after the upgrade; create a backup first | ' +
        'the old release rejects the migrated schemas',
    ],
  ]);
});

test('a database that is newer than the release is refused', () => {
  const [[state, check, detail]] = findings({}, { projection: migrationsUpTo(4) });
  assert.deepEqual([state, check], ['bad', 'projection migrations']);
  assert.match(detail, /has a migration 3 that this release does not have/);
});

test('new layouts need readers first; older layouts cannot read the log', () => {
  const rows = findings({ schemaVersion: 6 });
  assert.deepEqual(
    rows.map(([state, check]) => [state, check]),
    [
      ['warning', 'log layouts'],
      ['warning', 'downgrade'],
    ],
  );
  assert.match(rows[1][2], /cannot read frames from the new one/);
  assert.deepEqual(findings({ schemaVersion: 4 })[0].slice(0, 2), ['bad', 'log layouts']);
});

test('rules in force must be runnable', () => {
  const log = { frame: 900, snapshot: 850, rules: 2 };
  const [[state, check]] = findings({ rulesVersionMin: 3, rulesVersionMax: 4 }, { log });
  assert.deepEqual([state, check], ['bad', 'rules']);
  const all = checkUpgrade(OLD, { ...OLD, rulesVersionMax: 3 }, EXCHANGE);
  const details = all.map(({ detail }) => detail).join('\n');
  assert.match(details, /SetRulesVersion 3 enables the new rules/);
  assert.match(details, /possible until the rules change/);
});

test('an unreadable log, refused settings and a skipped release are bad', () => {
  assert.deepEqual(
    findings(
      { version: '0.3.0' },
      { log: { fault: 'snapshot 850 has format 9' }, refusedSettings: { worker: ['X is gone'] } },
    ),
    [
      ['bad', 'release', '0.1.0 to 0.3.0; upgrade one minor release at a time'],
      [
        'bad',
        'snapshot and log',
        'this release cannot continue the archived log: snapshot 850 has format 9',
      ],
      ['bad', 'worker settings', '1 invalid setting | X is gone'],
    ],
  );
});

test('a release without the screens of operators is bad', () => {
  assert.deepEqual(findings({ screens: ['terminal'] }), [
    ['bad', 'web apps', 'this release has no built console; unpack it again'],
  ]);
});

test('the facts of a release come from its folder', async () => {
  const facts = await readRelease(`${import.meta.dirname}/../..`);
  assert.ok(facts.schemaVersion > 0 && facts.rulesVersionMax >= facts.rulesVersionMin);
  assert.ok(facts.registryMigrations.length >= 17 && facts.projectionMigrations.length >= 11);
  await assert.rejects(readRelease('/tmp'), /is not a Rialto release/);
});
