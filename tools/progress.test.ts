// Progress output: nothing within a second, then a bar on a terminal or a line elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../infra/process/clock-for-test.ts';
import { Progress } from './progress.ts';

function start(isTerminal: boolean) {
  const clock = new FakeClock();
  let written = '';
  const progress = new Progress('reading', {
    isTerminal,
    clock,
    write: (text) => {
      written += text;
    },
  });
  const passed = (ms: number) => {
    written = '';
    clock.advance(ms);
    return written;
  };
  return { progress, passed };
}

test('work shorter than a second shows nothing', () => {
  for (const isTerminal of [true, false]) {
    const { passed, progress } = start(isTerminal);
    assert.equal(passed(999), '');
    progress.stop();
    assert.equal(passed(60_000), '');
  }
});

test('elsewhere, a line is printed after a second and every ten seconds', () => {
  const { passed, progress } = start(false);
  progress.update(1_500, 6_000);
  assert.equal(passed(1_000), 'reading, 1,500 of 6,000 (25%), 1 s\n');
  assert.equal(passed(9_999), '');
  progress.update(6_000, 6_000);
  assert.equal(passed(1), 'reading, 6,000 of 6,000 (100%), 11 s\n');
  progress.stop();
});

test('on a terminal, a bar fills and disappears', () => {
  const { passed, progress } = start(true);
  progress.update(1, 2);
  assert.equal(
    passed(1_000),
    `\r\u001b[K[${'='.repeat(12)}${' '.repeat(12)}] reading, 1 of 2 (50%), 1 s`,
  );
  progress.stop();
  assert.equal(passed(60_000), '');
});

test('the bar moves without a total', () => {
  const { passed, progress } = start(true);
  const place = (text: string) => text.indexOf('=') - text.lastIndexOf('[');
  const bars = [passed(1_000), passed(200)].map(place);
  assert.deepEqual(bars, [6, 7]);
  progress.stop();
});
