// A line over a real connection: messages come whole and in order, however the bytes are cut, and
// what is no message ends it.

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

class Ear {
  readonly heard: Buffer[] = [];
  readonly line: LinkConnection;
  isClosed = 0;
  #changed = () => {};

  constructor(socket: Socket) {
    this.line = new LinkConnection({
      socket,
      messageBytesMax: () => BYTES_MAX,
      onMessage: (message) => {
        this.heard.push(Buffer.from(message));
        this.#changed();
      },
      onClosed: () => {
        this.isClosed += 1;
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

test('messages come as they were sent, in order, empty and long ones too', async (context) => {
  const [one, other] = await socketPair(context);
  const [mouth, ear] = [new Ear(one), new Ear(other)];
  const sizes = [0, 1, 65_536, 0, 300_000, 4, 65_532];
  const bytes = new Uint8Array(BYTES_MAX);
  for (const [index, size] of sizes.entries()) {
    // The same memory again and again, as a batch writer does.
    bytes.fill(index + 1);
    mouth.line.send(bytes.subarray(0, size));
  }
  await ear.until(() => ear.heard.length === sizes.length);
  assert.deepEqual(
    ear.heard.map((message) => [message.length, message[0], message.at(-1)]),
    sizes.map((size, index) => (size === 0 ? [0, undefined, undefined] : same(size, index + 1))),
  );
});

function same(size: number, value: number): number[] {
  return [size, value, value];
}

test('however the bytes are cut, the messages are the same', async (context) => {
  const [one, other] = await socketPair(context);
  const ear = new Ear(other);
  const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 12 });
  const cuts = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(messages, cuts, async (sent, lengths) => {
      ear.heard.length = 0;
      const bytes = Buffer.concat(sent.map(framed));
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const length = lengths[turn % lengths.length];
        // Given to the reader directly: the kernel would put the pieces together again.
        other.emit('data', bytes.subarray(at, at + length));
        at += length;
      }
      assert.deepEqual(ear.heard.map(hex), sent.map(hex));
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

test('a length beyond the bound ends the line, and nothing after it is heard', async (context) => {
  const [one, other] = await socketPair(context);
  const ear = new Ear(other);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(BYTES_MAX + 1);
  one.write(Buffer.concat([framed(Buffer.from('good')), length, framed(Buffer.from('late'))]));
  await ear.until(() => ear.isClosed > 0);
  assert.deepEqual(ear.heard.map(String), ['good']);
  await once(one, 'close');
});

test('its end is told once, whoever ends it; what is sent after it is lost', async (context) => {
  const [one, other] = await socketPair(context);
  const [mouth, ear] = [new Ear(one), new Ear(other)];
  one.destroy();
  await ear.until(() => ear.isClosed > 0);
  await mouth.until(() => mouth.isClosed > 0);
  mouth.line.send(Buffer.from('late'));
  mouth.line.close();
  ear.line.close();
  assert.deepEqual([mouth.isClosed, ear.isClosed, ear.heard.length], [1, 1, 0]);
});

test('before an orderly end, what was sent arrives', async (context) => {
  const [one, other] = await socketPair(context);
  const [mouth, ear] = [new Ear(one), new Ear(other)];
  mouth.line.send(new Uint8Array(BYTES_MAX));
  await new Promise<void>((done) => mouth.line.end(done));
  await ear.until(() => ear.isClosed > 0);
  assert.equal(ear.heard[0].length, BYTES_MAX);
});
