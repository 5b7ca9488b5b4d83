// Every refusal and every reason to close is met in some story: a rule that no story knows is
// either forgotten here or dead there.

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

test('every refusal is met in a story', () => {
  const met = new Set(
    outcomes.map((text) => /^(?:refused:|repeated: first) (\w+)/.exec(text)?.[1]),
  );
  assert.deepEqual(
    REFUSALS.filter((refusal) => refusal !== 'none' && !met.has(refusal)),
    [],
  );
});

test('every reason to close an order is met in a story', () => {
  const met = new Set(outcomes.map((text) => /left: (\w+)$/.exec(text)?.[1] ?? 'filled'));
  assert.deepEqual(
    CLOSE_REASONS.filter((reason) => !met.has(reason)),
    [],
  );
});
