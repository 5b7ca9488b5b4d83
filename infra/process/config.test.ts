// Configuration by example: the values that each kind of setting accepts and rejects, all problems
// in one fault, and no secret in any message.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import {
  ConfigFault,
  type ConfigProblem,
  integer,
  list,
  oneOf,
  optional,
  port,
  readConfig,
  type Setting,
  secret,
  text,
} from './config.ts';
import type { Secret } from './secret.ts';

function faultOf(read: () => unknown): ConfigFault {
  try {
    read();
  } catch (fault) {
    assert.ok(fault instanceof ConfigFault);
    return fault;
  }
  return assert.fail('no problem was reported');
}

function problemsOf(read: () => unknown): readonly ConfigProblem[] {
  return faultOf(read).problems;
}

test('a service reads a list of settings, each with its type', () => {
  const environment = {
    RIALTO_NATS_URLS: 'nats://a:4222, nats://b:4222',
    RIALTO_MODE: 'development',
    RIALTO_HEARTBEAT_MS: '250',
    RIALTO_ARCHIVE_FOLDER: '/var/lib/rialto',
    RIALTO_NATS_PASSWORD: 'xyzzy',
    PATH: '/bin',
  };
  const config = readConfig(environment, {
    natsUrls: list('RIALTO_NATS_URLS'),
    mode: oneOf('RIALTO_MODE', ['production', 'development'], 'production'),
    healthPort: port('RIALTO_HEALTH_PORT', 0),
    heartbeatMs: integer('RIALTO_HEARTBEAT_MS', { min: 10, max: 60_000, fallback: 100 }),
    folder: text('RIALTO_ARCHIVE_FOLDER'),
    natsPassword: secret('RIALTO_NATS_PASSWORD'),
    name: optional(text('RIALTO_NAME')),
  });
  // The types are part of the test: the compiler rejects other or wider ones.
  const typed: {
    natsUrls: readonly string[];
    mode: 'production' | 'development';
    healthPort: number;
    heartbeatMs: number;
    folder: string;
    natsPassword: Secret;
    name: string | undefined;
  } = config;
  const { natsPassword, ...open } = typed;
  assert.equal(natsPassword.reveal(), 'xyzzy');
  assert.deepEqual(open, {
    natsUrls: ['nats://a:4222', 'nats://b:4222'],
    mode: 'development',
    healthPort: 0,
    heartbeatMs: 250,
    folder: '/var/lib/rialto',
    name: undefined,
  });
});

test('a fallback applies only if the variable is not set', () => {
  const settings = {
    text: text('RIALTO_TEXT', { fallback: 'a' }),
    list: list('RIALTO_LIST', { fallback: ['b'] }),
    word: oneOf('RIALTO_WORD', ['c', 'd'], 'c'),
    number: integer('RIALTO_NUMBER', { min: 0, max: 9, fallback: 5 }),
    port: port('RIALTO_PORT', 80),
    name: optional(text('RIALTO_NAME')),
  };
  assert.deepEqual(readConfig({}, settings), {
    text: 'a',
    list: ['b'],
    word: 'c',
    number: 5,
    port: 80,
    name: undefined,
  });
  const names = Object.values(settings).map(({ name }) => name);
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const problems = problemsOf(() => readConfig(empty, settings));
  assert.deepEqual(
    problems.map(({ name, problem }) => [name, problem.slice(0, 5)]),
    names.map((name) => [name, 'is ""']),
  );
});

const ACCEPTED: [Setting<unknown>, string, unknown][] = [
  [text('RIALTO_X'), 'two words', 'two words'],
  [list('RIALTO_X'), 'a', ['a']],
  [list('RIALTO_X'), ' a ,b c', ['a', 'b c']],
  [oneOf('RIALTO_X', ['on', 'off']), 'off', 'off'],
  [integer('RIALTO_X', { min: -5, max: 5 }), '-5', -5],
  [integer('RIALTO_X', { min: -5, max: 5 }), '0', 0],
  [integer('RIALTO_X', { min: -5, max: 5 }), '5', 5],
  [port('RIALTO_X'), '0', 0],
  [port('RIALTO_X'), '65535', 65_535],
];

for (const [setting, found, value] of ACCEPTED) {
  test(`${JSON.stringify(found)} is accepted as ${setting.expected}`, () => {
    assert.deepEqual(readConfig({ RIALTO_X: found }, { x: setting }), { x: value });
  });
}

const inRange = integer('RIALTO_X', { min: -5, max: 5 });
const huge = integer('RIALTO_X', { min: 0, max: Number.MAX_VALUE });

const REJECTED: [Setting<unknown>, string, string][] = [
  [text('RIALTO_X'), 'a ', 'a non-empty text without leading or trailing spaces'],
  [text('RIALTO_X'), '\n', 'a non-empty text without leading or trailing spaces'],
  [list('RIALTO_X'), 'a,', 'a comma-separated list of texts'],
  [list('RIALTO_X'), 'a,,b', 'a comma-separated list of texts'],
  [oneOf('RIALTO_X', ['on', 'off']), 'Off', 'one of on, off'],
  [oneOf('RIALTO_X', ['on', 'off']), 'length', 'one of on, off'],
  [inRange, '6', 'an integer from -5 to 5'],
  [inRange, '-6', 'an integer from -5 to 5'],
  [inRange, '1.5', 'an integer from -5 to 5'],
  [inRange, '1e0', 'an integer from -5 to 5'],
  [inRange, '0x1', 'an integer from -5 to 5'],
  [inRange, '01', 'an integer from -5 to 5'],
  [inRange, '-0', 'an integer from -5 to 5'],
  [inRange, ' 1', 'an integer from -5 to 5'],
  [inRange, 'five', 'an integer from -5 to 5'],
  [huge, '9007199254740993', `an integer from 0 to ${Number.MAX_VALUE}`],
  [port('RIALTO_X'), '65536', 'an integer from 0 to 65535'],
  [port('RIALTO_X'), '-1', 'an integer from 0 to 65535'],
];

for (const [setting, found, expected] of REJECTED) {
  test(`${JSON.stringify(found)} is rejected as ${expected}`, () => {
    const problems = problemsOf(() => readConfig({ RIALTO_X: found }, { x: setting }));
    const problem = `is ${JSON.stringify(found)} (expected ${expected})`;
    assert.deepEqual(problems, [{ name: 'RIALTO_X', problem }]);
  });
}

test('one fault lists every problem, one sentence per line', () => {
  const { message } = faultOf(() =>
    readConfig(
      { RIALTO_PORT: 'eighty', RIALTO_FOLDR: '/tmp', RIALTO_SOMETHING_ELSE: '1' },
      {
        port: port('RIALTO_PORT'),
        folder: text('RIALTO_FOLDER'),
        urls: list('RIALTO_NATS_URLS', { of: 'nats:// URLs' }),
        database: secret('RIALTO_URL', { expected: 'postgres://user:password@host:port/database' }),
      },
    ),
  );
  assert.deepEqual(message.split('\n'), [
    'Invalid configuration: RIALTO_PORT is "eighty" (expected an integer from 0 to 65535)',
    'Invalid configuration: RIALTO_FOLDER is not set ' +
      '(expected a non-empty text without leading or trailing spaces)',
    'Invalid configuration: RIALTO_NATS_URLS is not set ' +
      '(expected a comma-separated list of nats:// URLs)',
    'Invalid configuration: RIALTO_URL is not set ' +
      '(expected postgres://user:password@host:port/database)',
    'Invalid configuration: RIALTO_FOLDR is not a known setting (did you mean RIALTO_FOLDER?)',
    'Invalid configuration: RIALTO_SOMETHING_ELSE is not a known setting ' +
      '(docs/operating/settings.md lists all of them)',
  ]);
});

test('a misspelled variable is a problem even if the setting has a fallback', () => {
  const settings = { level: text('RIALTO_LEVEL', { fallback: 'info' }) };
  const problems = problemsOf(() => readConfig({ RIALTO_LEVLE: 'debug' }, settings));
  assert.deepEqual(
    problems.map(({ name }) => name),
    ['RIALTO_LEVLE'],
  );
});

test('variables that other programs know, or without the prefix, are ignored', () => {
  const environment = { RIALTO_SEED: '7', RIALTOX: 'a', HOME: '/' };
  assert.deepEqual(readConfig(environment, {}, { known: ['RIALTO_SEED'] }), {});
  assert.deepEqual(readConfig(environment, {}, { known: 'any' }), {});
  assert.throws(() => readConfig(environment, {}), /RIALTO_SEED is not a known setting/);
});

test('a secret can be read from a file', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-secret-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'password');
  writeFileSync(file, 'xyzzy\n');
  const settings = { password: secret('RIALTO_PASSWORD') };
  const read = (environment: Record<string, string>) => readConfig(environment, settings);
  assert.equal(read({ RIALTO_PASSWORD_FILE: file }).password.reveal(), 'xyzzy');
  assert.deepEqual(
    problemsOf(() => read({ RIALTO_PASSWORD_FILE: '/none' })),
    [{ name: 'RIALTO_PASSWORD_FILE', problem: 'names /none, which cannot be read (ENOENT)' }],
  );
  assert.deepEqual(
    problemsOf(() => read({ RIALTO_PASSWORD_FILE: file, RIALTO_PASSWORD: 'plugh' })),
    [
      {
        name: 'RIALTO_PASSWORD',
        problem: 'and RIALTO_PASSWORD_FILE are both set (set only one of them)',
      },
    ],
  );
});

test('production rejects unsafe and missing settings; development does not', () => {
  const settings = {
    port: { ...port('RIALTO_PORT', 0), openDoor: (value: number) => (value ? undefined : 'is 0') },
    url: { ...text('RIALTO_URL', { fallback: 'http://here' }), requiredInProduction: true },
  };
  assert.deepEqual(readConfig({}, settings), { port: 0, url: 'http://here' });
  assert.deepEqual(
    problemsOf(() => readConfig({}, settings, { isProduction: true })),
    [
      { name: 'RIALTO_PORT', problem: 'is 0' },
      {
        name: 'RIALTO_URL',
        problem:
          'is not set (expected a non-empty text without leading or trailing spaces; ' +
          'required in production)',
      },
    ],
  );
  const environment = { RIALTO_PORT: '80', RIALTO_URL: 'x' };
  assert.deepEqual(readConfig(environment, settings, { isProduction: true }), {
    port: 80,
    url: 'x',
  });
});

test('no fault shows a secret: rejected, misspelled, or inside a URL', () => {
  const fault = faultOf(() =>
    readConfig(
      {
        RIALTO_PASSWORD: 'xyzzy ',
        RIALTO_PASWORD: 'xyzzy',
        RIALTO_URLS: 'nats://user:xyzzy@a:4222,,nats://xyzzy@b:4222',
      },
      { password: secret('RIALTO_PASSWORD'), urls: list('RIALTO_URLS') },
    ),
  );
  assert.doesNotMatch(fault.message + JSON.stringify(fault.problems), /xyzzy/);
  assert.equal(fault.problems.length, 3);
  assert.equal(
    fault.problems[1].problem,
    'is "nats://[secret]@a:4222,,nats://[secret]@b:4222" ' +
      '(expected a comma-separated list of texts)',
  );
});

test('a secret is required unless it is optional', () => {
  const problems = problemsOf(() => readConfig({}, { key: secret('RIALTO_KEY') }));
  assert.deepEqual(problems, [
    {
      name: 'RIALTO_KEY',
      problem: 'is not set (expected a non-empty text without leading or trailing spaces)',
    },
  ]);
  assert.deepEqual(readConfig({}, { key: optional(secret('RIALTO_KEY')) }), { key: undefined });
});
