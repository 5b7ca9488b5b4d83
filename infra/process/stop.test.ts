// Shutdown: within one process with simulated signals, and in real processes with real signals.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { createInterface } from 'node:readline';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from './clock.ts';
import { createLogger } from './logger.ts';
import { stopOnSignals } from './stop.ts';

/** Records every call in one list, in order. */
function simulate(stop: (reason: string) => Promise<void>) {
  const happened: string[] = [];
  const signals = new EventEmitter();
  const due: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after(delayMs, task) {
      happened.push(`after ${delayMs}`);
      due.push(task);
      return { cancel: () => {} };
    },
  };
  const to = { write: (line: string) => void happened.push(JSON.parse(line).msg) };
  stopOnSignals({
    log: createLogger({ service: 's', instance: 'i', level: 'info', to }),
    limitMs: 5_000,
    stop(reason) {
      happened.push(`stop for ${reason}`);
      return stop(reason);
    },
    clock,
    signals,
    exit: (code) => void happened.push(`exit ${code}`),
  });
  return { happened, signals, due };
}

/** Lets pending promises settle. */
function settled(): Promise<void> {
  return new Promise((resolve) => systemClock.soon(resolve));
}

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} stops in order and exits with 0`, async () => {
    const { happened, signals } = simulate(async () => {});
    assert.deepEqual(happened, []);
    signals.emit(signal);
    await settled();
    const expected = ['stopping', 'after 5000', `stop for ${signal}`, 'stopped', 'exit 0'];
    assert.deepEqual(happened, expected);
  });
}

test('a second signal does not stop twice; it exits with 1', () => {
  for (const second of ['SIGTERM', 'SIGINT']) {
    const { happened, signals } = simulate(() => new Promise(() => {}));
    signals.emit('SIGTERM');
    signals.emit(second);
    assert.deepEqual(happened.slice(2), ['stop for SIGTERM', `${second} while stopping`, 'exit 1']);
  }
});

test('a stop that exceeds the limit exits with 1', () => {
  const { happened, signals, due } = simulate(() => new Promise(() => {}));
  signals.emit('SIGTERM');
  due[0]();
  assert.deepEqual(happened.slice(2), ['stop for SIGTERM', 'stopping took too long', 'exit 1']);
});

test('a stop that throws or rejects exits with 1', async () => {
  const failures = [
    () => Promise.reject(new Error('no')),
    () => {
      throw new Error('no');
    },
  ];
  for (const stop of failures) {
    const { happened, signals } = simulate(stop);
    signals.emit('SIGTERM');
    await settled();
    assert.deepEqual(happened.slice(2), ['stop for SIGTERM', 'stopping failed', 'exit 1']);
  }
});

test('a bug exits with 70 without an orderly stop, even during one', () => {
  for (const kind of ['uncaughtException', 'unhandledRejection']) {
    const { happened, signals } = simulate(() => new Promise(() => {}));
    signals.emit(kind, new Error('bug'));
    assert.deepEqual(happened, [kind, 'exit 70']);
    signals.emit('SIGTERM');
    signals.emit(kind, 'not even an error');
    assert.deepEqual(happened.slice(-2), [kind, 'exit 70']);
  }
});

test('a failing logger does not keep a broken process alive', () => {
  const codes: number[] = [];
  const signals = new EventEmitter();
  const to = {
    write() {
      throw new Error('no space');
    },
  };
  const log = createLogger({ service: 's', instance: 'i', level: 'info', to });
  const exit = (code: number) => void codes.push(code);
  stopOnSignals({ log, limitMs: 1, stop: async () => {}, signals, exit });
  assert.throws(() => signals.emit('uncaughtException', new Error('bug')), /no space/);
  assert.deepEqual(codes, [70]);
});

type Ending = { code: number | null; signal: string | null; logged: string[]; lastError?: string };

/** Runs the program and sends it each signal once, when it logs the message next to it. */
async function run(
  t: TestContext,
  { behaviour, limitMs = 60_000 }: { behaviour: string; limitMs?: number },
  answers: Record<string, NodeJS.Signals>,
): Promise<Ending> {
  const program = fileURLToPath(new URL('./stopping-program.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [program, behaviour, String(limitMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const unanswered = new Map(Object.entries(answers));
  const logged: string[] = [];
  let lastError: string | undefined;
  for await (const [line] of on(createInterface(child.stdout!), 'line', { close: ['close'] })) {
    const { msg, err } = JSON.parse(line);
    logged.push(msg);
    lastError = err?.message;
    const signal = unanswered.get(msg);
    unanswered.delete(msg);
    if (signal !== undefined) child.kill(signal);
  }
  const [code, signal] = await ended;
  return { code, signal, logged, ...(lastError === undefined ? {} : { lastError }) };
}

const DEADLINE = { timeout: 30_000 };

test('a real process stops in order', DEADLINE, async (t) => {
  assert.deepEqual(await run(t, { behaviour: 'stops' }, { running: 'SIGTERM' }), {
    code: 0,
    signal: null,
    logged: ['running', 'stopping', 'releasing', 'stopped'],
  });
});

test('a second signal ends a real process that hangs', DEADLINE, async (t) => {
  const answers = { running: 'SIGINT', releasing: 'SIGTERM' } as const;
  assert.deepEqual(await run(t, { behaviour: 'hangs' }, answers), {
    code: 1,
    signal: null,
    logged: ['running', 'stopping', 'releasing', 'SIGTERM while stopping'],
  });
});

test('the limit ends a real process that hangs', DEADLINE, async (t) => {
  assert.deepEqual(await run(t, { behaviour: 'hangs', limitMs: 50 }, { running: 'SIGTERM' }), {
    code: 1,
    signal: null,
    logged: ['running', 'stopping', 'releasing', 'stopping took too long'],
  });
});

for (const [behaviour, kind, lastError] of [
  ['throws', 'uncaughtException', 'a bug in work'],
  ['rejects', 'unhandledRejection', 'a bug in a promise'],
]) {
  test(
    `a real process that ${behaviour} logs the reason and exits immediately`,
    DEADLINE,
    async (t) => {
      assert.deepEqual(await run(t, { behaviour }, {}), {
        code: 70,
        signal: null,
        logged: ['running', kind],
        lastError,
      });
    },
  );
}
