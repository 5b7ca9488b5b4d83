// The health server over real HTTP: its responses, its connection limits, and how it stops.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { createHealthServer, type HealthServer } from './health-server.ts';
import { createMetrics } from './metrics.ts';

type Options = Partial<Parameters<typeof createHealthServer>[0]>;

/** Long enough for the slowest machine; a test that reaches it has failed. */
const DEADLINE = { timeout: 20_000 };

async function started(t: TestContext, options: Options = {}) {
  const server = createHealthServer({
    port: 0,
    ready: () => ({}),
    metrics: createMetrics(),
    timeoutMs: 60_000,
    ...options,
  });
  t.after(() => server.stop());
  const port = await server.start();
  return { server, port, url: `http://127.0.0.1:${port}` };
}

async function connected(t: TestContext, port: number, sending = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  // The client may see a reset when the server closes the connection.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(sending);
  return socket;
}

/** Everything received until the server closes the connection. */
async function heard(socket: Socket): Promise<string> {
  let all = '';
  socket.on('data', (bytes) => {
    all += bytes;
  });
  // `once` would turn a reset into a failure.
  if (!socket.closed) await new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return all;
}

test('/health returns ok while the process runs', DEADLINE, async (t) => {
  const { url } = await started(t);
  for (const path of ['/health', '/health?from=probe']) {
    const response = await fetch(url + path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(await response.text(), '{"status":"ok"}');
  }
});

test('/ready evaluates every check on each request', DEADLINE, async (t) => {
  let checks: Record<string, boolean | string> = {};
  const { url } = await started(t, { ready: () => checks });
  const cases: [typeof checks, number, string][] = [
    [{}, 200, 'ready'],
    [{ journal: true, lease: true }, 200, 'ready'],
    [{ journal: true, lease: false }, 503, 'not ready'],
    [{ journal: '12 frames behind', lease: true }, 503, 'not ready'],
    [{ journal: '' }, 503, 'not ready'],
  ];
  for (const [given, status, word] of cases) {
    checks = given;
    const response = await fetch(`${url}/ready`);
    assert.equal(response.status, status);
    assert.deepEqual(await response.json(), { status: word, checks: given });
  }
});

test('/metrics serves the Prometheus text format', DEADLINE, async (t) => {
  const metrics = createMetrics();
  metrics.counter({ name: 'frames_total', help: 'Frames, in bytes of UTF-8: äöü.' }).inc(3);
  const response = await fetch(`${(await started(t, { metrics })).url}/metrics`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), metrics.contentType);
  assert.equal(await response.text(), await metrics.text());
});

test('other paths get 404 and other methods 405', DEADLINE, async (t) => {
  const { url } = await started(t);
  for (const path of ['/', '/healthy', '/health/', '/Ready', '//health', '/toString']) {
    assert.equal((await fetch(url + path)).status, 404, path);
  }
  for (const method of ['POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
    for (const path of ['/health', '/ready', '/metrics']) {
      const response = await fetch(url + path, { method });
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.equal(response.headers.get('allow'), 'GET');
    }
  }
});

test('a check or metric that throws gets 500 and does not end the process', DEADLINE, async (t) => {
  const { url } = await started(t, {
    ready: () => {
      throw new Error('bad check');
    },
    metrics: { contentType: 'text/plain', text: () => Promise.reject(new Error('bad gauge')) },
  });
  for (const [path, reason] of [
    ['/ready', 'Error: bad check'],
    ['/metrics', 'Error: bad gauge'],
  ]) {
    const response = await fetch(url + path);
    assert.equal(response.status, 500);
    assert.deepEqual(await response.json(), { status: 'failed', reason });
  }
  assert.equal((await fetch(`${url}/health`)).status, 200);
});

test('a request header that is too large is rejected', DEADLINE, async (t) => {
  const { url } = await started(t);
  const statusWith = async (bytes: number) =>
    (await fetch(`${url}/health`, { headers: { 'x-filling': 'x'.repeat(bytes) } })).status;
  assert.equal(await statusWith(7_000), 200);
  assert.equal(await statusWith(8_192), 431);
});

test('a client that sends nothing, or a partial request, is disconnected', DEADLINE, async (t) => {
  const { port } = await started(t, { timeoutMs: 100 });
  for (const sending of ['', 'GET /health HTTP/1.1\r\nhost: a\r\n']) {
    const answer = await heard(await connected(t, port, sending));
    assert.doesNotMatch(answer, /200 OK/);
  }
});

test('a client that sends its request byte by byte is disconnected', DEADLINE, async (t) => {
  const { port } = await started(t, { timeoutMs: 200 });
  const socket = await connected(t, port, 'GET /health HTTP/1.1\r\nx: ');
  const dripping = setInterval(() => socket.write('x'), 10);
  t.after(() => clearInterval(dripping));
  assert.doesNotMatch(await heard(socket), /200 OK/);
});

test('connections beyond the maximum are dropped until one closes', DEADLINE, async (t) => {
  const { port } = await started(t, { connectionsMax: 2 });
  const [first] = [await connected(t, port), await connected(t, port)];
  assert.equal(await heard(await connected(t, port, LAST_REQUEST)), '');
  first.destroy();
  await untilLetIn(t, port);
});

test('a client that does not read its response is disconnected', DEADLINE, async (t) => {
  const metrics = { contentType: 'text/plain', text: async () => 'x'.repeat(50_000_000) };
  const { port } = await started(t, { metrics, connectionsMax: 1, timeoutMs: 100 });
  const deaf = await connected(t, port);
  deaf.pause();
  deaf.write('GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n');
  await untilLetIn(t, port);
});

const LAST_REQUEST = 'GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';

// The server may notice late that a connection is free; the test's deadline limits the retries.
async function untilLetIn(t: TestContext, port: number): Promise<void> {
  let answer = '';
  while (!answer.startsWith('HTTP/1.1 200 OK')) {
    answer = await heard(await connected(t, port, LAST_REQUEST));
  }
}

test(
  'stop closes idle, half-sent and partly answered connections immediately',
  DEADLINE,
  async (t) => {
    const asked = Promise.withResolvers<void>();
    const metrics = {
      contentType: 'text/plain',
      text: () => {
        asked.resolve();
        return new Promise<string>(() => {});
      },
    };
    const { server, port } = await started(t, { metrics });
    const idle = await connected(t, port, 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(idle, 'data');
    const halfSent = await connected(t, port, 'GET /health HTTP/1.1\r\n');
    const halfAnswered = await connected(t, port, 'GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n');
    await asked.promise;
    const allHeard = Promise.all([idle, halfSent, halfAnswered].map(heard));
    await server.stop();
    assert.deepEqual(await allHeard, ['', '', '']);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health`));
  },
);

test('stopping twice, or before the start, does nothing', DEADLINE, async (t) => {
  const { server } = await started(t);
  await server.stop();
  await server.stop();
  await unstarted(0).stop();
});

test('start rejects if the port is taken', DEADLINE, async (t) => {
  const { port } = await started(t);
  await assert.rejects(unstarted(port).start(), { code: 'EADDRINUSE' });
});

function unstarted(port: number): HealthServer {
  return createHealthServer({ port, ready: () => ({}), metrics: createMetrics() });
}
