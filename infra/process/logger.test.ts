// Log lines as an operator sees them, and the secrets that they must never contain.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logger.ts';
import { Secret } from './secret.ts';

function logTo(lines: string[], level: LogLevel = 'info'): Logger {
  const to = { write: (line: string) => void lines.push(line) };
  return createLogger({ service: 'projector', instance: 'p1', level, to });
}

/** The single line that `write` produces. */
function lineOf(write: (log: Logger) => void): string {
  const lines: string[] = [];
  write(logTo(lines));
  assert.equal(lines.length, 1);
  assert.ok(lines[0].endsWith('}\n'));
  return lines[0];
}

test('a line contains level, time, service, instance, fields and message only', () => {
  const { time, ...rest } = JSON.parse(lineOf((log) => log.info({ sequence: 7 }, 'written')));
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, {
    level: 'info',
    service: 'projector',
    instance: 'p1',
    sequence: 7,
    msg: 'written',
  });
});

test('lines below the level are not written; silent writes none', () => {
  const levels = LOG_LEVELS.filter((level) => level !== 'silent');
  for (const [at, level] of LOG_LEVELS.entries()) {
    const lines: string[] = [];
    const log = logTo(lines, level);
    for (const each of levels) log[each]('said');
    const expected = level === 'silent' ? [] : levels.slice(0, at + 1);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).level),
      expected,
    );
  }
});

test('an error is written with its message, stack and cause', () => {
  const error = new Error('cannot write', { cause: new Error('disk full') });
  const { err } = JSON.parse(lineOf((log) => log.error({ err: error }, 'failed')));
  assert.match(err.message, /cannot write/);
  assert.match(err.stack, /logger\.test\.ts.*disk full/s);
});

const HEADERS = { Authorization: 'Bearer xyzzy', cookie: 'id=xyzzy', 'set-cookie': ['xyzzy'] };

const SECRETS: Record<string, (log: Logger) => void> = {
  'at the top': (log) => log.info({ secret: 'xyzzy', password: 'xyzzy' }),
  'further down': (log) => log.info({ a: { b: { c: { d: { apiSecret: 'xyzzy' } } } } }),
  'in a list': (log) => log.info({ users: [{ password: 'xyzzy' }] }),
  'in headers': (log) => log.info({ request: { headers: HEADERS } }),
  'in an error': (log) => log.error(Object.assign(new Error('no'), { headers: HEADERS })),
  'in the fields of a child': (log) => log.child({ user: { api_secret: 'xyzzy' } }).info('hello'),
  'with quotes and braces in it': (log) => log.info({ secret: '"}, "x":"', b: 1, c: ['"'] }),
  'that is an object': (log) => log.info({ secret: { of: ['xyzzy', { key: 'xyzzy' }] } }),
  'that is a number': (log) => log.info({ password: 1234 }),
  'that is wrapped': (log) => log.info({ key: new Secret('xyzzy'), deep: [new Secret('xyzzy')] }),
};

for (const [where, write] of Object.entries(SECRETS)) {
  test(`a secret ${where} is written as [secret]`, () => {
    const line = lineOf(write);
    assert.doesNotMatch(line, /xyzzy|1234|"\}, /);
    assert.match(line, /"\[secret\]"/);
    assert.equal(JSON.parse(line).service, 'projector');
  });
}

test('hiding a secret leaves all other fields unchanged', () => {
  const write = (log: Logger) =>
    log.info({ amountAtoms: 123_456_789_012_345_678_901n, list: [1.5, null, true], secret: 's' });
  assert.match(
    lineOf(write),
    /"amountAtoms":123456789012345678901,"list":\[1\.5,null,true\],"secret":"\[secret\]"\}/,
  );
});

test('a field whose name only starts like a secret is written', () => {
  const fields = { passwordChangedAt: 5, secrets: 2, note: 'the "secret": garden' };
  const line = JSON.parse(lineOf((log) => log.info(fields)));
  assert.deepEqual({ ...line, ...fields }, line);
});

test('values that JSON cannot represent do not throw', () => {
  const circle: { self?: object; secret: string } = { secret: 'xyzzy' };
  circle.self = circle;
  const bytes = Buffer.from('xy');
  for (const odd of [
    { circle },
    { bytes },
    { a: { bytes } },
    { a: new Uint8Array(2) },
    { n: 5n },
  ]) {
    const line = lineOf((log) => log.info(odd, 'odd'));
    assert.equal(JSON.parse(line).msg, 'odd');
    assert.doesNotMatch(line, /xyzzy/);
  }
});
