// Only the intended process gets a signal, not another one with the same pid.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { isRunning, knownProcess, parseProcessStatus, signalProcess } from './running-processes.ts';

const fieldsAfterState = '1 7 7 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 9 0';

test('state and start time are found after a name with spaces and brackets', () => {
  const line = `7 (a) b (c) S ${fieldsAfterState} 1131416 2 3\n`;
  assert.deepEqual(parseProcessStatus(line), { hasEnded: false, beganTicks: '1131416' });
});

test('a zombie process counts as exited', () => {
  const line = `7 (nats-server) Z ${fieldsAfterState} 1131416 2 3\n`;
  assert.equal(parseProcessStatus(line)?.hasEnded, true);
});

test('a reused pid is a different process and gets no signal', async (context) => {
  const child = spawn('sleep', ['60']);
  context.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const real = knownProcess(child.pid ?? 0);
  const recycled = { ...real, began: 'tick 1 of another boot' };
  assert.equal(isRunning(real), true);
  assert.equal(isRunning(recycled), false);
  signalProcess(recycled, 'SIGKILL');
  signalProcess(real, 'SIGTERM');
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGTERM');
  assert.equal(isRunning(real), false);
});
