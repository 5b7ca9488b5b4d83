// The main program of a service: exit codes and messages of every way in which a start can fail.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import test from 'node:test';
import { FakeClock } from './clock-for-test.ts';
import { type ConfigOf, integer, oneOf, optional, readConfig, text } from './config.ts';
import { describeFault } from './describe-fault.ts';
import { LOG_LEVELS } from './logger.ts';
import { defineService, runServices, type ServiceStart } from './run-service.ts';

const settings = {
  instance: text('RIALTO_INSTANCE', { fallback: 'example-1' }),
  commit: optional(text('RIALTO_COMMIT')),
  logLevel: oneOf('RIALTO_LOG_LEVEL', LOG_LEVELS, 'info'),
  stopLimitMs: integer('RIALTO_STOP_LIMIT_MS', { min: 100, max: 60_000, fallback: 10_000 }),
  folder: text('RIALTO_FOLDER'),
};
const VALID = { RIALTO_FOLDER: '/data', RIALTO_LOG_LEVEL: 'silent' };

type Start = (starting: ServiceStart<ConfigOf<typeof settings>>) => Promise<{
  healthPort: number;
  stop(): Promise<void>;
}>;

function example(service: string, start: Start) {
  return defineService({ service, readConfig: (from) => readConfig(from, settings), start });
}

async function run(
  start: Start,
  environment: NodeJS.ProcessEnv = VALID,
  isRightRuntime?: () => boolean,
) {
  const printed: string[] = [];
  const codes: number[] = [];
  const signals = new EventEmitter();
  const service = example('example', start);
  await runServices([{ service, environment }], {
    clock: new FakeClock(),
    signals,
    printError: (line) => void printed.push(line),
    exit: (code) => void codes.push(code),
    ...(isRightRuntime === undefined ? {} : { isRightRuntime }),
  });
  return { printed, codes, signals };
}

function appWith(stop: () => Promise<void>): Start {
  return async () => ({ healthPort: 1, stop });
}

test('a service starts, stops on SIGTERM and exits with 0', async () => {
  let stops = 0;
  const { codes, printed, signals } = await run(
    appWith(async () => {
      stops += 1;
    }),
  );
  assert.deepEqual([codes, printed], [[], []]);
  signals.emit('SIGTERM');
  await new Promise((done) => setImmediate(done));
  assert.deepEqual([codes, stops], [[0], 1]);
});

test('a runtime that computes incorrectly exits with 78 before anything else happens', async () => {
  const start = async () => assert.fail('it must not start');
  const { codes, printed } = await run(start, {}, () => false);
  assert.deepEqual(codes, [78]);
  assert.match(printed.join('\n'), /^example cannot start: Node v\S+ computes wrong results/);
});

test('an invalid configuration exits with 78 and one sentence per problem', async () => {
  const environment = { RIALTO_LOG_LEVEL: 'loud' };
  const { codes, printed } = await run(async () => assert.fail('it must not start'), environment);
  assert.deepEqual(codes, [78]);
  assert.deepEqual(printed, [
    'Invalid configuration: RIALTO_LOG_LEVEL is "loud" ' +
      '(expected one of fatal, error, warn, info, debug, trace, silent)\n' +
      'Invalid configuration: RIALTO_FOLDER is not set ' +
      '(expected a non-empty text without leading or trailing spaces)',
  ]);
});

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
  code: 'ECONNREFUSED',
});

class MissingKey extends Error {
  readonly isConfiguration = true;
}

const FAULTS: [what: string, fault: Error, code: number, sentence: string][] = [
  ['a refused connection', refused, 69, 'connect ECONNREFUSED 127.0.0.1:5432'],
  [
    'a fault with a cause',
    new Error('no log', { cause: refused }),
    69,
    `no log: ${refused.message}`,
  ],
  ['a configuration fault', new MissingKey('the key is missing'), 78, 'the key is missing'],
  ['a setting out of range', new RangeError('the name is too long'), 78, 'the name is too long'],
];

for (const [what, fault, code, sentence] of FAULTS) {
  test(`${what} at startup exits with ${code} and one sentence`, async () => {
    const { codes, printed } = await run(() => Promise.reject(fault));
    assert.deepEqual(codes, [code]);
    assert.deepEqual(printed, [`example cannot start: ${sentence}`]);
  });
}

test('a bug at startup keeps its stack', async () => {
  const bug = new TypeError('undefined is not a function');
  await assert.rejects(
    run(() => Promise.reject(bug)),
    bug,
  );
});

test('a running service fails with 70, or with the code that it chooses', async () => {
  const { codes } = await run(async ({ fail }) => {
    fail('log damaged');
    fail('superseded', { exitCode: 75, cause: refused });
    return { healthPort: 1, stop: async () => {} };
  });
  assert.deepEqual(codes, [70, 75]);
});

test('services that share a process stop one after another, the last one first', async () => {
  const stopped: string[] = [];
  const stopping = (name: string): Start =>
    appWith(async () => {
      await new Promise((done) => setImmediate(done));
      stopped.push(name);
    });
  const names = ['sequencer', 'projector', 'gateway-http'];
  const runs = names.map((name) => ({
    service: example(name, stopping(name)),
    environment: VALID,
  }));
  const signals = new EventEmitter();
  const exited = Promise.withResolvers<number>();
  const printError = (line: string) => assert.fail(line);
  const ports = { clock: new FakeClock(), signals, printError, exit: exited.resolve };
  await runServices(runs, ports);
  signals.emit('SIGTERM');
  assert.equal(await exited.promise, 0);
  assert.deepEqual(stopped, names.toReversed());
});

test('a fault in one of them ends the process', async () => {
  const codes: number[] = [];
  const faulty: Start = async ({ fail }) => {
    fail('log damaged');
    return { healthPort: 1, stop: async () => {} };
  };
  const runs = [appWith(async () => {}), faulty].map((start, at) => ({
    service: example(`example-${at}`, start),
    environment: VALID,
  }));
  const ports = { clock: new FakeClock(), signals: new EventEmitter() };
  await runServices(runs, { ...ports, exit: (code) => void codes.push(code) });
  assert.deepEqual(codes, [70]);
});

test('an invalid configuration names its service', async () => {
  const printed: string[] = [];
  const codes: number[] = [];
  const start = async () => assert.fail('it must not start');
  const runs = [{}, VALID, { RIALTO_FOLDER: '' }].map((environment, at) => ({
    service: example(`example-${at}`, start),
    environment,
  }));
  await runServices(runs, {
    signals: new EventEmitter(),
    printError: (line) => void printed.push(line),
    exit: (code) => void codes.push(code),
  });
  const expected = 'expected a non-empty text without leading or trailing spaces';
  assert.deepEqual(printed, [
    `example-0:\nInvalid configuration: RIALTO_FOLDER is not set (${expected})`,
    `example-2:\nInvalid configuration: RIALTO_FOLDER is "" (${expected})`,
  ]);
  assert.deepEqual(codes, [78]);
});

test('the faults of all addresses of a host are described', () => {
  const both = new AggregateError([new Error('connect ::1'), new Error('connect 127.0.0.1')]);
  assert.equal(describeFault(both), 'connect ::1; connect 127.0.0.1');
  assert.equal(describeFault('text'), 'text');
});
