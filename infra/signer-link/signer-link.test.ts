// Tests the socket: order, split and joined messages, limits, lost connections, and its mode. Tests
// the exact texts that are signed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeMessage, MESSAGE_BYTES_MAX } from './messages.ts';
import type { SignerAnswer } from './protocol.ts';
import { SignerClient, SignerUnreachable } from './signer-client.ts';
import { startSignerServer } from './signer-server.ts';
import { destinationHash, statementText } from './statement.ts';
import { renounceText, stopText } from './texts.ts';

const POLICY = { kind: 'policy', version: 1 } as const;

async function openLink(answer: (request: unknown) => SignerAnswer) {
  const socket = join(mkdtempSync(join(tmpdir(), 'signer-link-')), 's');
  const server = await startSignerServer({ socket, connect: () => answer });
  const client = new SignerClient({ socket, timeoutMs: 5_000 });
  return {
    socket,
    server,
    client,
    async close() {
      client.close();
      await server.stop();
    },
  };
}

test('requests of one client are answered in order', async () => {
  const link = await openLink((request) => ({
    kind: 'policy',
    version: Number((request as { file: string }).file),
  }));
  const asked = ['1', '2', '3'].map((file) => link.client.ask({ kind: 'policy', file }));
  const answers = await Promise.all(asked);
  assert.deepEqual(
    answers.map((answer) => answer.kind === 'policy' && answer.version),
    [1, 2, 3],
  );
  await link.close();
});

test('a message that arrives byte by byte is one request', async () => {
  const received: unknown[] = [];
  const link = await openLink((request) => {
    received.push(request);
    return POLICY;
  });
  const socket = createConnection({ path: link.socket });
  for (const byte of encodeMessage({ kind: 'policy', file: 'é' })) socket.write(Buffer.of(byte));
  await once(socket, 'data');
  assert.deepEqual(received, [{ kind: 'policy', file: 'é' }]);
  socket.destroy();
  await link.close();
});

for (const [name, bytes] of [
  ['a longer message', Buffer.from('ffffffff', 'hex')],
  ['a message that is not JSON', Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from('x')])],
  ['an empty message', Buffer.alloc(4)],
] as const) {
  test(`${name} ends the connection and is not a request`, async () => {
    const link = await openLink(() => assert.fail('answered'));
    const socket = createConnection({ path: link.socket });
    socket.write(bytes);
    await once(socket, 'close');
    await link.close();
  });
}

test('a message over the limit is not sent', () => {
  assert.throws(() => encodeMessage('x'.repeat(MESSAGE_BYTES_MAX)), /the limit is 262144/);
});

test('a client notices that the signer is unreachable, and connects again', async () => {
  const link = await openLink(() => POLICY);
  const request = { kind: 'policy', file: '1' } as const;
  assert.deepEqual(await link.client.ask(request), POLICY);
  await link.server.stop();
  await assert.rejects(link.client.ask(request), SignerUnreachable);
  const server = await startSignerServer({ socket: link.socket, connect: () => () => POLICY });
  assert.deepEqual(await link.client.ask(request), POLICY);
  link.client.close();
  await server.stop();
});

test('only the owner and its group can open the socket', async () => {
  const link = await openLink(() => POLICY);
  assert.equal(statSync(link.socket).mode & 0o777, 0o660);
  await link.close();
});

test('a statement is this exact text', () => {
  const statement = {
    withdrawal: 4711,
    asset: 3,
    atoms: '125000000',
    destination: destinationHash(4711, 'eth', `0x${'11'.repeat(20)}`),
    timeMs: Date.UTC(2026, 11, 1, 16),
    frame: 99,
  };
  assert.equal(
    statementText('demo', statement),
    `rialto withdrawal is open
exchange demo
withdrawal 4711
asset 3
atoms 125000000
destination ${statement.destination}
time 2026-12-01T16:00:00.000Z
frame 99
`,
  );
});

test('the hash of a destination follows the withdrawal, the network and the text', () => {
  const hashes = [
    destinationHash(1, 'eth', '0xa'),
    destinationHash(2, 'eth', '0xa'),
    destinationHash(1, 'bnb', '0xa'),
    destinationHash(1, 'eth', '0xb'),
  ];
  assert.equal(new Set(hashes).size, 4);
  assert.match(hashes[0], /^[0-9a-f]{64}$/);
});

test('the other texts name the exchange', () => {
  assert.equal(renounceText('demo', 4711), 'rialto renounces withdrawal 4711\nexchange demo\n');
  assert.equal(stopText('demo', 3), 'rialto stops the signer\nexchange demo, policy 3\n');
});
