// A bus with direct links: everything arrives, each path preserves its order, and messages on one
// path overtake messages on the other.

import assert from 'node:assert/strict';
import test from 'node:test';
import { linkSubjects } from '../../infra/command-link/index.ts';
import { Random } from '../flows/random.ts';
import { BusWithLinks } from './bus-with-links.ts';
import { SimulatedBus } from './simulated-bus.ts';
import { VirtualTime } from './virtual-time.ts';

const SUBJECTS = linkSubjects('rialto');
const ALL = Array.from({ length: 40 }, (_, at) => at + 1);

function openWorld(changeRate: number) {
  const numbers = new Random(1);
  const random = () => numbers.word() / 2 ** 32;
  const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 0 });
  const faults = { random, rates: {}, onFault: () => {}, lateMs: { leastMs: 5, mostMs: 9 } };
  const bus = new SimulatedBus(time, { ...faults, delayMs: { leastMs: 1, mostMs: 2 } });
  const links = new SimulatedBus(time, { ...faults, delayMs: { leastMs: 0.1, mostMs: 0.2 } });
  const connect = (name: string) => {
    const clock = time.process(0);
    const ways = { bus: bus.connect(name, clock), links: links.connect(name, clock) };
    return new BusWithLinks({ ...ways, subjects: SUBJECTS, changeRate, random });
  };
  return { bus, links, gateway: connect('gateway'), leader: connect('leader'), time };
}

/** Sends forty batches and returns what the leader received. */
function talk({ gateway, leader, time }: ReturnType<typeof openWorld>): number[] {
  const received: number[] = [];
  leader.subscribe(SUBJECTS.commands, (message) => received.push(message[0]));
  for (const word of ALL) gateway.publish(SUBJECTS.commandsFrom('sandbox'), Uint8Array.of(word));
  time.runUntil(1_000);
  return received;
}

test('batches stay in order on one path and overtake each other on two', () => {
  assert.deepEqual(talk(openWorld(0)), ALL);
  const received = talk(openWorld(0.3));
  assert.notDeepEqual(received, ALL);
  assert.deepEqual(
    received.toSorted((one, other) => one - other),
    ALL,
  );
});

test('a process without the bus is still reachable over a link', () => {
  const world = openWorld(0.3);
  world.bus.isolate('leader');
  const received = talk(world);
  assert.ok(received.length > 0 && received.length < ALL.length);
});

test('only batches and results use a link', () => {
  const world = openWorld(1);
  const { gateway, leader, links, time } = world;
  links.isolate('gateway');
  const received: string[] = [];
  const results = SUBJECTS.resultsFor('sandbox', 12);
  for (const subject of [SUBJECTS.leader, results]) {
    gateway.subscribe(subject, (_message, from) => received.push(from));
    leader.publish(subject, Uint8Array.of(1));
  }
  time.runUntil(1_000);
  assert.deepEqual(received, [SUBJECTS.leader]);
});
