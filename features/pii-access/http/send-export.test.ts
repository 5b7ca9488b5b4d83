// Tests an export over real HTTP: the client gets exactly the recorded bytes.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { systemClock } from '../../../infra/process/index.ts';
import { JsonAnswer, StreamedAnswer } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { HttpExchange } from '../../../services/gateway-http/http-exchange.ts';
import type { ExportSent } from '../exports.ts';
import { type StartedExport, sendExport } from './send-export.ts';

/** Larger than all buffers between the gateway and a client that does not read. */
const BIG = 'x'.repeat(1_000_000);

test('a file has rows and hash as trailers, and the same values are recorded', async (t) => {
  const { ended, port } = await serve(t, () => file(['id\r\n1\r\n', '2\r\né\r\n'], [1, 3]));
  const { body, headers, trailers } = await download(port);
  assert.equal(headers['x-export-id'], '7');
  assert.equal(headers.trailer, 'x-rows, x-sha256');
  const sha256 = createHash('sha256').update(body).digest('hex');
  assert.deepEqual({ ...trailers }, { 'x-rows': '3', 'x-sha256': sha256 });
  assert.deepEqual(await ended, `complete 3 rows ${body.length} bytes ${sha256}`);
});

test('a response in one piece is counted like a stream', async (t) => {
  const { ended, port } = await serve(
    t,
    () => new JsonAnswer({ count: 2, data: [1, 2] }, { status: 200 }),
  );
  const { body, trailers } = await download(port);
  const text = '{"count":2,"data":[1,2]}';
  assert.equal(body.toString(), text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  assert.deepEqual({ ...trailers }, { 'x-rows': '2', 'x-sha256': sha256 });
  assert.equal(await ended, `complete 2 rows 24 bytes ${sha256}`);
});

test('a client that disconnects leaves a broken export with the bytes sent', async (t) => {
  let chunks = 0;
  const endless = (async function* () {
    for (;;) {
      chunks += 1;
      yield BIG;
    }
  })();
  const answer = () =>
    new StreamedAnswer({
      status: 202,
      type: 'text/csv',
      chunks: endless,
      rowsRead: () => chunks,
    });
  const { ended, port } = await serve(t, answer);
  const response = await request(port);
  response.destroy();
  const [state, rows, , bytes, , hash] = (await ended).split(' ');
  assert.equal(state, 'broken');
  assert.equal(Number(bytes), Number(rows) * BIG.length);
  const sha256 = createHash('sha256')
    .update(BIG.repeat(Number(rows)))
    .digest('hex');
  assert.equal(hash, sha256);
});

test('a list that fails midway is broken', async (t) => {
  const failing = (async function* () {
    yield 'id\r\n1\r\n';
    throw new Error('list reader timed out');
  })();
  const options = { status: 202, type: 'text/csv', chunks: failing, rowsRead: () => 1 };
  const { ended, port } = await serve(t, () => new StreamedAnswer(options));
  await assert.rejects(download(port));
  const sha256 = createHash('sha256').update('id\r\n1\r\n').digest('hex');
  assert.equal(await ended, `broken 1 rows 7 bytes ${sha256}`);
});

test('a rejection by the handler ends the export without a row', async (t) => {
  const refused = new Refused('too_many_rows');
  const ended = Promise.withResolvers<string>();
  const started = startedExport(() => refused as never, ended.resolve);
  assert.equal(await sendExport(started), refused);
  const sha256 = createHash('sha256').digest('hex');
  assert.equal(await ended.promise, `broken 0 rows 0 bytes ${sha256}`);
  assert.ok(t);
});

test('an HTTP 1.0 client gets no trailers', async (t) => {
  const { ended, port } = await serve(t, () => file(['id\r\n1\r\n'], [1]));
  const socket = connect(port, '127.0.0.1');
  socket.end('GET / HTTP/1.0\r\n\r\n');
  const received = Buffer.concat(await Array.fromAsync(socket)).toString();
  assert.match(received, /x-export-id: 7\r\n/);
  assert.doesNotMatch(received, /trailer/i);
  assert.ok(received.endsWith('\r\n\r\nid\r\n1\r\n'), received);
  assert.match(await ended, /^complete 1 rows 7 bytes/);
});

function file(chunks: readonly string[], rows: readonly number[]): StreamedAnswer {
  let sent = 0;
  return new StreamedAnswer({
    status: 202,
    type: 'text/csv',
    chunks: (async function* () {
      for (const chunk of chunks) {
        sent += 1;
        yield chunk;
      }
    })(),
    rowsRead: () => rows[sent - 1] ?? 0,
  });
}

function startedExport(
  answer: () => StreamedAnswer | JsonAnswer<object>,
  onEnd: (text: string) => void,
): StartedExport {
  return {
    id: 7,
    status: 200,
    answer: async () => answer() as Awaited<ReturnType<StartedExport['answer']>>,
    end: async (sent) => onEnd(textOf(sent)),
    onFault: assert.fail,
  };
}

function textOf({ bytes, isComplete, rows, sha256 }: ExportSent): string {
  const state = isComplete ? 'complete' : 'broken';
  return `${state} ${rows} rows ${bytes} bytes ${sha256.toString('hex')}`;
}

async function serve(t: TestContext, answer: () => StreamedAnswer | JsonAnswer<object>) {
  const ended = Promise.withResolvers<string>();
  const server = fastify();
  server.get('/', async (request, reply) => {
    const own = { address: request.ip, clock: systemClock, headers: [], onAnswered: () => {} };
    reply.hijack();
    const exchange = new HttpExchange({ request, reply, ...own });
    const sent = await sendExport(startedExport(answer, ended.resolve));
    assert.ok(!(sent instanceof Refused));
    exchange.stream(sent.options, () => {});
  });
  t.after(() => server.close());
  await server.listen({ host: '127.0.0.1', port: 0 });
  return { port: (server.server.address() as AddressInfo).port, ended: ended.promise };
}

function request(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1' }, resolve).once('error', reject);
  });
}

async function download(port: number) {
  const response = await request(port);
  const body = Buffer.concat(await Array.fromAsync(response));
  return { body, headers: response.headers, trailers: response.trailers };
}
