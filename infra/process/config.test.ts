// Configuration by example: what each kind of setting takes and refuses, all problems at once,
// and no secret in what is said about them.

import assert from 'node:assert/strict';
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
  return assert.fail('nothing was wrong');
}

function problemsOf(read: () => unknown): readonly ConfigProblem[] {
  return faultOf(read).problems;
}

test('a service reads its settings in one table, with their types', () => {
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
  // The types are part of the test: the compiler refuses another one, or a wider one.
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

test('a fallback stands in only for a variable that is not there', () => {
  const settings = {
    text: text('RIALTO_TEXT', { fallback: 'a' }),
    list: list('RIALTO_LIST', ['b']),
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
    problems.map(({ name, found }) => [name, found]),
    names.map((name) => [name, '""']),
  );
});

const TAKEN: [Setting<unknown>, string, unknown][] = [
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

for (const [setting, found, value] of TAKEN) {
  test(`${JSON.stringify(found)} is taken as ${setting.wanted}`, () => {
    assert.deepEqual(readConfig({ RIALTO_X: found }, { x: setting }), { x: value });
  });
}

const inRange = integer('RIALTO_X', { min: -5, max: 5 });
const huge = integer('RIALTO_X', { min: 0, max: Number.MAX_VALUE });

const REFUSED: [Setting<unknown>, string, string][] = [
  [text('RIALTO_X'), 'a ', 'a text without blanks around it'],
  [text('RIALTO_X'), '\n', 'a text without blanks around it'],
  [list('RIALTO_X'), 'a,', 'texts with commas between them'],
  [list('RIALTO_X'), 'a,,b', 'texts with commas between them'],
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

for (const [setting, found, wanted] of REFUSED) {
  test(`${JSON.stringify(found)} is refused as ${wanted}`, () => {
    const problems = problemsOf(() => readConfig({ RIALTO_X: found }, { x: setting }));
    assert.deepEqual(problems, [{ name: 'RIALTO_X', found: JSON.stringify(found), wanted }]);
  });
}

test('all that is wrong is told at once, line by line', () => {
  const { message } = faultOf(() =>
    readConfig(
      { RIALTO_PORT: 'eighty', RIALTO_FOLDR: '/tmp' },
      { port: port('RIALTO_PORT'), folder: text('RIALTO_FOLDER') },
    ),
  );
  assert.deepEqual(message.split('\n'), [
    'the environment is not as it has to be',
    '  RIALTO_PORT: found "eighty", want an integer from 0 to 65535',
    '  RIALTO_FOLDER: found nothing, want a text without blanks around it',
    '  RIALTO_FOLDR: found a value, want no variable of this name; ' +
      'there are RIALTO_PORT, RIALTO_FOLDER',
  ]);
});

test('a misspelt variable is a problem although there is a fallback', () => {
  const settings = { level: text('RIALTO_LEVEL', { fallback: 'info' }) };
  const problems = problemsOf(() => readConfig({ RIALTO_LEVLE: 'debug' }, settings));
  assert.deepEqual(
    problems.map(({ name }) => name),
    ['RIALTO_LEVLE'],
  );
});

test('what others read, or does not begin like ours, is left alone', () => {
  const environment = { RIALTO_SEED: '7', RIALTOX: 'a', HOME: '/', VENUE_X: 'b' };
  assert.deepEqual(readConfig(environment, {}, { readByOthers: ['RIALTO_SEED'] }), {});
  const problems = problemsOf(() => readConfig(environment, {}, { prefix: 'VENUE_' }));
  assert.deepEqual(
    problems.map(({ name }) => name),
    ['VENUE_X'],
  );
});

test('no secret stands in a fault: refused, misspelt, or inside a URL', () => {
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
  assert.equal(fault.problems[1].found, '"nats://[secret]@a:4222,,nats://[secret]@b:4222"');
});

test('a secret has to be there unless it is optional', () => {
  const problems = problemsOf(() => readConfig({}, { key: secret('RIALTO_KEY') }));
  assert.deepEqual(problems, [
    { name: 'RIALTO_KEY', found: 'nothing', wanted: 'a text without blanks around it' },
  ]);
  assert.deepEqual(readConfig({}, { key: optional(secret('RIALTO_KEY')) }), { key: undefined });
});
