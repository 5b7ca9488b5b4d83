// The supervisor of `npm run dev`: a killed process is restarted immediately, one that keeps
// exiting is restarted with growing pauses, and none is started twice.

import assert from 'node:assert/strict';
import test from 'node:test';
import { type Supervised, Supervisor } from './supervisor.ts';

class FakeProcess implements Supervised {
  readonly name = 'projector';
  pid: number | undefined = 1;
  starts: number[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async start(): Promise<void> {
    this.starts.push(this.#nowMs());
    this.pid = this.starts.length + 1;
  }

  log(): string {
    return 'its last line';
  }
}

test('a process that exited is restarted immediately, and later with growing pauses', async () => {
  let nowMs = 1_000_000;
  const printed: string[] = [];
  const process = new FakeProcess(() => nowMs);
  const print = (line: string) => printed.push(line);
  const supervisor = new Supervisor({ processes: [process], nowMs: () => nowMs, print });
  await supervisor.tick();
  assert.deepEqual(process.starts, []);
  for (let second = 0; second < 60; second += 1) {
    process.pid = undefined;
    await supervisor.tick();
    nowMs += 1_000;
  }
  assert.deepEqual(
    process.starts.map((atMs) => (atMs - 1_000_000) / 1_000),
    [0, 1, 3, 7, 15, 31],
  );
  assert.ok(printed.includes('its last line'));
});

test('a slow restart is not started again, and a fault is printed', async () => {
  const printed: string[] = [];
  let fail = (_fault: Error) => {};
  const slow: Supervised = {
    name: 'publisher',
    pid: undefined,
    log: () => '',
    start: () =>
      new Promise((_done, reject) => {
        fail = reject;
      }),
  };
  const print = (line: string) => printed.push(line);
  const supervisor = new Supervisor({ processes: [slow], nowMs: () => 0, print });
  const first = supervisor.tick();
  await supervisor.tick();
  fail(new Error('no port'));
  await first;
  assert.equal(printed.filter((line) => line.includes('restarting')).length, 1);
  assert.equal(printed.at(-1), 'Error: no port');
});
