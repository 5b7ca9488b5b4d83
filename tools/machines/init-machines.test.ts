// `rialto init` for one machine and for three: every process accepts its settings in production,
// every machine has only the secrets that its processes need, and certificates name their servers.

import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseEnv } from 'node:util';
import { AddressList } from '../../infra/access/index.ts';
import { gatewayIdentity, openIdentity, streamIdentity } from '../../infra/identities/index.ts';
import { postgresAddress } from '../../infra/postgres/index.ts';
import { readServiceConfig, type ServiceName } from '../../infra/settings/index.ts';
import { linkSecurity } from '../../services/sequencer/link-security.ts';
import { initMachines, parseMachines } from './init-machines.ts';
import { type ProcessName, processesOf, serviceOf } from './layout.ts';
import { renewCertificates } from './renew-certificates.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'rialto-init-'));
after(() => rmSync(folder, { recursive: true }));

const publicUrl = 'https://exchange.example.com';
const machines = parseMachines('m1=10.0.0.1,m2=10.0.0.2,m3=10.0.0.3') ?? [];
const [one, three] = [join(folder, 'one'), join(folder, 'three')];
initMachines({ folder: one, publicUrl });
initMachines({ folder: three, publicUrl, adminUrl: 'https://ops.example.com', machines });

/** Returns the identity that a process with these settings uses. */
function identityOf(service: ServiceName, environment: NodeJS.ProcessEnv): string {
  switch (service) {
    case 'gateway-http':
      return gatewayIdentity(readServiceConfig(service, environment).modules);
    case 'gateway-websocket':
      return streamIdentity(readServiceConfig(service, environment).streamAudience);
    default:
      return service;
  }
}

/** Checks the settings like the process itself, before it connects to anything. */
function checkSettings(etc: string, process: ProcessName, custody: NodeJS.Dict<string> = {}) {
  const read = (file: string) => parseEnv(readFileSync(join(etc, file), 'utf8'));
  const environment = { ...read('rialto.env'), ...custody, ...read(`${process}.env`) };
  const service: ServiceName = serviceOf(process);
  const config = readServiceConfig(service, environment);
  assert.equal(config.mode, 'production');
  const identity = identityOf(service, environment);
  assert.equal(identity, process, 'its settings are those of its name');
  assert.match(config.identityKeyFile ?? '', new RegExp(`/${identity}\\.nkey$`));
  assert.ok(openIdentity(identity as 'sequencer', config).tlsCa);
  if ('postgresUrl' in config) {
    const { tls, url } = postgresAddress(config, config.mode);
    assert.ok(tls);
    assert.equal(new URL(url).username, `rialto_${identity.replaceAll('-', '_')}`);
  }
  if ('linkPort' in config) assert.ok(linkSecurity(config).tls);
  return config;
}

test('every process of one machine accepts its settings in production', () => {
  for (const { name } of processesOf(0, [machines[0]])) checkSettings(one, name);
  assert.deepEqual(readdirSync(join(one, 'nats')), ['n1.conf', 'n2.conf', 'n3.conf']);
});

test('the chain watcher has its files on one machine, and reads the custody file', () => {
  const second = join(three, 'm2');
  for (const etc of [one, second]) {
    const file = join(etc, 'chain-watcher.env');
    assert.match(readFileSync(file, 'utf8'), /^# .*Start it when custody is set up\.\n/);
    const list = readFileSync(join(etc, 'processes'), 'utf8');
    assert.doesNotMatch(list, /chain-watcher/, 'an operator starts it');
    for (const name of ['identities/chain-watcher.nkey', 'postgres/chain-watcher.url']) {
      assert.ok(existsSync(join(etc, name)), name);
    }
  }
  assert.ok(!existsSync(join(three, 'm1/chain-watcher.env')));
  assert.equal(
    parseEnv(readFileSync(join(one, 'chain-watcher.env'), 'utf8')).RIALTO_HEALTH_PORT,
    '9414',
  );
  const own = { RIALTO_CUSTODY_FILE: '/c.json', RIALTO_NODES_FILE: '/n.json' };
  for (const name of [
    'chain-watcher',
    'outbox-dispatcher',
    'reconciler',
    'gateway-admin',
  ] as const) {
    const config = checkSettings(one, name, own);
    assert.ok('custodyFile' in config && config.custodyFile === '/c.json', name);
  }
});

test('on one machine, public, identity and operator routes have separate processes', () => {
  const modulesOf = (process: ProcessName) => {
    const config = checkSettings(one, process);
    assert.ok('modules' in config);
    return config;
  };
  assert.deepEqual(modulesOf('gateway-http').modules, ['public', 'user']);
  assert.equal(`${modulesOf('gateway-http').identityUrl}`, 'http://127.0.0.1:8083/');
  assert.deepEqual(modulesOf('gateway-identity').modules, ['identity']);
  const operators = modulesOf('gateway-admin');
  assert.ok(operators.modules.includes('admin'));
  assert.equal(operators.publicUrl, 'https://exchange.example.com:8443');
  const networks = new AddressList(operators.operatorAddresses, { hasAnyPrefix: true });
  for (const inner of ['127.0.0.1', '::1', '10.1.2.3', '172.20.0.1', '192.168.3.4', 'fd00::7']) {
    assert.ok(networks.has(inner), inner);
  }
  for (const outer of ['192.0.2.1', '2001:db8::1']) assert.ok(!networks.has(outer), outer);
  assert.deepEqual(
    ['gateway-http', 'gateway-identity', 'gateway-admin'].map(
      (name) => new URL(readFileSync(join(one, `postgres/${name}.url`), 'utf8')).username,
    ),
    ['rialto_gateway_http', 'rialto_gateway_identity', 'rialto_gateway_admin'],
  );
});

test('operators have a stream gateway at the address of their routes', () => {
  const configOf = (process: ProcessName) => {
    const config = checkSettings(one, process);
    assert.ok('streamAudience' in config);
    return config;
  };
  const [users, operators] = [configOf('gateway-websocket'), configOf('gateway-ws-admin')];
  assert.deepEqual([users.streamAudience, operators.streamAudience], ['users', 'operators']);
  assert.equal(operators.publicUrl, 'https://exchange.example.com:8443');
  for (const [process, stream] of [
    ['gateway-http', users],
    ['gateway-admin', operators],
  ] as const) {
    const config = checkSettings(one, process);
    assert.ok('streamUrl' in config);
    assert.equal(`${config.streamUrl}`, `ws://127.0.0.1:${stream.streamPort}/`);
  }
});

test('the proxy files admit operators from the addresses that init writes', () => {
  const settings = parseEnv(readFileSync(join(one, 'gateway-admin.env'), 'utf8'));
  const operatorAddresses = settings.RIALTO_OPERATOR_ADDRESSES?.split(',') ?? [];
  assert.ok(operatorAddresses.length > 0);
  const nginx = readFileSync(join(ROOT, 'deploy/proxy/nginx.conf'), 'utf8');
  const caddy = readFileSync(join(ROOT, 'deploy/proxy/Caddyfile'), 'utf8');
  const allowed = [...nginx.matchAll(/^ +allow (.+);$/gm)].map(([, address]) => address);
  assert.deepEqual(allowed, operatorAddresses);
  assert.ok(caddy.includes(`not remote_ip ${operatorAddresses.join(' ')}\n`));
});

test('every process of three machines accepts its settings in production', () => {
  for (const [at, { name: machine }] of machines.entries()) {
    const etc = join(three, machine);
    for (const { name } of processesOf(at, machines)) {
      const config = checkSettings(etc, name);
      assert.equal(config.instance, `${name}-${machine}`);
      assert.equal(config.healthHost, machines[at].address);
    }
  }
});

test('a machine has only the keys and passwords that its processes need', () => {
  const list = (name: string, suffix: string) =>
    readdirSync(join(three, name)).filter((file) => file.endsWith(suffix));
  assert.deepEqual(list('m3/identities', '.nkey'), [
    'archivist.nkey',
    'gateway-admin.nkey',
    'gateway-ws-admin.nkey',
    'monitor.nkey',
    'publisher.nkey',
    'sequencer.nkey',
  ]);
  assert.deepEqual(list('m3/postgres', ''), [
    'gateway-admin.url',
    'gateway-ws-admin.url',
    'monitor.url',
  ]);
  assert.ok(!list('m2/postgres', '').includes('owner.url'));
  assert.deepEqual(list('offline', ''), ['KEEP-OFFLINE', 'ca.crt', 'ca.key', 'identities']);
  for (const file of [
    'm1/access-key',
    'm1/postgres/owner.url',
    'm1/tls/nats.key',
    'offline/ca.key',
  ]) {
    assert.equal(statSync(join(three, file)).mode & 0o77, 0, `${file} is private`);
  }
  for (const { name } of machines) assert.ok(!existsSync(join(three, name, 'tls/ca.key')));
});

test('certificates name their servers and are signed by the authority', () => {
  const read = (file: string) => new X509Certificate(readFileSync(join(three, file)));
  const authority = read('offline/ca.crt');
  const rows: [file: string, hosts: string][] = [
    ['m1/tls/nats.crt', 'DNS:m1, IP Address:10.0.0.1'],
    ['m3/tls/link.crt', 'DNS:m3, IP Address:10.0.0.3'],
    ['m2/tls/postgres.crt', 'DNS:m2, IP Address:10.0.0.2, DNS:rialto-db'],
  ];
  for (const [file, hosts] of rows) {
    const certificate = read(file);
    assert.equal(certificate.subjectAltName, hosts);
    assert.ok(certificate.checkIssued(authority) && certificate.verify(authority.publicKey), file);
    assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  }
  assert.ok(!existsSync(join(three, 'm3/tls/postgres.crt')));
  const alone = new X509Certificate(readFileSync(join(one, 'tls/nats.crt')));
  assert.equal(alone.subjectAltName, 'DNS:localhost, IP Address:127.0.0.1');
});

test("PostgreSQL admits the exchange's machines over TLS with passwords", () => {
  const read = (file: string) => readFileSync(join(three, file), 'utf8');
  for (const row of read('m2/postgres/pg_hba.conf').split('\n')) {
    assert.match(row, /^(?:|#.*|local {2}all {2}postgres {2}peer|hostssl .* scram-sha-256)$/);
  }
  assert.equal(read('m3/hosts'), '10.0.0.1 m1\n10.0.0.2 m2\n10.0.0.3 m3\n10.0.0.1 rialto-db\n');
  assert.doesNotMatch(
    read('m1/postgres/create.sql'),
    new RegExp(passwordOf('m1/postgres/owner.url')),
  );
});

function passwordOf(file: string): string {
  return new URL(readFileSync(join(three, file), 'utf8').trim()).password;
}

test('renewed certificates have new keys, the same names and the same uses', () => {
  const renewed = join(folder, 'renewed');
  initMachines({ folder: renewed, publicUrl, machines });
  const machine = join(renewed, 'm2');
  const read = (name: string) => new X509Certificate(readFileSync(join(machine, 'tls', name)));
  const names = ['link.crt', 'nats.crt', 'postgres.crt'];
  const before = names.map(read);
  assert.equal(renewCertificates(machine, join(renewed, 'offline')).length, 3);
  for (const [at, name] of names.entries()) {
    const [old, now] = [before[at], read(name)];
    assert.notEqual(now.fingerprint256, old.fingerprint256);
    assert.deepEqual([now.subjectAltName, now.keyUsage], [old.subjectAltName, old.keyUsage]);
    const key = readFileSync(join(machine, 'tls', name.replace('.crt', '.key')));
    assert.ok(now.checkPrivateKey(createPrivateKey(key)), name);
    assert.ok(!now.publicKey.equals(old.publicKey));
  }
  assert.throws(() => renewCertificates(machine, folder), /ca\.crt does not exist/);
});

test('files name the folder in which they will be installed', () => {
  const installed = join(folder, 'installed');
  const [etc, data] = [() => '/etc/rialto', () => '/srv/rialto'];
  initMachines({ folder: installed, publicUrl, machines, etc, data });
  for (const file of ['m1/rialto.env', 'm3/archivist.env', 'm2/nats/n2.conf']) {
    const text = readFileSync(join(installed, file), 'utf8');
    assert.doesNotMatch(text, new RegExp(folder));
    assert.match(text, /\/etc\/rialto\/|\/srv\/rialto\//);
  }
});

test('the documentation has the same ports as the files', () => {
  const page = readFileSync(join(ROOT, 'docs/operating/three-machines.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+)(?: to (\d+))? \| ([^|]+) \|/gm)];
  const listed = new Set(
    rows.flatMap(([, first, last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at),
    ),
  );
  const files = globSync('**/*.{env,conf,url}', { cwd: three }).filter((file) => /^m\d/.test(file));
  const written = files.flatMap((file) => portsIn(readFileSync(join(three, file), 'utf8')));
  assert.ok(written.length > 50);
  assert.deepEqual(
    [...listed].filter((port) => ![443, 8_443].includes(port)).sort(),
    [...new Set(written)].filter((port) => port !== 25).sort(),
  );
});

function portsIn(text: string): number[] {
  // A random password can begin like a port.
  const open = text.replace(/\/\/[^\s/@]+@/g, '//');
  const found = open.matchAll(/(?:_PORT=|^port = |\/\/[\w.-]+:|"[\d.]+:)(\d{2,5})\b/gm);
  return [...found].map(([, port]) => Number(port));
}

test('three machines have three names and three addresses', () => {
  for (const text of ['m1=10.0.0.1', 'm1=10.0.0.1,m1=10.0.0.2,m3=10.0.0.3', 'm1=x,m2=y,m3=z']) {
    assert.equal(parseMachines(text), undefined, text);
  }
});
