// Incident 16, FTX: an allow_negative column. Here no such flag exists, and no command from any
// role, valid or corrupted, takes an account below zero.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyFrame, auditExchange, createExchange } from '../../../core/engine/index.ts';
import { FLOW_NAMES, FLOWS } from '../../flows/index.ts';
import { belowZero, drive } from './scripted-exchange.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const NOT_OURS = /^(?:node_modules|testing|docs|\.)/;

test('incident 16: no name in the code allows a negative balance', () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !NOT_OURS.test(path) && /\.(?:ts|sql|json)$/.test(path),
  );
  assert.ok(
    files.some((path) => path.startsWith('core/ledger/')),
    'the ledger must be read too',
  );
  const flag = /allow[_-]?(?:negative|overdraft)|negative[_-]?(?:allowed|balances?[_-]?ok)/i;
  const guilty = files.filter((path) => flag.test(readFileSync(join(ROOT, path), 'utf8')));
  assert.deepEqual(guilty, []);
});

for (const name of FLOW_NAMES) {
  test(`incident 16: no command in the ${name} flow takes an account below zero`, () => {
    const exchange = createExchange();
    drive(FLOWS[name](16), 80, (frame) => {
      const events = applyFrame(exchange, frame);
      assert.deepEqual(belowZero(exchange), []);
      return events;
    });
    auditExchange(exchange);
  });
}
