// Cancel on disconnect with a fake engine: its commands, their times, and the replies to sockets.
// Two gateways share one bus. A stalled gateway does not count as a client disconnect.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Command, SetDeadManSwitch } from '../../../core/messages/index.ts';
import type { Caller } from '../../../features/auth/index.ts';
import type { Bus } from '../../../infra/bus/index.ts';
import type { Outcome } from '../../../infra/command-link/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import type { Subscriber } from '../topic.ts';
import { CancelOnDisconnect } from './cancel-on-disconnect.ts';
import { SwitchKeeper } from './switch-keeper.ts';

const KEY = { user: 7, key: 70, canTrade: true } as Caller;

interface Told {
  /** `30000@1500`: timeout and time of the command. */
  readonly text: string;
  answer(outcome?: 'refused' | 'unknown'): Promise<void>;
}

let sockets = 0;

class Socket implements Subscriber {
  readonly id = ++sockets;
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
  const keeper = new SwitchKeeper({
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
  const switches = new CancelOnDisconnect(keeper);
  const ask = (socket: Socket, timeout: unknown) =>
    switches.operate({ subscriber: socket, args: [{ timeout }], fields: {} });
  return { clock, bus, told, keeper, switches, ask };
}

const lines = (told: readonly Told[]) => told.map(({ text }) => text);

test('the switch is renewed while the socket is open, and released when it closes', async () => {
  const { ask, clock, keeper, told } = gateway();
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
  assert.equal(keeper.switchCount, 0);
  assert.equal(clock.pendingCount, 0);
});

test('turning it off sends one command and forgets the switch', async () => {
  const { ask, clock, keeper, told } = gateway();
  const socket = new Socket(KEY);
  void ask(socket, 30);
  await told[0].answer();
  const answered = ask(socket, 0);
  await told[1].answer();
  assert.deepEqual(await answered, { message: 'Cancel on disconnect is off' });
  await socket.close();
  await clock.pass(100_000);
  assert.deepEqual(lines(told), ['30000@0', '0@0']);
  assert.equal(keeper.switchCount, 0);
  assert.deepEqual(await ask(socket, 0), { message: 'Cancel on disconnect is off' });
  assert.equal(told.length, 2, 'there is nothing to turn off');
});

test('with several sockets, the last one to close and the shortest timeout count', async () => {
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

test('a socket with the same key on another gateway renews the switch immediately', async () => {
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
  // Sent only after the engine has accepted the previous command, to keep commands in order.
  assert.deepEqual(lines(told), ['30000@0', '60000@0', '1000@0']);
  await told[2].answer();
  assert.deepEqual(lines(told).slice(3), ['60000@100']);
});

test('commands are sent one at a time: a renewal follows the pending release', async () => {
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
  const { ask, clock, keeper, told } = gateway();
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
  assert.equal(keeper.switchCount, 0);
  assert.equal(clock.pendingCount, 0);
});

test('a gateway that shuts down leaves every switch as it is', async () => {
  const { ask, clock, keeper, switches, told } = gateway();
  const socket = new Socket(KEY);
  void ask(socket, 30);
  await told[0].answer();
  switches.stop();
  await socket.close();
  keeper.stop();
  await clock.pass(100_000);
  assert.deepEqual(lines(told), ['30000@0']);
  assert.deepEqual(await ask(socket, 30), { error: 'Temporarily unavailable, try again' });
});

test('a switch requires permission to trade, and whole seconds within the limits', async () => {
  const { ask, switches, told } = gateway();
  assert.deepEqual(await ask(new Socket(undefined), 30), {
    error: 'Bearer or HMAC authentication required',
  });
  assert.deepEqual(await ask(new Socket({ ...KEY, canTrade: false }), 30), {
    error: 'User is not authorized to access this endpoint',
  });
  const subscriber = new Socket(KEY);
  const error = 'Error: wrong input: timeout must be 0 or a whole number of seconds from 5 to 3600';
  for (const wrong of [4, 3_601, -1, 5.5, '30', null, undefined, Number.NaN]) {
    assert.deepEqual(await ask(subscriber, wrong), { error }, String(wrong));
  }
  for (const args of [[], [30], [null], [{ timeout: 30 }, {}]]) {
    const answer = await switches.operate({ subscriber, args, fields: {} });
    assert.deepEqual(answer, { error });
  }
  assert.equal(told.length, 0);
});

/** Responds to every renewal for some seconds while the gateway's event loop runs or stalls. */
async function seconds(world: ReturnType<typeof gateway>, count: number, isStalled: boolean) {
  const { clock, keeper, told } = world;
  for (let second = 0; second < count; second += 1) {
    const answered = told.length;
    await clock.pass(1_000);
    if (!isStalled) keeper.gatewayRan();
    for (const one of told.slice(answered)) await one.answer();
  }
}

test("a gateway that stalls for less than a minute keeps its clients' switches", async () => {
  const world = gateway();
  const { ask, told } = world;
  const socket = new Socket(KEY);
  void ask(socket, 6);
  await told[0].answer();
  await seconds(world, 10, false);
  const before = told.length;
  await seconds(world, 50, true);
  const renewed = told.slice(before).map(({ text }) => text);
  assert.equal(renewed.length, 25, 'every two seconds, as before');
  assert.ok(renewed.every((text) => text.startsWith('6000@')));
  await seconds(world, 1, false);
  await socket.close();
  assert.match(told.at(-1)!.text, /^1000@/);
});

test('a gateway that stalls for longer counts as dead until it runs again', async () => {
  const world = gateway();
  const { ask, keeper, told } = world;
  const socket = new Socket(KEY);
  void ask(socket, 6);
  await told[0].answer();
  await seconds(world, 61, true);
  const before = told.length;
  await seconds(world, 30, true);
  assert.equal(told.length, before, 'no renewals: the switch runs out');
  keeper.gatewayRan();
  assert.equal(told.length, before + 1, 'the socket is still open');
});
