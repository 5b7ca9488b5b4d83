// `npm start` starts a service by its name and reports a wrong configuration in plain sentences.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const PROGRAM = join(import.meta.dirname, 'main.ts');

function start(args: readonly string[], settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, ...settings };
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('without exactly one known service it prints the usage and exits with 2', () => {
  for (const args of [[], ['gateway-http', 'outbox-dispatcher'], ['../tools/start'], ['nobody']]) {
    const { status, stderr } = start(args);
    assert.equal(status, 2, args.join(' '));
    const usage = /^[^\n]+\.\nUsage: npm start -- SERVICE\nRun with --help for details\.\n$/;
    assert.match(stderr, usage);
  }
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
