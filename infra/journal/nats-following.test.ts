// Following a stream, with a server that can be made to misbehave: it leaves out, repeats, falls
// silent or says no. Whatever it does, the receiver gets the next message next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headers, type Msg } from '@nats-io/transport-node';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Nats } from '../bus/index.ts';
import { NatsFollowing, placeOf } from './nats-following.ts';

type Deliver = (fault: null, message: Msg) => void;

/** Stands for client and server. Each consumer that is asked for is kept, with where it starts. */
class ServerOfTest {
  readonly consumers: { from: number; deliver: Deliver }[] = [];
  readonly published: string[] = [];
  readonly received: [sequence: number, first: number][] = [];
  refusals = 0;
  #isConnected = true;
  #changed: (isConnected: boolean) => void = () => {};
  #deliver: Deliver = () => {};

  follow(from: number): NatsFollowing {
    const receive = (sequence: number, bytes: Uint8Array) => {
      this.received.push([sequence, bytes[0]]);
    };
    return new NatsFollowing({ nats: this.#nats(), stream: 'LOG', from, receive });
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
    await waitUntil({ what: `consumer ${count} is asked for`, timeoutMs: 30_000, question });
  }

  #nats(): Nats {
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
      client: client as unknown as Nats['client'],
      get isConnected() {
        return isConnected();
      },
      watch: (changed) => {
        this.#changed = changed;
        return { stop: () => {} };
      },
      close: async () => {},
    };
  }
}

function message(sequence: number, delivery: number): Msg {
  const reply = `$JS.ACK.LOG.consumer.1.${sequence}.${delivery}.1700000000000000000.0`;
  return { reply, data: Uint8Array.of(sequence) } as unknown as Msg;
}

function control(fields: Record<string, string>, reply = ''): Msg {
  const status = headers(100, 'Idle Heartbeat');
  for (const [key, value] of Object.entries(fields)) status.set(key, value);
  return { reply, data: new Uint8Array(0), headers: status } as unknown as Msg;
}

async function following(from: number, refusals = 0) {
  const server = new ServerOfTest();
  server.refusals = refusals;
  const followed = server.follow(from);
  await server.waitForConsumer(1);
  return { server, followed };
}

test('messages are handed on as they come', async () => {
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

test('after a gap in the deliveries it asks again for what is next', async () => {
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

test('a log that has forgotten its beginning is handed on, for the receiver to judge', async () => {
  const { server, followed } = await following(5);
  server.last.deliver(null, message(9, 1));
  assert.deepEqual(server.received, [[9, 9]]);
  followed.stop();
});

test('what a lagging server delivers from before the place is dropped', async () => {
  const { server, followed } = await following(5);
  server.last.deliver(null, message(3, 1));
  server.last.deliver(null, message(4, 2));
  server.last.deliver(null, message(5, 3));
  assert.deepEqual(server.received, [[5, 5]]);
  assert.equal(server.consumers.length, 1);
  followed.stop();
});

test('a heartbeat that tells of more than came makes it ask again', async () => {
  const { server, followed } = await following(5);
  server.last.deliver(null, message(5, 1));
  server.last.deliver(null, control({ 'Nats-Last-Consumer': '1' }));
  server.last.deliver(null, control({ 'Nats-Last-Consumer': '2' }));
  await server.waitForConsumer(2);
  assert.equal(server.last.from, 6);
  followed.stop();
});

test('the server is told that what it sent was read', async () => {
  const { server, followed } = await following(5);
  server.last.deliver(null, control({}, '$JS.FC.LOG.consumer.abc'));
  server.last.deliver(null, control({ 'Nats-Consumer-Stalled': '$JS.FC.LOG.consumer.def' }));
  assert.deepEqual(server.published, ['$JS.FC.LOG.consumer.abc', '$JS.FC.LOG.consumer.def']);
  followed.stop();
});

test('a silent server is asked again; one with a heartbeat is not', async () => {
  const silent = await following(5);
  const alive = await following(5);
  const beats = setInterval(() => alive.server.last.deliver(null, control({})), 100);
  await silent.server.waitForConsumer(2);
  clearInterval(beats);
  assert.equal(alive.server.consumers.length, 1);
  silent.followed.stop();
  alive.followed.stop();
});

test('a server that says no is asked until it says yes', async () => {
  const { server, followed } = await following(5, 2);
  await server.waitForConsumer(3);
  server.last.deliver(null, message(5, 1));
  assert.deepEqual(server.received, [[5, 5]]);
  followed.stop();
});

test('when the connection is back, it asks for what is next and forgets the old', async () => {
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

test('the place of a message is read from both forms in which servers write it', () => {
  const place = { sequence: 8_123, delivery: 12 };
  assert.deepEqual(placeOf('$JS.ACK.LOG.cjd8s.1.8123.12.1700000000000000000.4'), place);
  const longer = '$JS.ACK.hub.ACCOUNT.LOG.cjd8s.1.8123.12.1700000000000000000.4.x';
  assert.deepEqual(placeOf(longer), place);
});

test('what is not a message of the stream has no place', () => {
  assert.equal(placeOf('$JS.FC.LOG.cjd8s.abc'), undefined);
  assert.equal(placeOf(''), undefined);
  assert.equal(placeOf(undefined), undefined);
});
