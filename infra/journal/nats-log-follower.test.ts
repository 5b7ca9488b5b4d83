// The follower of a stream with a server that skips, repeats, goes silent or refuses. The receiver
// always gets the next message next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headers } from '@nats-io/transport-node';
import { waitUntil } from '../../tools/services/wait-until.ts';
import {
  type Delivered,
  type FollowedNats,
  NatsLogFollower,
  positionOf,
} from './nats-log-follower.ts';

type Deliver = (fault: null, message: Delivered) => void;

/** A fake of client and server. It records each requested consumer with its start. */
class FakeServer {
  readonly consumers: { from: number; deliver: Deliver }[] = [];
  readonly published: string[] = [];
  readonly received: [sequence: number, first: number][] = [];
  refusals = 0;
  #isConnected = true;
  #changed: (isConnected: boolean) => void = () => {};
  #deliver: Deliver = () => {};

  follow(from: number): NatsLogFollower {
    const receive = (sequence: number, bytes: Uint8Array) => {
      this.received.push([sequence, bytes[0]]);
    };
    return new NatsLogFollower({ nats: this.#nats(), stream: 'LOG', from, receive });
  }

  get last(): { from: number; deliver: Deliver } {
    return this.consumers.at(-1)!;
  }

  setConnected(isConnected: boolean): void {
    this.#isConnected = isConnected;
    this.#changed(isConnected);
  }

  async waitForConsumer(count: number): Promise<void> {
    const question = () => this.consumers.length === count;
    await waitUntil({ what: `consumer ${count} is requested`, timeoutMs: 30_000, question });
  }

  #nats(): FollowedNats {
    const client = {
      isClosed: () => false,
      publish: (subject: string) => this.published.push(subject),
      subscribe: (subject: string, { callback }: { callback: Deliver }) => {
        this.#deliver = callback;
        return { getSubject: () => subject, unsubscribe: () => {} };
      },
      request: async (_api: string, body: string) => {
        this.consumers.push({
          from: JSON.parse(body).config.opt_start_seq,
          deliver: this.#deliver,
        });
        const isRefused = this.consumers.length <= this.refusals;
        return { json: () => (isRefused ? { error: { code: 503 } } : { name: 'consumer' }) };
      },
    };
    const isConnected = () => this.#isConnected;
    return {
      client,
      createInbox: () => '_INBOX.one',
      get isConnected() {
        return isConnected();
      },
      watch: (changed) => {
        this.#changed = changed;
        return { stop: () => {} };
      },
    };
  }
}

function message(sequence: number, delivery: number): Delivered {
  const reply = `$JS.ACK.LOG.consumer.1.${sequence}.${delivery}.1700000000000000000.0`;
  return { reply, data: Uint8Array.of(sequence) };
}

function control(fields: Record<string, string>, reply = ''): Delivered {
  const status = headers(100, 'Idle Heartbeat');
  for (const [key, value] of Object.entries(fields)) status.set(key, value);
  return { reply, data: new Uint8Array(0), headers: status };
}

async function following(from: number, refusals = 0) {
  const server = new FakeServer();
  server.refusals = refusals;
  const followed = server.follow(from);
  await server.waitForConsumer(1);
  return { server, followed };
}

test('messages are delivered as they arrive', async () => {
  const { server, followed } = await following(5);
  assert.equal(server.last.from, 5);
  server.last.deliver(null, message(5, 1));
  server.last.deliver(null, message(6, 2));
  assert.deepEqual(server.received, [
    [5, 5],
    [6, 6],
  ]);
  followed.stop();
  server.last.deliver(null, message(7, 3));
  assert.equal(server.received.length, 2);
});

test('after a gap in the deliveries it requests the next message', async () => {
  const { server, followed } = await following(5);
  const first = server.last;
  first.deliver(null, message(5, 1));
  first.deliver(null, message(7, 3));
  await server.waitForConsumer(2);
  assert.equal(server.last.from, 6);
  first.deliver(null, message(6, 2));
  server.last.deliver(null, message(6, 1));
  assert.deepEqual(server.received, [
    [5, 5],
    [6, 6],
  ]);
  followed.stop();
});

test('messages after a purged beginning are delivered', async () => {
  const { server, followed } = await following(5);
  server.last.deliver(null, message(9, 1));
  assert.deepEqual(server.received, [[9, 9]]);
  followed.stop();
});

test('messages before the requested sequence are dropped', async () => {
  const { server, followed } = await following(5);
  server.last.deliver(null, message(3, 1));
  server.last.deliver(null, message(4, 2));
  server.last.deliver(null, message(5, 3));
  assert.deepEqual(server.received, [[5, 5]]);
  assert.equal(server.consumers.length, 1);
  followed.stop();
});

test('a heartbeat that reports missing deliveries causes a new consumer', async () => {
  const { server, followed } = await following(5);
  server.last.deliver(null, message(5, 1));
  server.last.deliver(null, control({ 'Nats-Last-Consumer': '1' }));
  server.last.deliver(null, control({ 'Nats-Last-Consumer': '2' }));
  await server.waitForConsumer(2);
  assert.equal(server.last.from, 6);
  followed.stop();
});

test('flow control requests get a response', async () => {
  const { server, followed } = await following(5);
  server.last.deliver(null, control({}, '$JS.FC.LOG.consumer.abc'));
  server.last.deliver(null, control({ 'Nats-Consumer-Stalled': '$JS.FC.LOG.consumer.def' }));
  assert.deepEqual(server.published, ['$JS.FC.LOG.consumer.abc', '$JS.FC.LOG.consumer.def']);
  followed.stop();
});

test('a silent server is asked for a new consumer; one with heartbeats is not', async () => {
  const silent = await following(5);
  const alive = await following(5);
  const beats = setInterval(() => alive.server.last.deliver(null, control({})), 100);
  await silent.server.waitForConsumer(2);
  clearInterval(beats);
  assert.equal(alive.server.consumers.length, 1);
  silent.followed.stop();
  alive.followed.stop();
});

test('a refused consumer is requested until the server creates it', async () => {
  const { server, followed } = await following(5, 2);
  await server.waitForConsumer(3);
  server.last.deliver(null, message(5, 1));
  assert.deepEqual(server.received, [[5, 5]]);
  followed.stop();
});

test('after a reconnect it requests the next message and ignores the old consumer', async () => {
  const { server, followed } = await following(5);
  const first = server.last;
  first.deliver(null, message(5, 1));
  server.setConnected(false);
  assert.equal(server.consumers.length, 1);
  server.setConnected(true);
  await server.waitForConsumer(2);
  assert.equal(server.last.from, 6);
  first.deliver(null, message(6, 2));
  assert.equal(server.received.length, 1);
  followed.stop();
});

test('positions are parsed from both forms of reply subjects', () => {
  const place = { sequence: 8_123, delivery: 12 };
  assert.deepEqual(positionOf('$JS.ACK.LOG.cjd8s.1.8123.12.1700000000000000000.4'), place);
  const longer = '$JS.ACK.hub.ACCOUNT.LOG.cjd8s.1.8123.12.1700000000000000000.4.x';
  assert.deepEqual(positionOf(longer), place);
});

test('other messages have no position', () => {
  assert.equal(positionOf('$JS.FC.LOG.cjd8s.abc'), undefined);
  assert.equal(positionOf(''), undefined);
  assert.equal(positionOf(undefined), undefined);
});
