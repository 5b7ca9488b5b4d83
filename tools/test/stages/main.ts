// `npm run test:all`: runs all tests and the quick drills as named stages. Prints the time of each
// finished stage, reports a failed one immediately, and ends with a table of all.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { runTool, UsageFault } from '../../command-line.ts';
import { STAGES, type Stage } from './stages.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** Last lines of a failed stage, repeated at the end: drills print thousands after them. */
const LINES_REPEATED = 20;

interface Ended {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly lastLines: readonly string[];
}

await runTool({
  usage: `Usage: npm run test:all -- [STAGE]...

Runs every test and the quick drills, or the given stages:
  ${STAGES.map(({ name }) => name).join(' ')}`,
  options: {},
  takesPositionals: true,
  async run({ positionals }) {
    const unknown = positionals.find((name) => !STAGES.some((stage) => stage.name === name));
    if (unknown !== undefined) throw new UsageFault(`Unknown stage '${unknown}'.`);
    const isChosen = ({ name }: Stage) => positionals.length === 0 || positionals.includes(name);
    const ended = await runStages(STAGES.filter(isChosen), availableParallelism());
    for (const one of ended) console.log(lineOf(one));
    for (const { lastLines } of ended.filter(({ passed }) => !passed)) {
      for (const line of lastLines) console.log(line);
    }
    if (ended.some(({ passed }) => !passed)) process.exitCode = 1;
  },
});

async function runStages(stages: readonly Stage[], cores: number): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (const stage of stages.filter(({ takesAllCores }) => takesAllCores)) {
    ended.push(await runStage(stage));
  }
  const remaining = stages.filter(({ takesAllCores }) => !takesAllCores);
  const lanes = Array.from({ length: cores }, async () => {
    for (let stage = remaining.shift(); stage !== undefined; stage = remaining.shift()) {
      ended.push(await runStage(stage));
    }
  });
  await Promise.all(lanes);
  return ended;
}

async function runStage({ args, name }: Stage): Promise<Ended> {
  const startedMs = performance.now();
  console.log(`── ${name} starts`);
  const child = spawn(process.execPath, args, {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lastLines: string[] = [];
  const outputs = [child.stdout, child.stderr].map(async (output) => {
    for await (const line of createInterface(output)) {
      console.log(`${name}: ${line}`);
      if (lastLines.push(`${name}: ${line}`) > LINES_REPEATED) lastLines.shift();
    }
  });
  const [code] = await once(child, 'exit');
  await Promise.all(outputs);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const ended = { name, passed: code === 0, seconds, lastLines };
  console.log(lineOf(ended));
  return ended;
}

function lineOf({ name, passed, seconds }: Ended): string {
  return `── ${passed ? '✔' : '✖'} ${name} ${passed ? 'passed' : 'FAILED'} after ${seconds} s`;
}
