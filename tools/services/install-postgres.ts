// Finds the programs of a PostgreSQL server, or installs Debian's package, which needs root. The
// installation never creates Debian's default cluster, so no server runs on the default port.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installDebian } from './install-debian.ts';
import { runProgram } from './run-program.ts';
import { hasServerUser, missingUserText } from './server-user.ts';

export const postgresVersionMin = 15;

const debianFolder = '/usr/lib/postgresql';
const clusterDefaults = '/etc/postgresql-common/createcluster.conf';

/** Folder with `initdb` and `postgres`. */
export async function installPostgres(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const tried: string[] = [];
  const found = await findPostgres(environment, tried);
  if (found !== undefined) return found;
  if (isNamed(environment)) throw new Error(requirement(tried));
  forbidDefaultCluster();
  const installed = await installDebian({
    packages: ['postgresql'],
    find: () => findPostgres(environment, []),
    tried,
  });
  if (installed !== undefined) return installed;
  throw new Error(requirement(tried));
}

/**
 * Returns folders to search, best first: RIALTO_POSTGRES_BIN only, or Debian's newest, then PATH.
 */
export function candidateFolders(
  environment: NodeJS.ProcessEnv,
  debianVersions: readonly string[],
): string[] {
  const named = environment.RIALTO_POSTGRES_BIN;
  if (named !== undefined && isNamed(environment)) return [named];
  const versions = debianVersions.filter((name) => /^\d+$/.test(name)).map(Number);
  versions.sort((a, b) => b - a);
  const path = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...versions.map((version) => join(debianFolder, String(version), 'bin')), ...path];
}

function isNamed({ RIALTO_POSTGRES_BIN }: NodeJS.ProcessEnv): boolean {
  return RIALTO_POSTGRES_BIN !== undefined && RIALTO_POSTGRES_BIN !== '';
}

/** Returns the major version in the output of `postgres --version`. */
export function parsePostgresVersion(output: string): number | undefined {
  const major = output.match(/^postgres \(PostgreSQL\) (\d+)/m)?.[1];
  return major === undefined ? undefined : Number(major);
}

async function findPostgres(
  environment: NodeJS.ProcessEnv,
  tried: string[],
): Promise<string | undefined> {
  const debianVersions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const candidates = candidateFolders(environment, debianVersions);
  const complete = candidates.filter((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  );
  for (const folder of complete) {
    const { output } = await runProgram(join(folder, 'postgres'), ['--version']);
    const version = parsePostgresVersion(output);
    const reason = refusePostgres(output, version);
    if (reason === undefined) return folder;
    tried.push(`${folder}: ${reason}`);
  }
  if (complete.length === 0) {
    tried.push(`initdb and postgres in ${candidates.join(', ')}: not found`);
  }
  return undefined;
}

// While Debian installs the package, the programs exist shortly before the user.
function refusePostgres(output: string, version: number | undefined): string | undefined {
  if (version === undefined) return `printed no version but "${output.trim()}"`;
  if (version < postgresVersionMin) return `is version ${version}, which is too old`;
  return hasServerUser() ? undefined : missingUserText;
}

// Debian reads this file when it installs a server; the last value of a setting wins.
function forbidDefaultCluster(): void {
  if (process.getuid?.() !== 0) return;
  const before = existsSync(clusterDefaults) ? readFileSync(clusterDefaults, 'utf8') : '';
  const line = 'create_main_cluster = false\n';
  if (before.endsWith(line)) return;
  mkdirSync(dirname(clusterDefaults), { recursive: true });
  writeFileSync(clusterDefaults, before === '' ? line : `${before}\n${line}`);
}

function requirement(tried: readonly string[]): string {
  return [
    `Rialto needs PostgreSQL ${postgresVersionMin} or newer. Attempts:`,
    ...tried.map((line) => `  - ${line}`),
    'Install it as root (on Debian: apt-get install postgresql), or set the folder of its',
    'programs: RIALTO_POSTGRES_BIN=/path/to/bin',
  ].join('\n');
}
