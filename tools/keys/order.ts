// What was asked of the keys tool, read from the command line and the environment.

import { parseArgs } from 'node:util';
import { accessSettings } from '../../domain/credentials/index.ts';
import { registrySettings } from '../../domain/migrations/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import { type ConfigOf, list, oneOf, readConfig, text } from '../../infra/process/index.ts';

export const usage = `Usage: node tools/keys/main.ts COMMAND
  create --user U [--name N] [--trade] [--withdraw] [--role admin] [--ips A,B] [--ed25519]
  list --user U
  revoke --user U --key ID
  user create --email E [--role R]
  session create --user U [--long]
U is an e-mail address or a user's number. Where things are, is read from the environment:
RIALTO_POSTGRES_URL, RIALTO_REGISTRY_SCHEMA, RIALTO_ACCESS_KEY_FILE, RIALTO_NATS_URLS.`;

export type KeysCommand = 'create' | 'list' | 'revoke' | 'user create' | 'session create';

export interface KeysOrder {
  readonly command: KeysCommand;
  readonly user: string;
  readonly email: string;
  readonly name: string;
  readonly trade: boolean;
  readonly withdraw: boolean;
  readonly role: string | undefined;
  readonly ips: readonly string[];
  readonly ed25519: boolean;
  readonly key: number;
  readonly long: boolean;
}

const settings = {
  ...postgresSettings,
  ...registrySettings,
  ...accessSettings,
  mode: oneOf('RIALTO_MODE', ['production', 'development'], 'production'),
  exchange: text('RIALTO_EXCHANGE', { fallback: 'rialto' }),
  natsUrls: list('RIALTO_NATS_URLS', { fallback: [], of: 'nats:// URLs' }),
};

export type KeysConfig = ConfigOf<typeof settings>;

export function keysConfig(environment: NodeJS.ProcessEnv): KeysConfig {
  // A whole environment of a service may stand there.
  const names = Object.values(settings).map(({ name }) => name);
  const ours = Object.fromEntries(names.map((name) => [name, environment[name]]));
  return readConfig(ours, settings);
}

const WANTED: Record<KeysCommand, readonly string[]> = {
  create: ['user'],
  list: ['user'],
  revoke: ['user', 'key'],
  'user create': ['email'],
  'session create': ['user'],
};

/** Throws an error that says what is wrong. */
export function readOrder(args: readonly string[]): KeysOrder {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      user: { type: 'string' },
      email: { type: 'string' },
      name: { type: 'string', default: 'key' },
      trade: { type: 'boolean', default: false },
      withdraw: { type: 'boolean', default: false },
      role: { type: 'string' },
      ips: { type: 'string' },
      ed25519: { type: 'boolean', default: false },
      key: { type: 'string' },
      long: { type: 'boolean', default: false },
    },
  });
  const command = positionals.join(' ') as KeysCommand;
  if (!Object.hasOwn(WANTED, command)) throw new Error(`there is no command '${command}'`);
  const given: Record<string, unknown> = values;
  for (const name of WANTED[command]) {
    if (given[name] === undefined) throw new Error(`${command} needs --${name}`);
  }
  const { email = '', ips, key = '0', role, user = '' } = values;
  if (!/^\d{1,10}$/.test(key)) throw new Error('--key is a number');
  if (command === 'create' && role !== undefined && role !== 'user' && role !== 'admin') {
    throw new Error("a key's role is user or admin");
  }
  const { ed25519, long, name, trade, withdraw } = values;
  const asked = { command, user, email, name, trade, withdraw, role, ed25519, long };
  return { ...asked, ips: ips === undefined ? [] : ips.split(','), key: Number(key) };
}
