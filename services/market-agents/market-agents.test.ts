// Parts of the market agents that need no exchange: dial, rate, keys and decimals.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { decimalOf } from './agent-account.ts';
import { type Dial, DialFile, parseDial } from './dial-file.ts';
import { readAgentKeys } from './keys-file.ts';
import { OrderRate } from './order-rate.ts';

const DIAL: Dial = { ordersPerSecond: 20, mode: 'normal' };

test('a dial changes one field or both, and an invalid one is explained', () => {
  assert.deepEqual(parseDial('{"mode":"wild"}', DIAL), { ...DIAL, mode: 'wild' });
  assert.deepEqual(parseDial('{"ordersPerSecond":7.5}', DIAL), { ...DIAL, ordersPerSecond: 7.5 });
  assert.equal(parseDial('{', DIAL), 'the dial is not JSON');
  assert.match(
    String(parseDial('{"mode":"mad"}', DIAL)),
    /^mode is 'mad' \(expected one of normal/,
  );
  assert.match(String(parseDial('{"ordersPerSecond":0}', DIAL)), /expected 1 to 10000/);
});

test('a valid file changes the dial, and an invalid one is reported once', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-dial-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'agents.json');
  const faults: string[] = [];
  const file = new DialFile(path, DIAL, (reason) => faults.push(reason));
  assert.deepEqual(file.read(), DIAL);
  writeFileSync(path, '{"mode":"calm"}');
  assert.equal(file.read().mode, 'calm');
  writeFileSync(path, 'calm');
  assert.equal(file.read().mode, 'calm');
  assert.equal(file.read().mode, 'calm');
  assert.deepEqual(faults, ['the dial is not JSON']);
});

test('the rate follows the dial in a market with other numbers than expected', () => {
  const rate = new OrderRate();
  rate.set(20);
  // This market produces 90 orders per second at rate 1.
  for (let second = 0; second < 120; second += 1) rate.look(90 * rate.rate);
  assert.ok(Math.abs(90 * rate.rate - 20) < 1, String(90 * rate.rate));
  rate.set(40);
  assert.ok(Math.abs(90 * rate.rate - 40) < 2);
});

test('keys are read by account; a file without them is an operator error', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-agent-keys-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'keys.json');
  writeFileSync(path, '{"one":{"key":"k","secret":"s","other":1}}');
  assert.deepEqual([...readAgentKeys(path)], [['one', { key: 'k', secret: 's' }]]);
  writeFileSync(path, '{"one":{"key":"k"}}');
  assert.throws(() => readAgentKeys(path), /'one' has no key and secret/);
  assert.throws(() => readAgentKeys(join(folder, 'none')), RangeError);
});

test('ticks and lots become decimals without floating-point digits', () => {
  assert.equal(decimalOf(5_732_644, 0.01), '57326.44');
  assert.equal(decimalOf(3, 0.0001), '0.0003');
  assert.equal(decimalOf(48_213, 0.000001), '0.048213');
  assert.equal(decimalOf(12, 1), '12');
});
