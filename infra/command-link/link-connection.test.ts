// A link connection over real TCP: messages arrive complete and in order, however the bytes are
// split, and an invalid length closes the connection.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { LinkConnection } from './link-connection.ts';

const BYTES_MAX = 300_000;

/** The two ends of a connection. */
async function socketPair(context: TestContext): Promise<[Socket, Socket]> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const one = connect({ host: '127.0.0.1', port, noDelay: true });
  const [other] = (await once(server, 'connection')) as [Socket];
  context.after(() => {
    one.destroy();
    other.destroy();
    server.close();
  });
  return [one, other];
}

class Peer {
  readonly received: Buffer[] = [];
  readonly connection: LinkConnection;
  closedCount = 0;
  #changed = () => {};

  constructor(socket: Socket) {
    this.connection = new LinkConnection({
      socket,
      messageBytesMax: () => BYTES_MAX,
      onMessage: (message) => {
        this.received.push(Buffer.from(message));
        this.#changed();
      },
      onClosed: () => {
        this.closedCount += 1;
        this.#changed();
      },
    });
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((done) => {
        this.#changed = done;
      });
    }
  }
}

test('messages of all sizes arrive unchanged and in order', async (context) => {
  const [one, other] = await socketPair(context);
  const [sender, receiver] = [new Peer(one), new Peer(other)];
  const sizes = [0, 1, 65_536, 0, 300_000, 4, 65_532];
  const bytes = new Uint8Array(BYTES_MAX);
  for (const [index, size] of sizes.entries()) {
    // Reuses the same memory, as a batch writer does.
    bytes.fill(index + 1);
    sender.connection.send(bytes.subarray(0, size));
  }
  await receiver.until(() => receiver.received.length === sizes.length);
  assert.deepEqual(
    receiver.received.map((message) => [message.length, message[0], message.at(-1)]),
    sizes.map((size, index) => (size === 0 ? [0, undefined, undefined] : same(size, index + 1))),
  );
});

function same(size: number, value: number): number[] {
  return [size, value, value];
}

test('messages are the same regardless of how the bytes are split', async (context) => {
  const [one, other] = await socketPair(context);
  const receiver = new Peer(other);
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 12 });
  const cuts = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(messages, cuts, async (sent, lengths) => {
      receiver.received.length = 0;
      const bytes = Buffer.concat(sent.map(framed));
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const length = lengths[turn % lengths.length];
        // Given to the reader directly: the kernel would join the pieces.
        other.emit('data', bytes.subarray(at, at + length));
        at += length;
      }
      assert.deepEqual(receiver.received.map(hex), sent.map(hex));
    }),
    { seed: 20_260_101, numRuns: 300 },
  );
  one.destroy();
});

function framed(message: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(message.length);
  return Buffer.concat([length, message]);
}

function hex(message: Uint8Array): string {
  return Buffer.from(message).toString('hex');
}

test('a length above the limit closes the connection and discards the rest', async (context) => {
  const [one, other] = await socketPair(context);
  const receiver = new Peer(other);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(BYTES_MAX + 1);
  one.write(Buffer.concat([framed(Buffer.from('good')), length, framed(Buffer.from('late'))]));
  await receiver.until(() => receiver.closedCount > 0);
  assert.deepEqual(receiver.received.map(String), ['good']);
  await once(one, 'close');
});

test('onClosed is called once, and later messages are lost', async (context) => {
  const [one, other] = await socketPair(context);
  const [sender, receiver] = [new Peer(one), new Peer(other)];
  one.destroy();
  await receiver.until(() => receiver.closedCount > 0);
  await sender.until(() => sender.closedCount > 0);
  sender.connection.send(Buffer.from('late'));
  sender.connection.close();
  receiver.connection.close();
  assert.deepEqual([sender.closedCount, receiver.closedCount, receiver.received.length], [1, 1, 0]);
});

test('end() delivers everything that was sent earlier, and then closes', async (context) => {
  const [one, other] = await socketPair(context);
  const [sender, receiver] = [new Peer(one), new Peer(other)];
  sender.connection.send(new Uint8Array(BYTES_MAX));
  await new Promise<void>((done) => sender.connection.end(done));
  await receiver.until(() => receiver.closedCount > 0);
  assert.equal(receiver.received[0].length, BYTES_MAX);
});
