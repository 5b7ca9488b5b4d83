// The request of a keys command line, and the settings that the tool reads.

import type { ParseArgsOptionsConfig } from 'node:util';
import { UsageFault, wholeNumber } from '../command-line.ts';

export const KEYS_USAGE = `Usage: rialto key COMMAND [OPTIONS]

Creates users, API keys and sessions, lists and revokes keys, unfreezes and erases users, says who
may sign up, and rotates the key-encryption keys.

  create          create an API key; its secret is printed once
                    --user U         the owner: an e-mail address or a user number
                    --name N         (default: key)
                    --trade          may place orders
                    --withdraw       may withdraw
                    --role admin     an administrator's key
                    --ips A,B        the only addresses that may use it
                    --ed25519        a key pair instead of a shared secret
  list            list the keys of a user
                    --user U
  revoke          revoke a key
                    --user U --key ID
  user create     create a user
                    --email E [--role R]
  invite          create an invitation to sign up; its code is printed once
                    [--email E]      the only address that may use it; it gets a mail
  sign-up open|closed|invitation
                  everyone may sign up, nobody, or only people with an invitation
  session create  create a login session (only with RIALTO_MODE=development)
                    --user U [--long]
  user unfreeze   open a frozen account again; its owner gets a mail
                    --user U
  user erase      erase a closed user; this cannot be undone
                    --user U
  rotate status   list the key-encryption keys and the number of values that each one seals
  rotate add      add a new key to the key file, and record it
  rotate activate seal with this key from now on
                    --kek N
  rotate rewrap   move every sealed value to the active key; may be interrupted and repeated
  rotate retire   retire a key that seals nothing any more
                    --kek N

Environment variables: RIALTO_POSTGRES_URL, RIALTO_REGISTRY_SCHEMA,
RIALTO_ACCESS_KEY_FILE or RIALTO_ACCESS_KEY, RIALTO_NATS_URLS, RIALTO_EXCHANGE,
RIALTO_MODE.`;

export const KEYS_OPTIONS = {
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
  kek: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

export type KeysCommand =
  | 'create'
  | 'list'
  | 'revoke'
  | 'user create'
  | 'user erase'
  | 'user unfreeze'
  | 'session create'
  | 'invite'
  | 'sign-up open'
  | 'sign-up closed'
  | 'sign-up invitation'
  | 'rotate status'
  | 'rotate add'
  | 'rotate activate'
  | 'rotate rewrap'
  | 'rotate retire';

export interface KeysRequest {
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
  /** The number of a key-encryption key. */
  readonly kek: number;
}

const REQUIRED: Record<KeysCommand, readonly string[]> = {
  create: ['user'],
  list: ['user'],
  revoke: ['user', 'key'],
  'user create': ['email'],
  'user erase': ['user'],
  'user unfreeze': ['user'],
  'session create': ['user'],
  invite: [],
  'sign-up open': [],
  'sign-up closed': [],
  'sign-up invitation': [],
  'rotate status': [],
  'rotate add': [],
  'rotate activate': ['kek'],
  'rotate rewrap': [],
  'rotate retire': ['kek'],
};

interface GivenOptions
  extends Pick<KeysRequest, 'ed25519' | 'long' | 'name' | 'trade' | 'withdraw'> {
  readonly user?: string;
  readonly email?: string;
  readonly role?: string;
  readonly ips?: string;
  readonly key?: string;
  readonly kek?: string;
}

/** Throws a UsageFault if the command is unknown or an option is missing or wrong. */
export function readRequest(words: readonly string[], options: GivenOptions): KeysRequest {
  const command = words.join(' ') as KeysCommand;
  if (words.length === 0) throw new UsageFault('The command is missing.');
  if (!Object.hasOwn(REQUIRED, command)) throw new UsageFault(`There is no command '${command}'.`);
  const given: Record<string, unknown> = { ...options };
  for (const name of REQUIRED[command]) {
    if (given[name] === undefined) throw new UsageFault(`The command ${command} needs --${name}.`);
  }
  const { email = '', ips, kek = '0', key = '0', role, user = '' } = options;
  if (command === 'create' && role !== undefined && role !== 'user' && role !== 'admin') {
    throw new UsageFault(`--role is '${role}' (expected user or admin).`);
  }
  return {
    ...options,
    command,
    user,
    email,
    role,
    ips: ips === undefined ? [] : ips.split(','),
    key: wholeNumber('key', key, { min: 0, max: 9_999_999_999 }),
    kek: wholeNumber('kek', kek, { min: 0, max: 999_999_999 }),
  };
}
