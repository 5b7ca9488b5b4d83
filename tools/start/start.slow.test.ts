// `npm start` starts a service that exists and is configured, and says in plain words why not.

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

test('without a name, with two, or with one that is none, it names the services', () => {
  for (const args of [[], ['gateway-http', 'outbox-dispatcher'], ['../tools/start'], ['nobody']]) {
    const { status, stderr } = start(args);
    assert.equal(status, 2, args.join(' '));
    assert.match(
      stderr,
      /^Usage: npm start -- SERVICE\nServices: archivist, .*outbox-dispatcher, .*sequencer\n$/,
    );
  }
});

test('a service without its settings is refused with all that is missing or misspelt', () => {
  const { status, stderr } = start(['projector'], { RIALTO_NATS_URL: 'nats://127.0.0.1:4222' });
  assert.equal(status, 78);
  assert.match(stderr, /^projector can not start\. /);
  assert.match(stderr, /RIALTO_NATS_URLS: found nothing/);
  assert.match(stderr, /RIALTO_POSTGRES_URL: found nothing/);
  assert.match(stderr, /RIALTO_NATS_URL: found a value, want no variable of this name/);
  assert.doesNotMatch(stderr, /\n {4}at /);
});
