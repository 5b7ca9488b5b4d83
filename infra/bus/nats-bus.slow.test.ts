// The bus and its connection against real servers: which messages arrive, which are dropped, and
// how the connection recovers from servers that die or hang.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Nats } from './connect-nats.ts';
import { NatsBus } from './nats-bus.ts';

const MEBIBYTE = 1024 * 1024;

function waitFor(nats: Nats, isConnected: boolean, timeoutMs: number): Promise<void> {
  const what = `the client is ${isConnected ? 'connected' : 'disconnected'}`;
  return waitUntil({ what, timeoutMs, question: () => nats.isConnected === isConnected });
}

test('messages arrive in order, even if the sender reuses its bytes', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const [sending, receiving] = [await connect(), await connect()];
  const sender = new NatsBus(sending);
  const received: [subject: string, first: number, length: number][] = [];
  const subscription = new NatsBus(receiving).subscribe('one.>', (message, subject) => {
    received.push([subject, message[0], message.length]);
  });
  await receiving.client.flush();

  const bytes = new Uint8Array(1_000);
  for (let at = 1; at <= 3; at += 1) {
    bytes.fill(at);
    sender.publish(`one.part.${at}`, bytes.subarray(0, at * 300));
  }
  await waitUntil({
    what: 'all messages arrived',
    timeoutMs: 30_000,
    question: () => received.length === 3,
  });
  assert.deepEqual(received, [
    ['one.part.1', 1, 300],
    ['one.part.2', 2, 600],
    ['one.part.3', 3, 900],
  ]);

  subscription.stop();
  await receiving.client.flush();
  sender.publish('one.part.4', bytes);
  await sending.client.flush();
  await receiving.client.flush();
  assert.equal(received.length, 3);
});

test('messages sent while the server is down are dropped', async (context) => {
  const { servers, connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const bus = new NatsBus(nats);
  const changes: boolean[] = [];
  nats.watch((isConnected) => changes.push(isConnected));
  const received: number[] = [];
  bus.subscribe('numbers', (message) => received.push(message[0]));
  bus.publish('numbers', Uint8Array.of(1));
  await nats.client.flush();
  await servers.nodes[0].kill('SIGKILL');
  await waitFor(nats, false, 20_000);
  bus.publish('numbers', Uint8Array.of(2));
  assert.equal(bus.droppedCount, 1);
  await servers.nodes[0].start();
  await waitFor(nats, true, 20_000);
  bus.publish('numbers', Uint8Array.of(3));
  const question = () => received.includes(3);
  await waitUntil({ what: 'the third message arrived', timeoutMs: 30_000, question });
  assert.deepEqual(received, [1, 3]);
  assert.deepEqual(changes, [false, true]);
});

test('the client leaves a hung server even with full socket buffers', async (context) => {
  const { servers, connect } = await startNatsForTest(context, { nodes: 3 });
  const nats = await connect();
  const bytesWaitingMax = 30 * MEBIBYTE;
  const bus = new NatsBus(nats, { bytesWaitingMax });
  const name = nats.client.info?.server_name;
  const node = servers.nodes.find((each) => each.name === name)!;
  await node.kill('SIGSTOP');
  const message = new Uint8Array(MEBIBYTE);
  for (let count = 0; count < 40; count += 1) bus.publish('unused', message);
  assert.equal(bus.droppedCount, 10);

  await waitFor(nats, false, 20_000);
  await waitFor(nats, true, 20_000);
  assert.notEqual(nats.client.info?.server_name, name);
  bus.publish('unused', message);
  assert.equal(bus.droppedCount, 10);
  await node.kill('SIGCONT');
});

test('a closed connection drops messages and can be closed again', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  await nats.close();
  const bus = new NatsBus(nats);
  bus.publish('unused', Uint8Array.of(1));
  assert.equal(bus.droppedCount, 1);
  await nats.close();
});

test('an error in a receiver ends the process', async (context) => {
  const { servers } = await startNatsForTest(context, { nodes: 1 });
  const program = `
    import { connectNats, NatsBus } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
    const nats = await connectNats({ urls: ${JSON.stringify(servers.urls)}, name: 'x' });
    const bus = new NatsBus(nats);
    bus.subscribe('bugs', () => { throw new Error('thrown in a receiver'); });
    bus.publish('bugs', Uint8Array.of(1));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  context.after(() => child.kill('SIGKILL'));
  const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  assert.equal(code, 1);
  assert.match(stderr, /thrown in a receiver/);
});
