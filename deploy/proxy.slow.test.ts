// Tests the shipped nginx and Caddy files in real proxies, in front of servers that respond to all
// requests: blocked paths, logged data, and the connection limit per address.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { installDeploymentPrograms, programPath } from '../tools/services/deployment-programs.ts';
import { freePorts } from '../tools/services/free-ports.ts';
import { runProgram } from '../tools/services/run-program.ts';
import { waitUntil } from '../tools/services/wait-until.ts';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'rialto-proxy-'));
const TOKEN = 'Bearer%20a-secret-token';
const INSIDE = '127.0.0.1';
const OUTSIDE = '127.0.0.2';
const servers: Server[] = [];
/** Responses to `/slow` that a test has not released. */
const held: ServerResponse[] = [];

before(async () => {
  await installDeploymentPrograms();
  const key = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1';
  const files = `-subj /CN=exchange.example.com -keyout ${folder}/key.pem`;
  await succeeds('openssl', `${key} ${files} -out ${folder}/certificate.pem`.split(' '));
});

after(() => {
  for (const server of servers) server.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

async function succeeds(name: Parameters<typeof programPath>[0], args: readonly string[]) {
  const { output, succeeded } = await runProgram(programPath(name), args, { folder });
  assert.ok(succeeded, `${name} ${args.join(' ')}\n${output}`);
  return output;
}

/** Responds with the upstream's name; holds the response to `/slow`. */
async function startGateway(name: string): Promise<number> {
  const server = createServer((incoming, answer) => {
    if (incoming.url === '/slow') held.push(answer);
    else answer.end(name);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, INSIDE, done));
  return (server.address() as AddressInfo).port;
}

interface Proxy {
  readonly port: number;
  readonly operatorsPort: number;
  stop(): Promise<void>;
  logs(): string;
}

/** A copy with this test's ports. Only 127.0.0.1 is private. The users' stream is down. */
async function copied(file: string, name: string, changes: Readonly<Record<string, string>>) {
  const [port, operatorsPort, plainPort, streamPort] = await freePorts(4);
  const operatorsStreamPort = await startGateway("the operators' stream");
  const replaced: Record<string, string> = {
    '/etc/rialto/proxy': folder,
    '127.0.0.1:8080': `127.0.0.1:${await startGateway('public')}`,
    '127.0.0.1:8082': `127.0.0.1:${await startGateway('operators')}`,
    '127.0.0.1:8081': `127.0.0.1:${streamPort}`,
    '127.0.0.1:8084': `127.0.0.1:${operatorsStreamPort}`,
    '127.0.0.0/8': `${INSIDE}/32`,
    ...changes,
  };
  let text = readFileSync(join(ROOT, 'deploy/proxy', file), 'utf8');
  for (const [from, to] of Object.entries(replaced)) text = text.replaceAll(from, to);
  text = text
    .replaceAll('8443', `${operatorsPort}`)
    .replaceAll(/\b443 ssl/g, `${port} ssl`)
    .replaceAll(/\blisten 80;/g, `listen ${plainPort};`)
    .replace(/^exchange\.example\.com \{/m, `exchange.example.com:${port} {`);
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return { path, port, operatorsPort, plainPort };
}

async function startNginx(): Promise<Proxy> {
  const home = join(folder, 'nginx');
  mkdirSync(home);
  const { path, ...ports } = await copied('nginx.conf', 'nginx/nginx.conf', {
    'user www-data;': process.getuid?.() === 0 ? 'user root;' : '',
    '/run/nginx.pid': `${home}/pid`,
    '/var/log/nginx': home,
  });
  const args = ['-p', home, '-c', path];
  const output = await succeeds('nginx', ['-t', ...args]);
  assert.match(output, /test is successful/);
  assert.doesNotMatch(output, /\[warn\]/);
  const child = spawn(programPath('nginx'), [...args, '-g', 'daemon off;'], { stdio: 'ignore' });
  const read = (name: string) =>
    existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : '';
  const logs = () => read('access.log') + read('error.log');
  return started(child, { ...ports, logs });
}

async function startCaddy(): Promise<Proxy> {
  const sample = join(ROOT, 'deploy/proxy/Caddyfile');
  assert.equal(await succeeds('caddy', ['fmt', sample]), readFileSync(sample, 'utf8'));
  const { path, plainPort, ...ports } = await copied('Caddyfile', 'Caddyfile', {});
  const options = `{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${plainPort}\n`;
  writeFileSync(path, readFileSync(path, 'utf8').replace('{\n', options));
  const args = ['--config', path, '--adapter', 'caddyfile'];
  assert.match(await succeeds('caddy', ['validate', ...args]), /Valid configuration/);
  const child = spawn(programPath('caddy'), ['run', ...args], { stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return started(child, { ...ports, logs: () => output });
}

async function started(
  child: ChildProcess,
  proxy: Pick<Proxy, 'port' | 'operatorsPort' | 'logs'>,
): Promise<Proxy> {
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  await waitUntil({
    what: 'the proxy answers',
    timeoutMs: 15_000,
    question: () =>
      get(proxy.port, '/').then(
        ({ status }) => status === 200,
        () => false,
      ),
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ...proxy, stop };
}

function get(
  port: number,
  path: string,
  from = INSIDE,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: INSIDE, port, path, localAddress: from, rejectUnauthorized: false };
    const asked = request(
      { ...options, agent: false, servername: 'exchange.example.com', timeout: 30_000 },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    asked.setHeader('host', `exchange.example.com:${port}`);
    asked.on('timeout', () => asked.destroy(new Error('timeout')));
    asked.on('error', reject);
    asked.end();
  });
}

const CLOSED = [
  '/v2/admin/users?id=1',
  '/api/v2/admin/users?id=1',
  '/api/v2/admin/signup',
  '/v2/admin',
  '/api/v2/admin',
  '/v2/%61dmin/users',
  '/api/v2/%61dmin/users',
];

for (const [name, start] of [
  ['nginx', startNginx],
  ['Caddy', startCaddy],
] as const) {
  describe(`the shipped ${name} file`, () => {
    let proxy: Proxy;
    before(async () => {
      proxy = await start();
    });
    after(() => proxy?.stop());

    test('operator routes are not served at the public address on any path', async () => {
      for (const path of CLOSED) {
        assert.deepEqual((await get(proxy.port, path)).status, 403, path);
      }
      for (const path of ['/v2/health', '/api/v2/health', '/', '/console/']) {
        assert.deepEqual(await get(proxy.port, path), { status: 200, text: 'public' }, path);
      }
    });

    test('operators have a separate address, for the private network only', async () => {
      for (const path of ['/v2/admin/users?id=1', '/v2/login', '/console/']) {
        const found = await get(proxy.operatorsPort, path);
        assert.deepEqual(found, { status: 200, text: 'operators' }, path);
        assert.equal((await get(proxy.operatorsPort, path, OUTSIDE)).status, 403, path);
      }
    });

    test('operators have a separate stream, for the private network only', async () => {
      const found = await get(proxy.operatorsPort, '/stream');
      assert.deepEqual(found, { status: 200, text: "the operators' stream" });
      assert.equal((await get(proxy.operatorsPort, '/stream', OUTSIDE)).status, 403);
      assert.equal((await get(proxy.port, '/stream')).status, 502);
    });

    test('no log contains the query of a request, not even of a failed one', async () => {
      const { status } = await get(proxy.port, `/stream?authorization=${TOKEN}`);
      assert.equal(status, 502);
      await get(proxy.port, `/v2/health?authorization=${TOKEN}`);
      await get(proxy.port, `/v2/admin/users?authorization=${TOKEN}`);
      await new Promise((done) => setTimeout(done, 200));
      const logs = proxy.logs();
      assert.ok(logs.length > 0);
      assert.ok(!logs.includes('secret'), logs);
    });

    if (name !== 'nginx') return;

    test('one address does not use up the connections of others', async () => {
      const sockets = await Promise.all(Array.from({ length: 3_000 }, () => halfOpen(proxy.port)));
      assert.equal((await get(proxy.port, '/v2/health')).status, 200);
      // A proxy at its connection limit closes some.
      const closed = sockets.filter(({ destroyed }) => destroyed);
      assert.equal(closed.length, 0);
      for (const socket of sockets) socket.destroy();
    });

    test('one address has 256 requests in progress, and another address is served', async () => {
      let refused = 0;
      const slow = Array.from({ length: 300 }, () =>
        get(proxy.port, '/slow', OUTSIDE).then(
          ({ status }) => {
            if (status === 429) refused += 1;
          },
          () => {},
        ),
      );
      await waitUntil({
        what: '44 requests are refused',
        timeoutMs: 25_000,
        question: async () => refused === 300 - 256,
      });
      assert.equal((await get(proxy.port, '/v2/health')).status, 200);
      for (const answer of held) answer.end();
      await Promise.all(slow);
    });
  });
}

/** A handshake that starts but never continues. */
function halfOpen(port: number): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = connect({ host: INSIDE, port, localAddress: OUTSIDE }, () => {
      socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1]));
      done(socket);
    });
    socket.on('error', failed);
  });
}
