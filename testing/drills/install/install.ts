// Follows the handbook literally: builds a release as described in RELEASING.md, and runs every
// block of docs/operating/install.md in an empty Debian, up to a first trade over TLS. Then runs
// the same exchange from the image, and measures startup time and memory of each service.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  installDeploymentPrograms,
  programPath,
} from '../../../tools/services/deployment-programs.ts';
import { installNats } from '../../../tools/services/install-nats.ts';
import { tableLines } from '../../../tools/text-table.ts';
import { snippetsOf } from '../../guides/snippets.ts';
import { Machine, makeBase, mustRun } from './machine.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FILES = ['rialto.tar.gz', 'sbom.spdx.json', 'SHA256SUMS', 'SHA256SUMS.sig'];
/** Operator's folder in the machine. */
const HOME = 'home/operator';
const WORK = `${HOME}/release`;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  await installDeploymentPrograms();
  const folder = process.env.RIALTO_DRILL_FOLDER ?? mkdtempSync(join(tmpdir(), 'rialto-install-'));
  const step = stopwatch();
  try {
    const release = join(folder, 'checkout/dist');
    if (!existsSync(release)) await buildRelease(folder);
    step('release built');
    const base = join(folder, 'base.tar');
    if (!existsSync(base)) await makeBase(base);
    step('empty Debian created');
    const image = await buildImage(folder, join(release, 'rialto'));
    step('image built');
    const machine = new Machine(join(folder, 'machine'));
    await machine.unpack(base);
    await prepare(machine, release, folder);
    const blocks = blocksOf('docs/operating/install.md');
    await machine.session({ hasNetwork: true, inside: blocks[0] });
    step('packages installed');
    const measure = quick ? [200, 10] : [1_000, 60];
    const output = await machine.session({
      hasNetwork: false,
      inside: insideScript(blocks.slice(1)),
      outside: [
        `export ${Object.entries(storage(folder))
          .map(([k, v]) => `${k}=${v}`)
          .join(' ')}`,
        `export NODE_EXTRA_CA_CERTS=${machine.folder}/home/operator/proxy-ca.pem`,
        // The exchange's name resolves to the machine, also outside of it.
        `mount --bind ${machine.folder}/etc/hosts /etc/hosts`,
        [process.execPath, join(import.meta.dirname, 'containers/main.ts'), image.container]
          .concat(machine.folder, measure.map(String))
          .join(' '),
      ].join('\n'),
      environment: { HOME: `/${HOME}`, NODE_EXTRA_CA_CERTS: `/${HOME}/proxy-ca.pem` },
    });
    step('handbook followed, and services run from the image');
    return report(output, { blocks: blocks.length, image, release });
  } finally {
    if (process.env.RIALTO_DRILL_FOLDER === undefined) rmSync(folder, { recursive: true });
  }
}

/** Returns the blocks that a reader runs, in order. */
function blocksOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return snippetsOf(page, text)
    .filter(({ language, notRun }) => language === 'sh' && notRun === undefined)
    .map((block) => block.text);
}

/** In a clean clone, so nothing from the working copy is included. */
async function buildRelease(folder: string): Promise<void> {
  const checkout = join(folder, 'checkout');
  const key = join(folder, 'release-key');
  await mustRun('git', ['clone', '--quiet', '--shared', ROOT, checkout]);
  rmSync(key, { force: true });
  await mustRun('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'rialto', '-f', key]);
  const script = blocksOf('RELEASING.md').join('\n');
  await mustRun('bash', [
    '-euo',
    'pipefail',
    '-c',
    `cd ${checkout}; RELEASE_KEY=${key}\n${script}`,
  ]);
}

function storage(folder: string): Readonly<Record<string, string>> {
  return {
    STORAGE_DRIVER: 'vfs',
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    BUILDAH_ISOLATION: 'chroot',
  };
}

interface Image {
  readonly container: string;
  readonly bytes: number;
}

/** Requires `base.tar` in the folder. */
async function buildImage(folder: string, release: string): Promise<Image> {
  const lines = ['[storage]', 'driver = "vfs"'];
  for (const name of ['graphroot', 'runroot']) lines.push(`${name} = "${join(folder, name)}"`);
  writeFileSync(join(folder, 'storage.conf'), `${lines.join('\n')}\n`);
  Object.assign(process.env, storage(folder));
  const buildah = programPath('buildah');
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nADD base.tar /\nCMD ["/bin/sh"]\n');
  const files = ['-f', join(folder, 'Dockerfile'), '-t', 'localhost/debian'];
  await mustRun(buildah, ['build', '--quiet', ...files, folder]);
  const commit = readFileSync(join(release, 'release.env'), 'utf8').trim().split('=')[1];
  await mustRun(buildah, [
    ...'build --quiet --format docker -t localhost/rialto --build-arg BASE=localhost/debian'.split(
      ' ',
    ),
    '--build-arg',
    `COMMIT=${commit}`,
    '-f',
    join(release, 'deploy/Dockerfile'),
    '--ignorefile',
    join(release, 'deploy/Dockerfile.dockerignore'),
    release,
  ]);
  const [container] = (await mustRun(buildah, ['from', '--pull-never', 'localhost/rialto']))
    .trim()
    .split('\n')
    .slice(-1);
  const mounted = (await mustRun(buildah, ['mount', container])).trim();
  const used = await mustRun('du', ['--summarize', '--bytes', mounted]);
  return { container, bytes: Number(used.split('\t')[0]) };
}

/** Prerequisites on the page: the release, NATS, and a certificate for the name. */
async function prepare(machine: Machine, release: string, folder: string): Promise<void> {
  const work = join(machine.folder, WORK);
  mkdirSync(work, { recursive: true });
  for (const name of FILES) copyFileSync(join(release, name), join(work, name));
  const publicKey = readFileSync(join(folder, 'release-key.pub'), 'utf8');
  machine.write(`${WORK}/allowed_signers`, `rialto ${publicKey}`);
  const nats = await installNats();
  const server = nats.includes('/') ? nats : (await mustRun('which', [nats])).trim();
  copyFileSync(server, join(work, 'nats-server'));
  machine.write('etc/hosts', '127.0.0.1 localhost exchange.example.com\n');
  const proxy = join(folder, 'proxy');
  mkdirSync(proxy, { recursive: true });
  const key = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2';
  const name = '-subj /CN=exchange.example.com -addext subjectAltName=DNS:exchange.example.com';
  const files = `-keyout ${proxy}/key.pem -out ${proxy}/certificate.pem`;
  await mustRun(programPath('openssl'), `${key} ${name} ${files}`.split(' '));
  const certificate = readFileSync(join(proxy, 'certificate.pem'), 'utf8');
  machine.write(`${HOME}/proxy-ca.pem`, certificate);
  machine.write(`${WORK}/certificate.pem`, certificate);
  machine.write(`${WORK}/key.pem`, readFileSync(join(proxy, 'key.pem'), 'utf8'), 0o600);
  // The owner trusts the certificate's authority, like a public one.
  const trust = [
    'apt-get update -qq',
    'apt-get install -y -qq --no-install-recommends systemd',
    `cp /${HOME}/proxy-ca.pem /usr/local/share/ca-certificates/exchange.crt`,
    'update-ca-certificates',
  ];
  await machine.session({ hasNetwork: true, inside: trust.join('\n') });
}

/** Joins the blocks into one script, which then stops the services to make room for the image's. */
function insideScript(blocks: readonly string[]): string {
  const told = blocks.map((block, at) => `echo "block ${at + 2}"\ncd /${WORK}\n${block}`);
  return [
    ...told,
    'for name in $(cat /etc/rialto/processes); do systemctl stop "rialto@$name"; done',
  ].join('\n');
}

interface Measured {
  readonly placed: number;
  readonly refused: number;
  readonly ordersPerSecond: number;
  readonly services: readonly Readonly<Record<string, string | number>>[];
}

function report(
  output: string,
  { blocks, image, release }: { blocks: number; image: Image; release: string },
): Record<string, unknown> {
  const lines = output.trim().split('\n');
  const measured: Measured = JSON.parse(lines.at(-1)!);
  const isTraded = output.includes('first trade: 0.005 btc at 60000 usdt');
  const names = ['service', 'startMs', 'idleMb', 'idleShareMb', 'busyMb', 'busyShareMb'];
  const rows = measured.services.map((one) => names.map((name) => String(one[name])));
  for (const line of tableLines(names.map((title) => ({ title })) as never, rows))
    console.log(line);
  if (!isTraded) throw new Error(`no first trade:\n${output.slice(-3_000)}`);
  return {
    blocks,
    firstTrade: isTraded,
    imageMb: Math.round(image.bytes / 1e6),
    archiveMb: Math.round(statSync(join(release, 'rialto.tar.gz')).size / 1e6),
    ordersPerSecond: measured.ordersPerSecond,
    placed: measured.placed,
    refused: measured.refused,
  };
}

function stopwatch(): (what: string) => void {
  let lastMs = performance.now();
  return (what) => {
    const nowMs = performance.now();
    console.log(`${what}: ${((nowMs - lastMs) / 1_000).toFixed(1)} s`);
    lastMs = nowMs;
  };
}
