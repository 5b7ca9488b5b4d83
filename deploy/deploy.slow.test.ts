// Tests that the programs that read the deployment files accept them: Prometheus, systemd, Compose,
// PostgreSQL and NATS. Paths on an installed machine are replaced with test paths.

import assert from 'node:assert/strict';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SETTINGS } from '../infra/settings/index.ts';
import { ALONE, processesOf, serviceOf } from '../tools/machines/layout.ts';
import {
  type DeploymentProgram,
  installDeploymentPrograms,
  programPath,
} from '../tools/services/deployment-programs.ts';
import { installNats } from '../tools/services/install-nats.ts';
import { installPostgres } from '../tools/services/install-postgres.ts';
import { runProgram } from '../tools/services/run-program.ts';
import { GROUPS } from '../tools/start/process-names.ts';
import { alertTests, casesOf } from './prometheus/alert-cases.ts';
import { readAlertRules } from './prometheus/alert-rules.ts';

const ROOT = join(import.meta.dirname, '..');
const CLI = join(ROOT, 'tools/cli/main.ts');
const PUBLIC_URL = ['--public-url', 'https://exchange.example.com'];
const PROCESSES = processesOf(0, [ALONE]).map(({ name }) => name);
const folder = mkdtempSync(join(tmpdir(), 'rialto-deploy-'));
/** Written by `rialto init`. */
const etc = join(folder, 'etc');

before(async () => {
  await installDeploymentPrograms();
  await succeeds(process.execPath, [CLI, 'init', etc, ...PUBLIC_URL]);
});

after(() => rmSync(folder, { recursive: true }));

async function succeeds(program: string, args: readonly string[]): Promise<string> {
  const { output, succeeded } = await runProgram(program, args, { folder });
  assert.ok(succeeded, `${program} ${args.join(' ')}\n${output}`);
  return output;
}

const run = (program: DeploymentProgram, args: readonly string[]): Promise<string> =>
  succeeds(programPath(program), args);

/** Copies a file in deploy/, with this test's paths. */
function copied(file: string, name: string, extra: Readonly<Record<string, string>> = {}): string {
  let text = readFileSync(join(ROOT, 'deploy', file), 'utf8');
  const paths = { '/etc/rialto': etc, ...extra };
  for (const [from, to] of Object.entries(paths)) text = text.replaceAll(from, to);
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test('promtool accepts the scrape configuration and the rules', async () => {
  cpSync(join(ROOT, 'deploy/prometheus'), join(folder, 'prometheus'), { recursive: true });
  const config = await run('promtool', ['check', 'config', 'prometheus/prometheus.yaml']);
  assert.match(config, /SUCCESS: .*prometheus\.yaml is valid/);
  const rules = await run('promtool', ['check', 'rules', '--lint=all', 'prometheus/rules.yaml']);
  assert.match(rules, /SUCCESS: \d+ rules found/);
  assert.doesNotMatch(rules, /duplicate/);
});

test('each alert fires on its fault, and none on a healthy exchange', async () => {
  const rules = readAlertRules();
  const own = rules.filter(({ labels }) => labels.source === 'prometheus');
  assert.deepEqual(
    casesOf().map(({ alert, severity }) => `${alert} ${severity}`),
    own.map(({ labels, name }) => `${name} ${labels.severity}`),
  );
  const file = join(folder, 'alert-tests.json');
  const rulesFile = join(ROOT, 'deploy/prometheus/rules.yaml');
  writeFileSync(file, JSON.stringify(alertTests(rulesFile, rules)));
  assert.match(await run('promtool', ['test', 'rules', file]), /SUCCESS/);
});

const UNITS = [
  'rialto@sequencer',
  'rialto@archivist',
  'rialto@gateway-http',
  'rialto@exchange',
  'rialto@public',
  'rialto@operators',
  'rialto-nats@n1',
];
/** Exposure score from 0 (best) to 10. */
const EXPOSURE_MAX = 1.5;

test('systemd accepts the units and rates their exposure as low', async () => {
  // Programs on an installed machine.
  const programs = { '/opt/rialto': ROOT, '/usr/bin/nats-server': process.execPath };
  const units = UNITS.map((unit) => {
    const template = unit.replace(/@.*/, '@.service');
    return copied(`systemd/${template}`, `units/${unit}.service`, programs);
  });
  for (const drop of globSync('*.service.d/*', { cwd: join(ROOT, 'deploy/systemd') })) {
    copied(`systemd/${drop}`, `units/${drop}`, programs);
  }
  assert.equal(await run('systemd-analyze', ['verify', '--man=no', ...units]), '');
  for (const unit of units) {
    const security = ['security', '--offline=true', `--threshold=${EXPOSURE_MAX * 10}`, unit];
    await run('systemd-analyze', ['--no-pager', ...security]);
  }
});

test('systemd creates a user per service and the group that can read the access key', async () => {
  const root = join(folder, 'root');
  mkdirSync(join(root, 'etc'), { recursive: true });
  await run('systemd-sysusers', [`--root=${root}`, join(ROOT, 'deploy/systemd/sysusers.conf')]);
  const users = readFileSync(join(root, 'etc/passwd'), 'utf8');
  const shared = Object.keys(GROUPS);
  for (const service of [...PROCESSES, ...shared]) {
    assert.match(users, new RegExp(`^rialto-${service}:x:.*:/usr/sbin/nologin$`, 'm'));
  }
  const withKey = SETTINGS.accessKeyFile.usedBy.filter((program) => program !== 'tools');
  const groups = readFileSync(join(root, 'etc/group'), 'utf8');
  const [, members] = groups.match(/^rialto-keys:x:\d+:(.*)$/m) ?? [];
  const alone = PROCESSES.filter((name) => withKey.some((program) => program === serviceOf(name)));
  const expected = [...alone, ...shared].map((name) => `rialto-${name}`);
  assert.deepEqual(members?.split(',').sort(), expected.sort());
});

test('Compose starts every production service on one machine', async () => {
  const { started, spares } = await composed(copied('compose.yaml', 'compose.yaml'));
  assert.deepEqual(started, [...PROCESSES, 'nats-1', 'nats-2', 'nats-3'].sort());
  assert.deepEqual(spares, []);
});

test('Compose starts the processes on each of three machines', async () => {
  const folders = join(folder, 'three');
  const names = 'm1=10.0.0.1,m2=10.0.0.2,m3=10.0.0.3';
  await succeeds(process.execPath, [CLI, 'init', folders, ...PUBLIC_URL, '--machines', names]);
  const listed = (machine: string, file: string) =>
    readFileSync(join(folders, machine, file), 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean);
  for (const [at, machine] of ['m1', 'm2', 'm3'].entries()) {
    const name = `compose-${machine}.yaml`;
    const found = await composed(copied(name, name, { [etc]: join(folders, machine) }));
    const processes = [...listed(machine, 'processes'), `nats-${at + 1}`];
    assert.deepEqual(found.started, processes.sort());
    assert.deepEqual(found.spares, listed(machine, 'spare-processes').sort());
  }
});

/** Services in a file, with and without the profile `spare`. */
async function composed(file: string) {
  const text = await run('docker-compose', ['-f', file, 'config']);
  const [, services = ''] = text.split(/^services:\n/m);
  const found = [...services.matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n)*)/gm)];
  const named = (isSpare: boolean) =>
    found
      .filter(([, , lines]) => /^ {4}profiles:\n {4}- spare\n/m.test(lines) === isSpare)
      .map(([, name]) => name)
      .sort();
  return { started: named(false), spares: named(true) };
}

test('PostgreSQL accepts its settings', async () => {
  const data = join(folder, 'postgres');
  mkdirSync(data);
  const files = [join(etc, 'postgres/rialto.conf'), join(ROOT, 'deploy/postgres/tuning.conf')];
  const config = join(data, 'postgresql.conf');
  writeFileSync(config, files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  const postgres = join(await installPostgres(), 'postgres');
  const show = (name: string) => succeeds(postgres, ['-C', name, '-D', data]);
  assert.match(await show('shared_buffers'), /^262144$/m);
  assert.match(await show('max_connections'), /^150$/m);
});

test('NATS accepts the configuration of each server', async () => {
  const server = await installNats();
  for (const name of ['n1', 'n2', 'n3']) {
    const output = await succeeds(server, ['-t', '-c', join(etc, `nats/${name}.conf`)]);
    assert.match(output, /configuration file .* is valid/);
  }
});
