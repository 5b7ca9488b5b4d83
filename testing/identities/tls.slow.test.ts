// TLS with certificates from files: a sequencer and a gateway connect over NATS and the link only
// if the certificate is signed by an authority that the gateway trusts, and never unencrypted.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { connectNats, type Nats, NatsBus } from '../../infra/bus/index.ts';
import { type Outcome, openCommandClient } from '../../infra/command-link/index.ts';
import { type Identity, openIdentity } from '../../infra/identities/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { type SequencerApp, startSequencer } from '../../services/sequencer/app.ts';
import { sequencerConfig } from '../../services/sequencer/config.ts';
import { createLogOnce } from '../../tools/create-log/create-log.ts';
import { type IdentityFiles, writeIdentityFiles } from '../../tools/services/identity-files.ts';
import { type NatsServers, startNats } from '../../tools/services/nats.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { commandOf } from './every-command.ts';

const WITHIN_MS = 20_000;

let folder: string;
let servers: NatsServers;
let files: IdentityFiles;
let sequencer: SequencerApp;
const opened: Nats[] = [];

/** Creates a certificate for this machine with its own authority. */
function certificate(name: string): { certFile: string; keyFile: string } {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const paths = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, ...paths], { stdio: 'ignore' });
  return { certFile, keyFile };
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-tls-'));
  const tls = certificate('server');
  certificate('other');
  files = writeIdentityFiles({ folder, exchange: 'rialto', withSandbox: false });
  servers = await startNats({ folder, nodes: 1, usersFile: files.usersFile, tls });
  const config = sequencerConfig({
    RIALTO_MODE: 'development',
    RIALTO_REPLICAS: '1',
    RIALTO_NATS_URLS: servers.urls.join(','),
    RIALTO_IDENTITY_KEY_FILE: files.seedFile('sequencer'),
    RIALTO_IDENTITIES_FILE: files.identitiesFile,
    RIALTO_TLS_CA_FILE: tls.certFile,
    RIALTO_LINK_CERTIFICATE_FILE: tls.certFile,
    RIALTO_LINK_KEY_FILE: tls.keyFile,
  });
  const identity = openIdentity('sequencer', config);
  const nats = await connectNats({ urls: servers.urls, name: 'create-log', identity });
  await createLogOnce(nats);
  await nats.close();
  sequencer = await startSequencer({
    config,
    log: createLogger({ service: 'sequencer', instance: 'test', level: 'silent' }),
    onEnd: (end) => assert.fail(JSON.stringify(end)),
  });
});

after(async () => {
  await Promise.all(opened.map((nats) => nats.close()));
  await sequencer?.stop();
  await servers?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function identityWith(ca: string | undefined): Identity {
  const mode = 'development';
  const identityKeyFile = files.seedFile('gateway-http');
  return openIdentity('gateway-http', { identityKeyFile, tlsCaFile: ca, mode });
}

async function connectAs(identity: Identity): Promise<Nats> {
  const nats = await connectNats({ urls: servers.urls, name: 'gateway', identity });
  opened.push(nats);
  return nats;
}

async function linkCount(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${sequencer.healthPort}/metrics`)).text();
  return Number(/^rialto_sequencer_link_connections (\d+)$/m.exec(metrics)?.[1]);
}

test('a gateway that trusts the authority uses NATS and the link over TLS', async () => {
  const identity = identityWith(join(folder, 'server.crt'));
  const bus = new NatsBus(await connectAs(identity));
  const client = openCommandClient({ bus, clock: systemClock, exchange: 'rialto', identity });
  await waitUntil({
    what: 'the link is open',
    timeoutMs: WITHIN_MS,
    question: async () => (await linkCount()) === 1,
  });
  const outcome = await new Promise<Outcome>((done) =>
    client.send(commandOf('CancelAllOrders', client.nextId()), WITHIN_MS, done),
  );
  client.close();
  assert.equal(outcome.kind, 'answered');
});

test('a gateway that trusts another authority rejects the link', async () => {
  await waitUntil({
    what: 'the link of the first gateway is closed',
    timeoutMs: WITHIN_MS,
    question: async () => (await linkCount()) === 0,
  });
  const right = identityWith(join(folder, 'server.crt'));
  const bus = new NatsBus(await connectAs(right));
  const identity = { ...right, tlsCa: readFileSync(join(folder, 'other.crt'), 'utf8') };
  const client = openCommandClient({ bus, clock: systemClock, exchange: 'rialto', identity });
  const outcome = await new Promise<Outcome>((done) =>
    client.send(commandOf('CancelAllOrders', client.nextId()), WITHIN_MS, done),
  );
  client.close();
  assert.deepEqual([outcome.kind, await linkCount()], ['answered', 0], 'it used NATS');
});

test('NATS sends nothing unencrypted, and another authority does not trust it', async () => {
  const [{ port }] = servers.nodes;
  const plain = connect({ port, host: '127.0.0.1' });
  plain.write('CONNECT {}\r\nPING\r\n');
  const received: Buffer[] = [];
  plain.on('data', (bytes: Buffer) => received.push(bytes));
  plain.on('error', () => {});
  await new Promise((done) => plain.once('close', done));
  assert.doesNotMatch(Buffer.concat(received).toString(), /INFO|PONG/);

  const ca = readFileSync(join(folder, 'other.crt'), 'utf8');
  const secured = connectTls({ port, host: '127.0.0.1', ca });
  const [fault] = await once(secured, 'error');
  assert.match(String(fault), /self-signed certificate/);
});
