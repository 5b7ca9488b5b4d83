// Every program in tools/ and testing/ handles --help before it connects to anything.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const PROGRAMS = globSync('{tools,testing}/**/main.ts', { cwd: ROOT }).sort();

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[]): Promise<Ending> {
  const { NODE_COMPILE_CACHE, PATH } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE };
  const child = spawn(process.execPath, [program, ...args], { cwd: ROOT, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })));
}

test('the programs are found', () => {
  assert.ok(PROGRAMS.includes('tools/dev/main.ts') && PROGRAMS.length > 20, PROGRAMS.join('\n'));
});

describe('--help', { concurrency: 2 }, () => {
  for (const program of PROGRAMS) {
    test(`${program} prints its usage and exits with 0`, { timeout: 60_000 }, async () => {
      const { code, stderr, stdout } = await run(program, ['--help']);
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^Usage: /);
    });
  }
});

const MISTAKES: [command: string, sentence: RegExp, usage: RegExp][] = [
  ['tools/dev/main.ts --what', /^Unknown option '--what'\.$/, /^Usage: npm run dev/],
  ['tools/bench/main.ts nothing', /^Unknown benchmark 'nothing'\.$/, /^Usage: npm run bench/],
  ['tools/migrate/main.ts sideways', /^Unknown command 'sideways'\.$/, /^Usage: npm run mig/],
  ['tools/services/main.ts start --nats 2', /^Invalid --nats '2': expected 1 or 3\.$/, /^Usage: /],
  ['testing/simulator/main.ts --seed x', /^Invalid --seed 'x': expected a whole/, /^Usage: /],
];

describe('wrong usage', { concurrency: 2 }, () => {
  for (const [command, sentence, usage] of MISTAKES) {
    test(`${command} is one sentence, the usage line and exit code 2`, async () => {
      const [program, ...args] = command.split(' ');
      const { code, stderr, stdout } = await run(program, args);
      const lines = stderr.trimEnd().split('\n');
      assert.match(lines[0], sentence);
      assert.match(lines[1], usage);
      assert.deepEqual(lines.slice(2), ['Run with --help for details.']);
      assert.deepEqual([code, stdout], [2, '']);
    });
  }
});

test('a missing setting is one sentence and exit code 2', async () => {
  const { code, stderr } = await run('tools/migrate/main.ts', []);
  assert.equal(
    stderr,
    'Invalid configuration: RIALTO_POSTGRES_URL is not set ' +
      '(expected postgres://user:password@host:port/database)\n',
  );
  assert.equal(code, 2);
});
