// The command window compared with a plain list.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import type { CommandNumber } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { CommandWindow } from './command-window.ts';

interface Remembered {
  readonly source: number;
  readonly number: number;
  readonly command: number;
  readonly outcome: number;
}

function contentOf(window: CommandWindow): Remembered[] {
  return Array.from({ length: window.size }, (_, age) => recordAt(window, window.fromOldest(age)));
}

function recordAt(window: CommandWindow, entry: number): Remembered {
  return {
    source: window.source(entry),
    number: window.number(entry),
    command: window.command(entry),
    outcome: window.outcome(entry),
  };
}

for (const capacity of [1, 2, 7, 64, 1_000]) {
  test(`a window of ${capacity} remembers the last ${capacity} commands and no other`, () => {
    const random = new Random(chosenSeed());
    const window = new CommandWindow(capacity);
    let model: Remembered[] = [];
    for (let command = 1; command <= capacity * 3 + 200; command++) {
      // Few sources and numbers, so ids repeat soon, remembered or forgotten.
      const id = { source: random.below(3), number: random.below(capacity) };
      const seen = window.find(id);
      const known = model.find((one) => one.source === id.source && one.number === id.number);
      assert.deepEqual(seen === NONE ? undefined : recordAt(window, seen), known);
      if (known === undefined) {
        const outcome = random.below(80);
        window.remember(id, command as CommandNumber, outcome);
        model = [...model, { ...id, command, outcome }].slice(-capacity);
      }
      if (command % 97 === 0) assert.deepEqual(contentOf(window), model);
    }
    assert.equal(window.size, capacity);
    assert.deepEqual(contentOf(window), model);
  });
}

test('ids and numbers up to the largest safe integer stay distinct', () => {
  const window = new CommandWindow(4);
  const largest = Number.MAX_SAFE_INTEGER;
  window.remember({ source: largest, number: 1 }, largest as CommandNumber, 1);
  window.remember({ source: 1, number: largest }, 2 as CommandNumber, 2);
  assert.equal(window.outcome(window.find({ source: largest, number: 1 })), 1);
  assert.equal(window.command(window.find({ source: largest, number: 1 })), largest);
  assert.equal(window.outcome(window.find({ source: 1, number: largest })), 2);
  assert.equal(window.find({ source: largest, number: largest }), NONE);
});
