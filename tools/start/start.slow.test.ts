// `npm start` starts services by their names and reports a wrong configuration in plain sentences.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const PROGRAM = join(import.meta.dirname, 'main.ts');
const FOLDER = mkdtempSync(join(tmpdir(), 'rialto-start-'));
after(() => rmSync(FOLDER, { recursive: true }));

/** As `rialto init` writes them: shared settings, and those of each service. */
const SHARED = `RIALTO_MODE=development
RIALTO_NATS_URLS=nats://127.0.0.1:4222
RIALTO_POSTGRES_URL=postgres://127.0.0.1:5432/rialto
RIALTO_STOP_LIMIT_MS=1
`;
writeFileSync(join(FOLDER, 'rialto.env'), SHARED);
writeFileSync(join(FOLDER, 'gateway-http.env'), '');
writeFileSync(join(FOLDER, 'gateway-identity.env'), '');
writeFileSync(join(FOLDER, 'gateway-admin.env'), 'RIALTO_STOP_LIMIT_MS=2\n');

function start(args: readonly string[], settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, ...settings };
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, stderr };
}

const USAGE_FAULTS: [args: string[], sentence: RegExp][] = [
  [[], /^SERVICE is required\.\n/],
  [['gateway'], /^Unknown service 'gateway': expected archivist, /],
  [['../tools/start'], /^Unknown service '\.\.\/tools\/start'/],
  [['gateway-http', 'outbox-dispatcher'], /^Services that share a process need --settings\.\n/],
  [['public'], /^Services that share a process need --settings\.\n/],
  [['projector', 'exchange', '--settings', FOLDER], /^'projector' is named twice\.\n/],
  [
    ['gateway-http', 'gateway-identity', '--settings', FOLDER],
    /^gateway-identity needs its own process: its priority is 15\.\n/,
  ],
];

for (const [args, sentence] of USAGE_FAULTS) {
  test(`${args.join(' ') || 'no argument'} prints the usage and exits with 2`, () => {
    const { status, stderr } = start(args);
    assert.equal(status, 2);
    assert.match(stderr, sentence);
    const [, usage] = stderr.split('\n');
    assert.equal(usage, 'Usage: npm start -- [--settings FOLDER] SERVICE...');
  });
}

test('a service without a settings file exits with 1', () => {
  const { status, stderr } = start(['projector', 'publisher', '--settings', FOLDER]);
  assert.equal(status, 1);
  assert.equal(
    stderr,
    `${join(FOLDER, 'projector.env')} does not exist (expected its settings).\n`,
  );
});

test('services that share a process take their settings from their files', () => {
  const { status, stderr } = start(['gateway-http', 'gateway-admin', '--settings', FOLDER]);
  assert.equal(status, 78);
  const problems = stderr.trimEnd().split('\n');
  assert.deepEqual(problems, [
    'gateway-http:',
    'Invalid configuration: RIALTO_STOP_LIMIT_MS is "1" (expected an integer from 100 to 60000)',
    'gateway-http:',
    'Invalid configuration: RIALTO_STOP_LIMIT_MS is "2" (expected an integer from 100 to 60000)',
  ]);
});

test('a wrong configuration exits with 78 and one sentence per problem', () => {
  const { status, stderr } = start(['projector'], { RIALTO_NATS_URL: 'nats://127.0.0.1:4222' });
  assert.equal(status, 78);
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    'Invalid configuration: RIALTO_HEALTH_PORT is 0, a random port ' +
      '(expected a fixed port in production)',
    'Invalid configuration: RIALTO_NATS_URLS is not set ' +
      '(expected a comma-separated list of nats:// URLs)',
    'Invalid configuration: RIALTO_POSTGRES_URL is not set ' +
      '(expected postgres://user:password@host:port/database)',
    'Invalid configuration: RIALTO_NATS_URL is not a known setting ' +
      '(did you mean RIALTO_NATS_URLS?)',
  ]);
});
