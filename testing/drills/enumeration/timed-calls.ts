// Public calls for addresses with and without an account, one after another in random order: each
// answer with its time.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createUser } from '../../../features/accounts/index.ts';
import { installPassword, PasswordHasher } from '../../../features/auth/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { type RestAnswer, RestClient } from '../../../tools/sandbox/rest-client.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';

export interface Timed {
  readonly knownMs: readonly number[];
  readonly unknownMs: readonly number[];
  /** Distinct answers, as status and text; a single one if nothing leaks. */
  readonly answers: readonly string[];
}

type Ask = (client: RestClient, email: string) => Promise<RestAnswer>;

const PASSWORD = 'marbles under the stairs';

/** Without these settings, a thousand calls from one address would be rejected. */
export const SETTINGS_FOR_MANY_CALLS = {
  RIALTO_CAPTCHA: 'none',
  RIALTO_LOGINS_PER_ADDRESS_MAX: '1000000',
  RIALTO_IDENTITY_CALLS_MAX: '1000000',
};

export const PUBLIC_CALLS: Readonly<Record<string, Ask>> = {
  signup: (client, email) => client.post('/signup', { email, password: PASSWORD }),
  login: (client, email) => client.post('/login', { email, password: 'not the password' }),
  reset: (client, email) => client.get('/reset-password', { email }),
  resend: (client, email) => client.get('/verify', { email, resend: true }),
  verify: (client, email) => client.post('/verify', { email, verification_code: 'AA-12345' }),
};

/** Creates verified accounts with a password. */
export async function makeKnownAddresses({ admin }: Sandbox, count: number): Promise<string[]> {
  const hasher = new PasswordHasher({ clock: systemClock });
  const tag = await hasher.hash(PASSWORD, { isKnownDevice: true });
  const made: string[] = [];
  for (let at = 0; at < count; at++) {
    const user = await createUser(admin.registry, { email: newAddress() });
    assert.ok(typeof user === 'object');
    await installPassword(admin.registry, admin.vault, user.id, tag);
    made.push(user.email);
  }
  return made;
}

/** Queries each known address once, and as many unknown ones. */
export async function timeCalls(url: string, ask: Ask, known: readonly string[]): Promise<Timed> {
  const client = new RestClient({ url });
  const times = { known: [] as number[], unknown: [] as number[] };
  const answers = new Set<string>();
  const measure = async (kind: 'known' | 'unknown', email: string) => {
    const startMs = performance.now();
    const { status, text } = await ask(client, email);
    times[kind].push(performance.now() - startMs);
    answers.add(`${status} ${text}`);
  };
  // The first calls open connections and compile code.
  for (let at = 0; at < 5; at++) await ask(client, newAddress());
  for (const email of known) {
    const isKnownFirst = Math.random() < 0.5;
    if (isKnownFirst) await measure('known', email);
    await measure('unknown', newAddress());
    if (!isKnownFirst) await measure('known', email);
  }
  return { knownMs: times.known, unknownMs: times.unknown, answers: [...answers] };
}

/** Known and unknown addresses have the same length. */
function newAddress(): string {
  return `${randomUUID()}@example.com`;
}
