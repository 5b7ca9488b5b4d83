// Runs every story in stories/ as one test: on the engine, on the reference and on an engine that
// restarts before every frame. All three must emit the same events.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { compileScenario } from './compile-scenario.ts';
import { parseScenarios } from './parse-scenario.ts';
import { runScenario } from './run-scenario.ts';
import { VENUES } from './venues.ts';

const folder = new URL('stories/', import.meta.url);
const files = readdirSync(folder).sort();
const titles = new Set<string>();
let ran = 0;

for (const file of files) {
  const scenarios = parseScenarios(readFileSync(new URL(file, folder), 'utf8'), file);
  describe(file, () => {
    for (const scenario of scenarios) {
      test(scenario.title, () => {
        assert.ok(!titles.has(scenario.title), 'two scenarios have this title');
        titles.add(scenario.title);
        const compiled = compileScenario(scenario);
        const outputs = Object.entries(VENUES).map(([name, open]) => {
          try {
            return runScenario(scenario, compiled, open());
          } catch (error) {
            throw new Error(`on the ${name}, ${file} ${(error as Error).message}`, {
              cause: error,
            });
          }
        });
        for (const output of outputs.slice(1)) assert.deepEqual(output, outputs[0]);
        ran += 1;
      });
    }
  });
}

after(() => console.log(`${ran} scenarios ran, on ${Object.keys(VENUES).length} exchanges each`));
