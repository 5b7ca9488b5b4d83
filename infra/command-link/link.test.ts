// The door and who dials it, over real connections, around a bus in memory: what goes over the
// line, what goes through the bus, and who is not let in.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import type { Bus } from '../bus/index.ts';
import { type Clock, systemClock } from '../process/index.ts';
import { encodeBeat, type LeaderBeat } from './beats.ts';
import { encodeWord, HANDSHAKE_WITHIN_MS, type LinkAddress, proofBy } from './handshake.ts';
import { LinkClient } from './link-client.ts';
import { LOOK_EVERY_MS } from './link-connection.ts';
import { LinkServer } from './link-server.ts';
import { linkSubjects } from './subjects.ts';

const EXCHANGE = 'rialto';
const SOURCE = 7;
const SUBJECTS = linkSubjects(EXCHANGE);
const RESULTS = SUBJECTS.resultsFor(SOURCE);
const BEAT: LeaderBeat = {
  instance: 'sequencer-1',
  epoch: 1,
  state: 'leading',
  sequence: 1,
  commandsApplied: 1,
  eventsSequence: 1,
  schemaVersion: 1,
  outputDigests: [],
  stateHash: '',
  stateHashSequence: 0,
};

/** Delivers at once, and remembers what went through it. */
class MemoryBus implements Bus {
  readonly sent: string[] = [];
  readonly #receivers = new Map<string, Set<(message: Uint8Array, subject: string) => void>>();

  publish(subject: string, message: Uint8Array): void {
    if (subject !== SUBJECTS.leader) this.sent.push(`${subject} ${Buffer.from(message)}`);
    for (const receive of this.#receivers.get(subject) ?? []) receive(message, subject);
  }

  subscribe(subject: string, receive: (message: Uint8Array, subject: string) => void) {
    const receivers = this.#receivers.get(subject) ?? new Set();
    this.#receivers.set(subject, receivers.add(receive));
    return { stop: () => receivers.delete(receive) };
  }
}

/** Turns of the event loop until it holds; a test that waits in vain is ended by the runner. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setImmediate(done));
}

interface World {
  readonly bus: MemoryBus;
  readonly door: LinkServer;
  readonly address: LinkAddress;
  readonly dialer: LinkClient;
  /** What the leader and the gateway have heard, over whichever way. */
  readonly batches: string[];
  readonly results: string[];
  beat(change?: Partial<LeaderBeat>): void;
}

async function openWorld(
  context: TestContext,
  clock: Clock = systemClock,
  doorClock: Clock = systemClock,
): Promise<World> {
  const bus = new MemoryBus();
  const door = openDoor(bus, doorClock);
  const address = await door.open();
  const dialer = new LinkClient({ bus, clock, exchange: EXCHANGE, source: SOURCE });
  const [batches, results]: [string[], string[]] = [[], []];
  door.subscribe(SUBJECTS.commands, (message) => batches.push(String(Buffer.from(message))));
  dialer.subscribe(RESULTS, (message) => results.push(String(Buffer.from(message))));
  const beat = (change = {}) =>
    bus.publish(SUBJECTS.leader, encodeBeat({ ...BEAT, door: address, ...change }));
  context.after(async () => {
    dialer.close();
    await door.close();
  });
  return { bus, door, address, dialer, batches, results, beat };
}

function openDoor(bus: Bus, clock: Clock = systemClock): LinkServer {
  const host = '127.0.0.1';
  return new LinkServer({ bus, clock, subjects: SUBJECTS, host, listenHost: host, port: 0 });
}

/** Nothing is due by itself: the looks come when the test wants them. */
function clockByHand(): { clock: Clock; look: () => void } {
  const due = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    after: (delayMs, task) => {
      if (delayMs !== LOOK_EVERY_MS) return systemClock.after(delayMs, task);
      due.add(task);
      return { cancel: () => due.delete(task) };
    },
  };
  const look = () => {
    const tasks = [...due];
    due.clear();
    for (const task of tasks) task();
  };
  return { clock, look };
}

/** Between the two ends: it can be cut without either of them knowing why. */
class Cable {
  readonly sockets: Socket[] = [];
  readonly #server = createServer((socket) => {
    const { host, port } = this.#address;
    const onward = connect({ host, port });
    this.sockets.push(socket, onward);
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => {});
  });
  readonly #address: LinkAddress;

  constructor(context: TestContext, address: LinkAddress) {
    this.#address = address;
    context.after(() => {
      this.cut();
      this.#server.close();
    });
  }

  /** What gateways are told to dial. */
  async open(): Promise<LinkAddress> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return { ...this.#address, port: (this.#server.address() as { port: number }).port };
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Nothing passes any more, not even that an end was closed. */
  swallow(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }
}

test('without a line everything goes through the bus, with one it does not', async (context) => {
  const { batches, beat, bus, dialer, door, results } = await openWorld(context);
  dialer.publish(SUBJECTS.commands, Buffer.from('one'));
  door.publish(RESULTS, Buffer.from('of one'));
  assert.deepEqual([batches, results], [['one'], ['of one']]);
  assert.equal(bus.sent.length, 2);

  beat();
  await until(() => dialer.isOpen && door.lineCount === 1);
  dialer.publish(SUBJECTS.commands, Buffer.from('two'));
  await until(() => batches.length === 2);
  door.publish(RESULTS, Buffer.from('of two'));
  await until(() => results.length === 2);
  assert.deepEqual([batches[1], results[1]], ['two', 'of two']);
  assert.equal(bus.sent.length, 2, 'neither went through the bus');

  const other = SUBJECTS.resultsFor(SOURCE + 1);
  door.publish(other, Buffer.from('of another gateway'));
  dialer.publish('elsewhere', Buffer.from('hello'));
  assert.deepEqual(bus.sent.slice(2), [`${other} of another gateway`, 'elsewhere hello']);
});

test('a leader without a door, or with a dead one, is reached by the bus', async (context) => {
  const { address, batches, beat, dialer } = await openWorld(context);
  beat({ door: undefined });
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as { port: number };
  await new Promise((done) => closed.close(done));
  beat({ door: { ...address, port } });
  dialer.publish(SUBJECTS.commands, Buffer.from('one'));
  assert.deepEqual([dialer.isOpen, batches], [false, ['one']]);
});

test('a new leader is dialled, and a beat of the old one changes nothing', async (context) => {
  const { batches, beat, bus, dialer, door } = await openWorld(context);
  beat();
  await until(() => dialer.isOpen);
  const second = openDoor(bus);
  const secondAddress = await second.open();
  context.after(() => second.close());
  const heard: string[] = [];
  second.subscribe(SUBJECTS.commands, (message) => heard.push(String(Buffer.from(message))));
  beat({ epoch: 2, instance: 'sequencer-2', door: secondAddress });
  assert.equal(dialer.isOpen, false, 'it is not sent to the old leader any more');
  await until(() => dialer.isOpen && door.lineCount === 0);
  beat();
  dialer.publish(SUBJECTS.commands, Buffer.from('two'));
  await until(() => heard.length > 0);
  assert.deepEqual([heard, batches], [['two'], []]);
});

test('a line that breaks is left for the bus at once, and dialled again later', async (context) => {
  const time = { pastMs: 0 };
  const clock = { ...systemClock, elapsedMs: () => systemClock.elapsedMs() + time.pastMs };
  const { address, batches, beat, bus, dialer } = await openWorld(context, clock);
  const cable = new Cable(context, address);
  const door = await cable.open();
  beat({ door });
  await until(() => dialer.isOpen);
  cable.cut();
  await until(() => !dialer.isOpen);
  dialer.publish(SUBJECTS.commands, Buffer.from('one'));
  assert.deepEqual([batches, bus.sent.length], [['one'], 1]);
  beat({ door });
  assert.equal(cable.sockets.length, 2, 'it is not dialled at once');
  time.pastMs = 1_000;
  beat({ door });
  await until(() => dialer.isOpen);
});

test('a line on which nothing is heard is closed, though nobody closed it', async (context) => {
  const { clock, look } = clockByHand();
  const { beat, dialer, door } = await openWorld(context, clock);
  beat();
  await until(() => dialer.isOpen && door.lineCount === 1);
  // The looks come faster than any sign of life: as if the leader stood still.
  for (let looks = 0; looks < 4; looks += 1) look();
  assert.equal(dialer.isOpen, true);
  look();
  assert.equal(dialer.isOpen, false);
  await until(() => door.lineCount === 0);
});

test('a gateway that is gone without a word is answered through the bus again', async (context) => {
  const [gateway, leader] = [clockByHand(), clockByHand()];
  const { address, batches, beat, bus, dialer, door, results } = await openWorld(
    context,
    gateway.clock,
    leader.clock,
  );
  const cable = new Cable(context, address);
  beat({ door: await cable.open() });
  await until(() => dialer.isOpen && door.lineCount === 1);
  cable.swallow();
  for (let looks = 0; looks < 5; looks += 1) gateway.look();
  assert.equal(dialer.isOpen, false);
  dialer.publish(SUBJECTS.commands, Buffer.from('one'));
  assert.deepEqual(batches, ['one'], 'it speaks through the bus');
  for (let looks = 0; looks < 5; looks += 1) leader.look();
  assert.equal(door.lineCount, 0);
  door.publish(RESULTS, Buffer.from('of one'));
  assert.deepEqual([results, bus.sent.length], [['of one'], 2]);
});

test('a line over which nobody has anything to say stays open', async (context) => {
  const [gateway, leader] = [clockByHand(), clockByHand()];
  const { batches, beat, dialer, door, results } = await openWorld(
    context,
    gateway.clock,
    leader.clock,
  );
  beat();
  await until(() => dialer.isOpen && door.lineCount === 1);
  for (let looks = 0; looks < 20; looks += 1) {
    gateway.look();
    leader.look();
    // Time for the signs to arrive.
    for (let turns = 0; turns < 20; turns += 1) await new Promise((done) => setImmediate(done));
  }
  assert.deepEqual([dialer.isOpen, door.lineCount], [true, 1]);
  assert.deepEqual([batches, results], [[], []], 'a sign of life is no message');
});

/** Says these words to the door, and resolves when it has hung up. */
async function hungUpOn(address: LinkAddress, words: readonly Uint8Array[]): Promise<void> {
  const socket = connect({ host: address.host, port: address.port });
  for (const word of words) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(word.length);
    socket.write(Buffer.concat([length, word]));
  }
  socket.resume();
  // Hanging up on what it has not read yet looks like an error from here.
  socket.on('error', () => {});
  await new Promise((done) => socket.once('close', done));
}

test('who does not know the token is not heard', async (context) => {
  const { address, batches, door } = await openWorld(context);
  const hello = encodeWord({ subject: RESULTS, nonce: 'abc' });
  const proof = proofBy('gateway', 'another token', 'abc');
  const attempts: Uint8Array[][] = [
    [Buffer.from('a batch')],
    [Buffer.from('{}')],
    [Buffer.from('null')],
    [encodeWord({ subject: 'x'.repeat(500), nonce: 'abc' })],
    [hello, Buffer.from('a batch')],
    [hello, encodeWord({ proof })],
    [hello, encodeWord({ proof: '' }), Buffer.from('a batch')],
    [Buffer.alloc(100_000)],
  ];
  for (const words of attempts) await hungUpOn(address, words);
  assert.deepEqual([batches, door.lineCount], [[], 0]);
});

test('who knows the token may have results on a line, and nothing else', async (context) => {
  const { address, bus, door } = await openWorld(context);
  const subjects = [
    SUBJECTS.leader,
    SUBJECTS.handOver,
    `${RESULTS}.`,
    `${RESULTS}x`,
    '',
    'toString',
  ];
  for (const subject of subjects) {
    await hungUpOn(address, [encodeWord({ subject, nonce: 'abc' })]);
  }
  assert.equal(door.lineCount, 0);
  door.publish(SUBJECTS.handOver, Buffer.from('to all'));
  assert.deepEqual(bus.sent, [`${SUBJECTS.handOver} to all`]);
});

test('who is dialled and does not know the token gets nothing', async (context) => {
  const { address, beat, dialer } = await openWorld(context);
  const heard: Buffer[] = [];
  const impostor = createServer((socket) => {
    socket.on('data', (bytes: Buffer) => heard.push(bytes));
    const word = encodeWord({ nonce: 'abc', proof: proofBy('door', 'another token', 'abc') });
    const length = Buffer.alloc(4);
    length.writeUInt32LE(word.length);
    socket.write(Buffer.concat([length, word]));
  }).listen(0, '127.0.0.1');
  await once(impostor, 'listening');
  context.after(() => impostor.close());
  beat({ door: { ...address, port: (impostor.address() as { port: number }).port } });
  const [socket] = (await once(impostor, 'connection')) as [Socket];
  await once(socket, 'close');
  assert.equal(dialer.isOpen, false);
  assert.equal(Buffer.concat(heard).includes(address.token), false);
});

test('who is dialled has to prove himself soon and in few words', async (context) => {
  const patience: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after: (delayMs, task) => {
      if (delayMs === HANDSHAKE_WITHIN_MS) patience.push(task);
      return { cancel: () => {} };
    },
  };
  const { address, beat } = await openWorld(context, clock);
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  context.after(() => stranger.close());
  const door = { ...address, port: (stranger.address() as { port: number }).port };
  const called = async (epoch: number) => {
    beat({ epoch, door: { ...door, token: `token ${epoch}` } });
    const [socket] = (await once(stranger, 'connection')) as [Socket];
    // Being hung up on may look like an error from here.
    socket.on('error', () => {}).resume();
    return { closed: new Promise((done) => socket.once('close', done)), socket };
  };
  const talkative = await called(2);
  // The length of a message that does not come.
  talkative.socket.write(Uint8Array.of(0, 0, 1, 0));
  await talkative.closed;

  const slow = await called(3);
  slow.socket.write(Uint8Array.of(9));
  patience.at(-1)?.();
  await slow.closed;
});

test('a door that is closed sends what it was given last', async (context) => {
  const { beat, dialer, door, results } = await openWorld(context);
  beat();
  await until(() => dialer.isOpen && door.lineCount === 1);
  door.publish(RESULTS, Buffer.from('last'));
  await door.close();
  await until(() => results.length === 1);
  await until(() => !dialer.isOpen);
});
