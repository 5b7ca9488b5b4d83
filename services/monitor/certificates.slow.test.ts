// Certificate expiry: in files, in chains, and on a server that presents one.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createServer } from 'node:tls';
import { isServer, readCertificate } from './certificates.ts';

const DAY_MS = 86_400_000;

describe('certificates', () => {
  let folder: string;
  const fileOf = (name: string): string => join(folder, name);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    for (const days of [5, 90]) {
      const made = `req -x509 -newkey ed25519 -noenc -subj /CN=localhost -days ${days}`.split(' ');
      const files = ['-keyout', fileOf(`${days}.key`), '-out', fileOf(`${days}.pem`)];
      const { status, stderr } = spawnSync('openssl', [...made, ...files], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    }
    writeFileSync(fileOf('chain.pem'), [90, 5].map(textOf).join(''));
    writeFileSync(fileOf('text.pem'), 'no certificate');
  });
  after(() => rmSync(folder, { recursive: true }));

  function textOf(days: number): string {
    return readFileSync(fileOf(`${days}.pem`), 'utf8');
  }

  async function daysLeft(place: string): Promise<number> {
    const { endsMs, fault } = await readCertificate(place);
    assert.equal(fault, undefined);
    return Math.round((endsMs! - Date.now()) / DAY_MS);
  }

  test('a file expires with its certificate, a chain with the first one to expire', async () => {
    assert.equal(await daysLeft(fileOf('90.pem')), 90);
    assert.equal(await daysLeft(fileOf('chain.pem')), 5);
  });

  test('a server expires with the certificate it presents, even a self-signed one', async () => {
    const server = createServer({
      key: readFileSync(fileOf('5.key')),
      cert: readFileSync(fileOf('5.pem')),
    });
    const port = await listen(server);
    assert.equal(await daysLeft(`127.0.0.1:${port}`), 5);
    await close(server);
  });

  test('an unreadable source has a fault and no expiry', async () => {
    // The client might disconnect first.
    const plain = createPlainServer((socket) =>
      socket.on('error', () => {}).end('no TLS here', () => socket.destroy()),
    );
    const port = await listen(plain);
    for (const place of [fileOf('gone.pem'), fileOf('text.pem'), `127.0.0.1:${port}`]) {
      const { endsMs, fault } = await readCertificate(place);
      assert.equal(endsMs, undefined, place);
      assert.notEqual(fault, undefined, place);
    }
    await close(plain);
  });

  test('host and port are a server, and everything else is a file', () => {
    for (const [place, isOne] of [
      ['exchange.example:443', true],
      ['/etc/tls/exchange.pem', false],
      ['./a:b', false],
      ['exchange.pem', false],
    ] as const) {
      assert.equal(isServer(place), isOne, place);
    }
  });
});

type Server = ReturnType<typeof createPlainServer>;

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
