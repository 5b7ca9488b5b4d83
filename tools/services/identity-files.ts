// Files of all identities in one folder: a seed for each process, the public keys for the
// sequencers, and the users with their permissions for NATS. Existing files are kept; only a
// rotation changes a key.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  drawKey,
  IDENTITIES,
  type IdentityName,
  natsPermissions,
  readPublicKeys,
  SANDBOX_IDENTITY,
} from '../../infra/identities/index.ts';

export interface IdentityFilesOptions {
  readonly folder: string;
  readonly exchange: string;
  /** Includes the identity for tests and seeds, which has every permission. Never in production. */
  readonly withSandbox: boolean;
  /** Generates a new key for this identity. The old one is accepted until it is retired. */
  readonly rotate?: IdentityName | undefined;
  /** Accepts only the newest key of this identity after that. */
  readonly retire?: IdentityName | undefined;
}

export interface IdentityFiles {
  /** Public keys: RIALTO_IDENTITIES_FILE of the sequencers. */
  readonly identitiesFile: string;
  /** The `authorization` block, to be included in each NATS server's configuration. */
  readonly usersFile: string;
  /** RIALTO_IDENTITY_KEY_FILE of the process. */
  seedFile(identity: string): string;
}

/** Only the owner can read a seed. */
const SEED_MODE = 0o600;
const HEADER = '# The public key of each identity. An identity has two while its key is changed.';

export function writeIdentityFiles(options: IdentityFilesOptions): IdentityFiles {
  const folder = resolve(options.folder);
  const { exchange, retire, rotate, withSandbox } = options;
  const seedFile = (identity: string) => join(folder, `${identity}.nkey`);
  const identitiesFile = join(folder, 'identities');
  const usersFile = join(folder, 'nats-users.conf');
  mkdirSync(folder, { recursive: true });
  const known = existsSync(identitiesFile) ? readPublicKeys(identitiesFile) : new Map();
  const names: IdentityName[] = withSandbox ? [...IDENTITIES, SANDBOX_IDENTITY] : [...IDENTITIES];
  const keys = new Map<IdentityName, readonly string[]>();
  for (const name of names) {
    const before: readonly string[] = known.get(name) ?? [];
    const needsKey = before.length === 0 || !existsSync(seedFile(name)) || name === rotate;
    const kept = name === retire ? before.slice(-1) : before;
    keys.set(name, needsKey ? [...kept.slice(-1), writeSeed(seedFile(name))] : kept);
  }
  const lines = [...keys].flatMap(([name, own]) => own.map((key) => `${name} ${key}`));
  writeFileSync(identitiesFile, `${[HEADER, ...lines].join('\n')}\n`);
  const password = withSandbox ? readSeed(seedFile(SANDBOX_IDENTITY)) : undefined;
  writeFileSync(usersFile, usersText(exchange, keys, password), { mode: SEED_MODE });
  return { identitiesFile, usersFile, seedFile };
}

function writeSeed(file: string): string {
  const { publicKey, seed } = drawKey();
  writeFileSync(file, `${seed}\n`, { mode: SEED_MODE });
  return publicKey;
}

function usersText(
  exchange: string,
  keys: ReadonlyMap<IdentityName, readonly string[]>,
  sandboxPassword: string | undefined,
): string {
  const withSandbox = sandboxPassword !== undefined;
  const permissions = natsPermissions(exchange, { withSandbox });
  // Test programs name it in their URLs.
  const passwordUser = withSandbox
    ? [`    { user: ${SANDBOX_IDENTITY}, password: ${JSON.stringify(sandboxPassword)} }`]
    : [];
  const users = [...permissions].flatMap(([name, { publish, subscribe }]) =>
    (keys.get(name) ?? []).flatMap((key) => [
      `    # ${name}`,
      `    { nkey: ${key}, permissions: {`,
      `      publish: { allow: ${JSON.stringify(publish)} }`,
      `      subscribe: { allow: ${JSON.stringify(subscribe)} }`,
      '    } }',
    ]),
  );
  return ['authorization {', '  users: [', ...users, ...passwordUser, '  ]', '}', ''].join('\n');
}

export function readSeed(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
