// Request from a keys command line, and the settings that the tool reads.

import type { ParseArgsOptionsConfig } from 'node:util';
import { UsageFault, wholeNumber } from '../command-line.ts';

export const KEYS_USAGE = `Usage: rialto key COMMAND [OPTIONS]

Manages users, API keys, sessions, sign-up and key-encryption keys.

  create          create an API key (the secret is printed once)
                    --user U         the owner: an email address or a user ID
                    --name N         (default: key)
                    --trade          can place orders
                    --withdraw       can withdraw
                    --role admin     an administrator's key
                    --ips A,B        restrict to these IP addresses
                    --ed25519        a key pair instead of a shared secret
  list            list a user's keys
                    --user U
  revoke          revoke a key
                    --user U --key ID
  user create     create a user
                    --email E [--role R]
  invite          create a sign-up invitation (the code is printed once)
                    [--email E]      restrict to this address; an email is sent
  sign-up open|closed|invitation
                  open sign-up, close it, or require invitations
  session create  create a login session (only with RIALTO_MODE=development)
                    --user U [--long]
  user unfreeze   unfreeze an account; its owner gets an email
                    --user U
  user erase      permanently erase a closed account
                    --user U
  rotate status   list key-encryption keys and how many values each one encrypts
  rotate add      add a new key to the key file and record it
  rotate activate encrypt new values with this key
                    --kek N
  rotate rewrap   re-encrypt all values with the active key (safe to interrupt and repeat)
  rotate retire   retire an unused key-encryption key
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
  /** ID of a key-encryption key. */
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
  if (words.length === 0) throw new UsageFault('A command is required.');
  if (!Object.hasOwn(REQUIRED, command)) throw new UsageFault(`Unknown command '${command}'.`);
  const given: Record<string, unknown> = { ...options };
  for (const name of REQUIRED[command]) {
    if (given[name] === undefined) throw new UsageFault(`${command}: --${name} is required.`);
  }
  const { email = '', ips, kek = '0', key = '0', role, user = '' } = options;
  if (command === 'create' && role !== undefined && role !== 'user' && role !== 'admin') {
    throw new UsageFault(`Invalid --role '${role}': expected user or admin.`);
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
