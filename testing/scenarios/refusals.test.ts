// Tests that every refusal and every close reason occurs in a story. A rule without a story is
// either untested or dead code.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLOSE_REASONS, REFUSALS } from '../../core/messages/index.ts';
import { parseScenarios } from './parse-scenario.ts';

const folder = join(import.meta.dirname, 'stories');
const outcomes = readdirSync(folder)
  .flatMap((file) => parseScenarios(readFileSync(join(folder, file), 'utf8'), file))
  .flatMap((scenario) => scenario.story.flatMap((row) => row.outcomes));

test('every refusal occurs in a story', () => {
  const met = new Set(
    outcomes.map((text) => /^(?:refused:|repeated: first) (\w+)/.exec(text)?.[1]),
  );
  assert.deepEqual(
    REFUSALS.filter((refusal) => refusal !== 'none' && !met.has(refusal)),
    [],
  );
});

test('every close reason occurs in a story', () => {
  const met = new Set(outcomes.map((text) => /left: (\w+)$/.exec(text)?.[1] ?? 'filled'));
  assert.deepEqual(
    CLOSE_REASONS.filter((reason) => !met.has(reason)),
    [],
  );
});
