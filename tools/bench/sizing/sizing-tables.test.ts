// Tables of measurements in documents.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LayoutFigures, RateFigures } from './measure-layout.ts';
import { pageTables, readmeTable, withTables } from './sizing-tables.ts';

const ROOT = join(import.meta.dirname, '../../..');

function rate(offered: number | undefined, perSecond: number): RateFigures {
  return {
    offered,
    perSecond,
    p50Ms: 3.14,
    p99Ms: 27.6,
    failed: 0,
    usPerOrder: { exchange: 700, postgres: 1_500 },
    totalUs: 2_200,
    walBytes: 2_500,
    tableBytes: 900,
    logBytes: 300,
  };
}

const process = { loadedMb: 300, startCpuS: 3.25, idlePercent: 1.25, wakeupsPerSecond: 90 };
const few: LayoutFigures = {
  layout: 'few',
  readyS: 4.5,
  otherPercent: 7,
  rates: [rate(10, 10), rate(100, 100), rate(500, 500), rate(2_000, 1_750), rate(undefined, 2_345)],
  processes: [
    { ...process, name: 'exchange', idleMb: 200 },
    { ...process, name: 'gateways', idleMb: 1_000 },
    { ...process, name: 'postgres', idleMb: 90 },
  ],
};
const machine = {
  command: 'npm run bench -- sizing',
  day: '2026-11-19',
  commit: '0123456789ab',
  cores: 2,
  model: 'Xeon',
  node: 'v24.21.0',
  load: 0.3,
};
const measured = { machine, few, split: { ...few, layout: 'split', readyS: 9 } as const };

test('the README compares both layouts', () => {
  const text = readmeTable(measured);
  assert.match(text, /on 2 cores \(Xeon\)\. Load average before: 0\.3\. Other programs used 7% /);
  for (const row of [
    '| Acknowledgment at 2,000 orders/s | p50 3.1 ms, p99 28 ms | p50 3.1 ms, p99 28 ms |',
    '| Memory of all services, without NATS and PostgreSQL | 1,200 MB | 1,200 MB |',
    '| Start of all services | 4.5 s | 9 s |',
  ]) {
    assert.ok(text.includes(`${row}\n`) || text.endsWith(row), text);
  }
});

test('the handbook has every process, the cost of each rate, and bytes per day', () => {
  const text = pageTables(measured);
  for (const row of [
    '| exchange | 200 | 300 | 3.3 | 1.3 | 90 |',
    '| all services | 1,200 | 600 | 6.5 | 2.5 | 180 |',
    '| 2,345 (64 clients) | 3.1 ms | 28 ms | 2,200 | 700 | 1,500 |',
    '| 100 | 300 | 2,500 | 900 | 2.6 GB | 21.6 GB | 7.8 GB |',
  ]) {
    assert.ok(text.includes(`${row}\n`) || text.endsWith(row), text);
  }
});

test('both documents have a place for the tables', () => {
  for (const name of ['README.md', 'docs/operating/sizing.md']) {
    const before = readFileSync(join(ROOT, name), 'utf8');
    const after = withTables(before, 'TABLES');
    assert.match(after, /-->\n\nTABLES\n\n<!--/);
    assert.equal(withTables(after, 'TABLES'), after);
    assert.ok(after.length > 1_000 || name !== 'README.md');
  }
});

test('a document without a place for the tables is rejected', () => {
  assert.throws(() => withTables('# Sizing', 'TABLES'), /Expected '<!-- /);
});
