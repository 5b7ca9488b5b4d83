// Programs that check and build the files in deploy/: found on the machine, or installed from
// Debian packages.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebian } from './install-debian.ts';

/** Debian package of each program. */
const PACKAGES = {
  buildah: 'buildah',
  caddy: 'caddy',
  curl: 'curl',
  'docker-compose': 'docker-compose',
  faketime: 'faketime',
  mmdebstrap: 'mmdebstrap',
  nginx: 'nginx-light',
  openssl: 'openssl',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
  'systemd-sysusers': 'systemd',
} as const;

export type DeploymentProgram = keyof typeof PACKAGES;

const NAMES = Object.keys(PACKAGES) as DeploymentProgram[];

/** Resolves with the program names; throws if one is missing and cannot be installed. */
export async function installDeploymentPrograms(): Promise<string> {
  const missing = () => NAMES.filter((name) => findProgram(name) === undefined);
  const before = missing();
  if (before.length === 0) return NAMES.join(', ');
  const tried: string[] = [];
  const installed = await installDebian({
    packages: [...new Set(before.map((name) => PACKAGES[name]))],
    find: () => (missing().length === 0 ? NAMES.join(', ') : undefined),
    tried,
  });
  if (installed !== undefined) return installed;
  throw new Error(
    [
      `These programs are missing: ${missing().join(', ')}. Attempts:`,
      ...tried.map((line) => `  - ${line}`),
      'Install them (on Debian, as root: npm run services -- install).',
    ].join('\n'),
  );
}

/** Returns the path of an installed program. */
export function programPath(name: DeploymentProgram): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`${name} is not installed: npm run services -- install`);
  return path;
}

function findProgram(name: DeploymentProgram): string | undefined {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  // Servers are in folders that a user's PATH might lack.
  const folders = [...path, '/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
