// Cancel on disconnect with a fake engine: which commands it gets and when, and the replies to
// sockets. Two gateways share one bus.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Command, SetDeadManSwitch } from '../../../core/messages/index.ts';
import type { Caller } from '../../../domain/credentials/index.ts';
import type { Bus } from '../../../infra/bus/index.ts';
import type { Outcome } from '../../../infra/command-link/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import type { Subscriber } from '../topic.ts';
import { CancelOnDisconnect } from './cancel-on-disconnect.ts';

const KEY = { user: 7, key: 70, canTrade: true } as Caller;

interface Told {
  /** `30000@1500`: the timeout, and the time of the command. */
  readonly text: string;
  answer(outcome?: 'refused' | 'unknown'): Promise<void>;
}

class Socket implements Subscriber {
  readonly id = 1;
  readonly isOpen = true;
  readonly caller: Caller | undefined;
  readonly tasks = new Set<() => void>();

  constructor(caller: Caller | undefined) {
    this.caller = caller;
  }

  watchClose(task: () => void) {
    this.tasks.add(task);
    return { stop: () => this.tasks.delete(task) };
  }

  async close(): Promise<void> {
    for (const task of this.tasks) task();
    await turn();
  }
}

function makeBus(): Bus {
  const listeners = new Set<(message: Uint8Array, subject: string) => void>();
  return {
    publish: (subject, message) => {
      for (const receive of listeners) receive(message, subject);
    },
    subscribe: (_subject, receive) => {
      listeners.add(receive);
      return { stop: () => listeners.delete(receive) };
    },
  };
}

function gateway({ clock = new FakeClock(), bus = makeBus(), told = [] as Told[] } = {}) {
  let number = 0;
  const switches = new CancelOnDisconnect({
    clock,
    bus,
    exchange: 'test',
    commandTimeoutMs: 1_000,
    commands: {
      nextId: () => ({ source: 1, number: ++number }),
      send(command: Command, _timeoutMs: number, done: (outcome: Outcome) => void) {
        const { key, timeoutMs, user } = command as SetDeadManSwitch;
        assert.deepEqual([user, key], [7, 70]);
        const answer = async (kind?: 'refused' | 'unknown') => {
          const refusal = kind === 'refused' ? 'dead_man_switches_limit_reached' : 'none';
          done(
            (kind === 'unknown' ? { kind } : { kind: 'answered', result: { refusal } }) as Outcome,
          );
          await turn();
        };
        told.push({ text: `${timeoutMs}@${clock.nowMs()}`, answer });
      },
    },
    watcher: { rejected() {}, released() {} },
  });
  const ask = (socket: Socket, timeout: unknown) =>
    switches.operate({ subscriber: socket, args: [{ timeout }], fields: {} });
  return { clock, bus, told, switches, ask };
}

const lines = (told: readonly Told[]) => told.map(({ text }) => text);

test('the switch is renewed while the socket is open, and released when it closes', async () => {
  const { ask, clock, switches, told } = gateway();
  const socket = new Socket(KEY);
  const answered = ask(socket, 30);
  await told[0].answer();
  assert.deepEqual(await answered, { message: 'Cancel on disconnect after 30 seconds' });
  await clock.pass(10_000);
  await told[1].answer();
  await clock.pass(10_000);
  await told[2].answer();
  await clock.pass(1_500);
  await socket.close();
  assert.deepEqual(lines(told), ['30000@0', '30000@10000', '30000@20000', '1000@21500']);
  await told[3].answer();
  assert.equal(switches.switchCount, 0);
  assert.equal(clock.pendingCount, 0);
});

test('turning it off sends one command and forgets the switch', async () => {
  const { ask, clock, switches, told } = gateway();
  const socket = new Socket(KEY);
  void ask(socket, 30);
  await told[0].answer();
  const answered = ask(socket, 0);
  await told[1].answer();
  assert.deepEqual(await answered, { message: 'Cancel on disconnect is off' });
  await socket.close();
  await clock.pass(100_000);
  assert.deepEqual(lines(told), ['30000@0', '0@0']);
  assert.equal(switches.switchCount, 0);
  assert.deepEqual(await ask(socket, 0), { message: 'Cancel on disconnect is off' });
  assert.equal(told.length, 2, 'there is nothing to turn off');
});

test('with several sockets the last one to close counts, and the shortest timeout', async () => {
  const { ask, clock, told } = gateway();
  const [one, two] = [new Socket(KEY), new Socket(KEY)];
  void ask(one, 60);
  await told[0].answer();
  void ask(two, 9);
  await told[1].answer();
  await two.close();
  await clock.pass(3_000);
  await told[2].answer();
  await one.close();
  assert.deepEqual(lines(told), ['60000@0', '9000@0', '60000@3000', '1000@3000']);
});

test('a socket of the same key at another gateway renews the switch at once', async () => {
  const here = gateway();
  const there = gateway(here);
  const { clock, told } = here;
  const [one, two] = [new Socket(KEY), new Socket(KEY)];
  void here.ask(one, 30);
  await told[0].answer();
  void there.ask(two, 60);
  await told[1].answer();
  await one.close();
  await clock.pass(100);
  // Only after the engine has accepted it, so that commands stay in order.
  assert.deepEqual(lines(told), ['30000@0', '60000@0', '1000@0']);
  await told[2].answer();
  assert.deepEqual(lines(told).slice(3), ['60000@100']);
});

test('commands go one at a time: a renewal waits for the release before it', async () => {
  const { ask, told } = gateway();
  const [old, young] = [new Socket(KEY), new Socket(KEY)];
  void ask(old, 30);
  await told[0].answer();
  await old.close();
  const answered = ask(young, 20);
  assert.deepEqual(lines(told), ['30000@0', '1000@0']);
  await told[1].answer();
  assert.deepEqual(lines(told).slice(2), ['20000@0']);
  await told[2].answer();
  assert.deepEqual(await answered, { message: 'Cancel on disconnect after 20 seconds' });
});

test('a command without an outcome is sent again; a refused one is not', async () => {
  const { ask, clock, switches, told } = gateway();
  const socket = new Socket(KEY);
  const answered = ask(socket, 30);
  await told[0].answer('unknown');
  assert.deepEqual(await answered, {
    error: 'Cancel on disconnect could not be set: outcome unknown',
  });
  await clock.pass(500);
  await told[1].answer();
  await socket.close();
  await told[2].answer('unknown');
  await clock.pass(500);
  assert.deepEqual(lines(told), ['30000@0', '30000@500', '1000@500', '1000@1000']);
  await told[3].answer();
  const refused = ask(socket, 30);
  await told[4].answer('refused');
  const error = 'Cancel on disconnect could not be set: dead_man_switches_limit_reached';
  assert.deepEqual(await refused, { error });
  assert.equal(switches.switchCount, 0);
  assert.equal(clock.pendingCount, 0);
});

test('a gateway that shuts down leaves every switch as it is', async () => {
  const { ask, clock, switches, told } = gateway();
  const socket = new Socket(KEY);
  void ask(socket, 30);
  await told[0].answer();
  switches.stop();
  await socket.close();
  await clock.pass(100_000);
  assert.deepEqual(lines(told), ['30000@0']);
  assert.deepEqual(await ask(socket, 30), { error: 'Temporarily unavailable, try again' });
});

test('it requires the permission to trade, and whole seconds within bounds', async () => {
  const { ask, switches, told } = gateway();
  assert.deepEqual(await ask(new Socket(undefined), 30), {
    error: 'Bearer or HMAC authentication required',
  });
  assert.deepEqual(await ask(new Socket({ ...KEY, canTrade: false }), 30), {
    error: 'User is not authorized to access this endpoint',
  });
  const subscriber = new Socket(KEY);
  for (const wrong of [4, 3_601, -1, 5.5, '30', null, undefined, Number.NaN]) {
    assert.deepEqual(await ask(subscriber, wrong), { error: 'Error: wrong input' }, String(wrong));
  }
  for (const args of [[], [30], [null], [{ timeout: 30 }, {}]]) {
    const answer = await switches.operate({ subscriber, args, fields: {} });
    assert.deepEqual(answer, { error: 'Error: wrong input' });
  }
  assert.equal(told.length, 0);
});
