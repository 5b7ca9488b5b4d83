// The link server and client over real TCP connections, around a bus in memory: which messages use
// the connection, which use the bus, and which peers are rejected.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { MemoryBus } from '../bus/bus-for-test.ts';
import type { Bus } from '../bus/index.ts';
import { claimedIdentity, drawKey, type Identity } from '../identities/index.ts';
import { FakeClock } from '../process/clock-for-test.ts';
import { type Clock, systemClock } from '../process/index.ts';
import { encodeHandshake, HANDSHAKE_WITHIN_MS, type LinkAddress, proofBy } from './handshake.ts';
import { encodeHeartbeat, type LeaderHeartbeat } from './heartbeats.ts';
import { LinkClient } from './link-client.ts';
import { TICK_MS } from './link-connection.ts';
import { LinkServer, type LinkServerOptions } from './link-server.ts';
import { linkSubjects } from './subjects.ts';

const EXCHANGE = 'rialto';
const SOURCE = 7;
const SENDER = 'gateway-http';
const SUBJECTS = linkSubjects(EXCHANGE);
const RESULTS = SUBJECTS.resultsFor(SENDER, SOURCE);
const HEARTBEAT: LeaderHeartbeat = {
  instance: 'sequencer-1',
  writer: 99,
  epoch: 1,
  state: 'leading',
  sequence: 1,
  commandsApplied: 1,
  unacknowledgedMs: 0,
  acknowledgedMs: 0,
  eventsSequence: 1,
  schemaVersion: 1,
  outputDigests: [],
  stateHash: '',
  stateHashSequence: 0,
};

/** Messages on the bus, without heartbeats, as `subject text`. */
function sentOver(bus: MemoryBus): string[] {
  const sent = bus.messages.filter(({ subject }) => subject !== SUBJECTS.leader);
  return sent.map(({ message, subject }) => `${subject} ${Buffer.from(message)}`);
}

/** Turns the event loop until the condition holds; the runner's timeout bounds the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setImmediate(done));
}

interface World {
  readonly bus: MemoryBus;
  readonly server: LinkServer;
  readonly address: LinkAddress;
  readonly client: LinkClient;
  /** Messages that the leader and the gateway received, over either path. */
  readonly batches: string[];
  readonly results: string[];
  sendHeartbeat(change?: Partial<LeaderHeartbeat>): void;
}

async function openWorld(
  context: TestContext,
  clock: Clock = systemClock,
  serverClock: Clock = systemClock,
  { identity = claimedIdentity(SENDER), ...security }: Security = {},
): Promise<World> {
  const bus = new MemoryBus();
  const server = openServer(bus, serverClock, security);
  const address = await server.open();
  const client = new LinkClient({
    bus,
    clock,
    exchange: EXCHANGE,
    identity,
    source: SOURCE,
  });
  const [batches, results]: [string[], string[]] = [[], []];
  server.subscribe(SUBJECTS.commands, (message) => batches.push(String(Buffer.from(message))));
  client.subscribe(RESULTS, (message) => results.push(String(Buffer.from(message))));
  const sendHeartbeat = (change = {}) =>
    bus.publish(
      SUBJECTS.leader,
      encodeHeartbeat({ ...HEARTBEAT, linkAddress: address, ...change }),
    );
  context.after(async () => {
    client.close();
    await server.close();
  });
  return { bus, server, address, client, batches, results, sendHeartbeat };
}

type Security = Pick<LinkServerOptions, 'publicKeysOf' | 'tls'> & { readonly identity?: Identity };

function openServer(bus: Bus, clock: Clock = systemClock, security: Security = {}): LinkServer {
  const host = '127.0.0.1';
  const address = { host, listenHost: host, port: 0 };
  return new LinkServer({ bus, clock, subjects: SUBJECTS, ...address, ...security });
}

/** A proxy between the two ends whose connections a test can cut or stall. */
class TcpProxy {
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

  /** Starts listening and returns the address for heartbeats. */
  async open(): Promise<LinkAddress> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return { ...this.#address, port: (this.#server.address() as { port: number }).port };
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Stops forwarding everything, including the close of either end. */
  stall(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }
}

test('messages use the bus until the connection is open', async (context) => {
  const { batches, sendHeartbeat, bus, client, server, results } = await openWorld(context);
  client.publish(SUBJECTS.commandsFrom(SENDER), Buffer.from('one'));
  server.publish(RESULTS, Buffer.from('of one'));
  assert.deepEqual([batches, results], [['one'], ['of one']]);
  assert.equal(sentOver(bus).length, 2);

  sendHeartbeat();
  await until(() => client.isOpen && server.connectionCount === 1);
  client.publish(SUBJECTS.commandsFrom(SENDER), Buffer.from('two'));
  await until(() => batches.length === 2);
  server.publish(RESULTS, Buffer.from('of two'));
  await until(() => results.length === 2);
  assert.deepEqual([batches[1], results[1]], ['two', 'of two']);
  assert.equal(sentOver(bus).length, 2, 'neither message went through the bus');

  const other = SUBJECTS.resultsFor(SENDER, SOURCE + 1);
  server.publish(other, Buffer.from('of another gateway'));
  client.publish('elsewhere', Buffer.from('hello'));
  assert.deepEqual(sentOver(bus).slice(2), [`${other} of another gateway`, 'elsewhere hello']);
});

test('a leader without a reachable link server is reached through the bus', async (context) => {
  const { address, batches, sendHeartbeat, client } = await openWorld(context);
  sendHeartbeat({ linkAddress: undefined });
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as { port: number };
  await new Promise((done) => closed.close(done));
  sendHeartbeat({ linkAddress: { ...address, port } });
  client.publish(SUBJECTS.commandsFrom(SENDER), Buffer.from('one'));
  assert.deepEqual([client.isOpen, batches], [false, ['one']]);
});

test('the client connects to a new leader and ignores the old one', async (context) => {
  const { batches, sendHeartbeat, bus, client, server } = await openWorld(context);
  sendHeartbeat();
  await until(() => client.isOpen);
  const second = openServer(bus);
  const secondAddress = await second.open();
  context.after(() => second.close());
  const received: string[] = [];
  second.subscribe(SUBJECTS.commands, (message) => received.push(String(Buffer.from(message))));
  sendHeartbeat({ epoch: 2, instance: 'sequencer-2', linkAddress: secondAddress });
  assert.equal(client.isOpen, false, 'nothing more is sent to the old leader');
  await until(() => client.isOpen && server.connectionCount === 0);
  sendHeartbeat();
  client.publish(SUBJECTS.commandsFrom(SENDER), Buffer.from('two'));
  await until(() => received.length > 0);
  assert.deepEqual([received, batches], [['two'], []]);
});

test('the bus immediately replaces a broken connection, which reopens later', async (context) => {
  const clock = new FakeClock();
  const { address, batches, sendHeartbeat, bus, client } = await openWorld(context, clock);
  const proxy = new TcpProxy(context, address);
  const linkAddress = await proxy.open();
  sendHeartbeat({ linkAddress });
  await until(() => client.isOpen);
  proxy.cut();
  await until(() => !client.isOpen);
  client.publish(SUBJECTS.commandsFrom(SENDER), Buffer.from('one'));
  assert.deepEqual([batches, sentOver(bus).length], [['one'], 1]);
  sendHeartbeat({ linkAddress });
  assert.equal(proxy.sockets.length, 2, 'it does not reconnect immediately');
  clock.advance(1_000);
  sendHeartbeat({ linkAddress });
  await until(() => client.isOpen);
});

test('the client closes an unresponsive connection', async (context) => {
  const clock = new FakeClock();
  const { sendHeartbeat, client, server } = await openWorld(context, clock);
  sendHeartbeat();
  await until(() => client.isOpen && server.connectionCount === 1);
  // The ticks come faster than any keep-alive, as if the leader had hung.
  clock.advance(4 * TICK_MS);
  assert.equal(client.isOpen, true);
  clock.advance(TICK_MS);
  assert.equal(client.isOpen, false);
  await until(() => server.connectionCount === 0);
});

test('the server replies to an unresponsive gateway over the bus again', async (context) => {
  const [gateway, leader] = [new FakeClock(), new FakeClock()];
  const { address, batches, sendHeartbeat, bus, client, server, results } = await openWorld(
    context,
    gateway,
    leader,
  );
  const proxy = new TcpProxy(context, address);
  sendHeartbeat({ linkAddress: await proxy.open() });
  await until(() => client.isOpen && server.connectionCount === 1);
  proxy.stall();
  gateway.advance(5 * TICK_MS);
  assert.equal(client.isOpen, false);
  client.publish(SUBJECTS.commandsFrom(SENDER), Buffer.from('one'));
  assert.deepEqual(batches, ['one'], 'the gateway uses the bus');
  leader.advance(5 * TICK_MS);
  assert.equal(server.connectionCount, 0);
  server.publish(RESULTS, Buffer.from('of one'));
  assert.deepEqual([results, sentOver(bus).length], [['of one'], 2]);
});

test('an idle connection stays open', async (context) => {
  const [gateway, leader] = [new FakeClock(), new FakeClock()];
  const { batches, sendHeartbeat, client, server, results } = await openWorld(
    context,
    gateway,
    leader,
  );
  sendHeartbeat();
  await until(() => client.isOpen && server.connectionCount === 1);
  for (let ticks = 0; ticks < 20; ticks += 1) {
    gateway.advance(TICK_MS);
    leader.advance(TICK_MS);
    // Time for the keep-alives to arrive.
    for (let turns = 0; turns < 20; turns += 1) await new Promise((done) => setImmediate(done));
  }
  assert.deepEqual([client.isOpen, server.connectionCount], [true, 1]);
  assert.deepEqual([batches, results], [[], []], 'a keep-alive is not delivered as a message');
});

/** Sends these messages to the server and resolves when the server disconnects. */
async function disconnectedAfter(
  address: LinkAddress,
  messages: readonly Uint8Array[],
): Promise<void> {
  const socket = connect({ host: address.host, port: address.port });
  for (const message of messages) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    socket.write(Buffer.concat([length, message]));
  }
  socket.resume();
  // A disconnect with unread bytes appears as an error at this end.
  socket.on('error', () => {});
  await new Promise((done) => socket.once('close', done));
}

test('the server rejects peers that do not know the token', async (context) => {
  const { address, batches, server } = await openWorld(context);
  const hello = encodeHandshake({ subject: RESULTS, nonce: 'abc' });
  const proof = proofBy('gateway', 'another token', 'abc');
  const attempts: Uint8Array[][] = [
    [Buffer.from('a batch')],
    [Buffer.from('{}')],
    [Buffer.from('null')],
    [encodeHandshake({ subject: 'x'.repeat(500), nonce: 'abc' })],
    [hello, Buffer.from('a batch')],
    [hello, encodeHandshake({ proof, signature: '' })],
    [hello, encodeHandshake({ proof: '', signature: '' }), Buffer.from('a batch')],
    [Buffer.alloc(100_000)],
  ];
  for (const messages of attempts) await disconnectedAfter(address, messages);
  assert.deepEqual([batches, server.connectionCount], [[], 0]);
});

test('a connection can carry results and no other subject', async (context) => {
  const { address, bus, server } = await openWorld(context);
  const subjects = [
    SUBJECTS.leader,
    SUBJECTS.handOver,
    `${RESULTS}.`,
    `${RESULTS}x`,
    '',
    'toString',
  ];
  for (const subject of subjects) {
    await disconnectedAfter(address, [encodeHandshake({ subject, nonce: 'abc' })]);
  }
  assert.equal(server.connectionCount, 0);
  server.publish(SUBJECTS.handOver, Buffer.from('to all'));
  assert.deepEqual(sentOver(bus), [`${SUBJECTS.handOver} to all`]);
});

test('the client reveals nothing to a server that does not know the token', async (context) => {
  const { address, sendHeartbeat, client } = await openWorld(context);
  const received: Buffer[] = [];
  const impostor = createServer((socket) => {
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    const message = encodeHandshake({
      nonce: 'abc',
      proof: proofBy('server', 'another token', 'abc'),
    });
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    socket.write(Buffer.concat([length, message]));
  }).listen(0, '127.0.0.1');
  await once(impostor, 'listening');
  context.after(() => impostor.close());
  sendHeartbeat({
    linkAddress: { ...address, port: (impostor.address() as { port: number }).port },
  });
  const [socket] = (await once(impostor, 'connection')) as [Socket];
  await once(socket, 'close');
  assert.equal(client.isOpen, false);
  assert.equal(Buffer.concat(received).includes(address.token), false);
});

test('the client limits the time and the bytes of a handshake', async (context) => {
  const handshakeTimeouts: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    after: (delayMs, task) => {
      if (delayMs === HANDSHAKE_WITHIN_MS) handshakeTimeouts.push(task);
      return { cancel: () => {} };
    },
  };
  const { address, sendHeartbeat } = await openWorld(context, clock);
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  context.after(() => stranger.close());
  const server = { ...address, port: (stranger.address() as { port: number }).port };
  const connected = async (epoch: number) => {
    sendHeartbeat({ epoch, linkAddress: { ...server, token: `token ${epoch}` } });
    const [socket] = (await once(stranger, 'connection')) as [Socket];
    // A disconnect may appear as an error at this end.
    socket.on('error', () => {}).resume();
    return { closed: new Promise((done) => socket.once('close', done)), socket };
  };
  const verbose = await connected(2);
  // The length of a message that never follows.
  verbose.socket.write(Uint8Array.of(0, 0, 1, 0));
  await verbose.closed;

  const slow = await connected(3);
  slow.socket.write(Uint8Array.of(9));
  handshakeTimeouts.at(-1)?.();
  await slow.closed;
});

test('a server flushes its last messages before it closes', async (context) => {
  const { sendHeartbeat, client, server, results } = await openWorld(context);
  sendHeartbeat();
  await until(() => client.isOpen && server.connectionCount === 1);
  server.publish(RESULTS, Buffer.from('last'));
  await server.close();
  await until(() => results.length === 1);
  await until(() => !client.isOpen);
});

test('a batch has the identity that its connection proved', async (context) => {
  const key = drawKey();
  const identity = { ...claimedIdentity(SENDER), seed: Buffer.from(key.seed) };
  const publicKeysOf = (name: string) => (name === SENDER ? ['U', key.publicKey] : []);
  const security = { identity, publicKeysOf };
  const world = await openWorld(context, systemClock, systemClock, security);
  const senders: string[] = [];
  world.server.subscribe(SUBJECTS.commands, (_, subject) =>
    senders.push(SUBJECTS.senderOf(subject)),
  );
  world.sendHeartbeat();
  await until(() => world.client.isOpen && world.server.connectionCount === 1);
  world.client.publish(SUBJECTS.commandsFrom(SENDER), Buffer.from('one'));
  await until(() => senders.length === 1);
  assert.deepEqual([senders, sentOver(world.bus)], [[SENDER], []]);
});

test('the server rejects peers that know the token but not the key', async (context) => {
  const [own, other] = [drawKey(), drawKey()];
  const dispatcher = 'outbox-dispatcher';
  const publicKeysOf = (name: string) => (name === SENDER ? [own.publicKey] : [other.publicKey]);
  const peers: Identity[] = [
    claimedIdentity(SENDER),
    { ...claimedIdentity(SENDER), seed: Buffer.from(other.seed) },
    { ...claimedIdentity(dispatcher), seed: Buffer.from(own.seed) },
  ];
  for (const identity of peers) {
    const clock = new FakeClock();
    const world = await openWorld(context, clock, systemClock, { identity, publicKeysOf });
    world.sendHeartbeat();
    // It opens when the server has proved itself, and closes when the server rejects its proof.
    await until(() => world.client.isOpen);
    world.client.publish(SUBJECTS.commandsFrom(identity.name), Buffer.from('a batch'));
    await until(() => !world.client.isOpen);
    assert.deepEqual([world.batches, world.server.connectionCount], [[], 0]);
  }
});

test('without certificates, a client connects only to its own machine', async (context) => {
  const { address, client, sendHeartbeat } = await openWorld(context);
  sendHeartbeat({ linkAddress: { ...address, host: 'example.invalid' } });
  sendHeartbeat({ linkAddress: { ...address, host: '0.0.0.0' } });
  assert.equal(client.isOpen, false);
  sendHeartbeat();
  await until(() => client.isOpen);
});
