// `npm run bench -- users`: ten million registered users. Measures login and API key lookups,
// sign-up, bytes per user, and the memory of gateways, which must not grow with the users.

import { readFileSync } from 'node:fs';
import { findLoginUser, readKeys, readPassword, signUp } from '../../../features/auth/index.ts';
import { openConnection, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { percentile } from '../../percentile.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { REGISTRY_SCHEMA } from '../../sandbox/sandbox-settings.ts';
import { bytesPerRow, emailOf, generateUsers, publicKeyOf } from './generate-users.ts';

/** Few users, then many: everything but the bytes should stay the same. */
const FEW = 100_000;
const MANY = { full: 10_000_000, quick: 300_000 };
const CALLS = { full: 5_000, quick: 1_000 };
/** Number of different keys in requests; a gateway caches their rows up to a limit. */
const KEYS_USED = 10_000;
const REQUESTS_AT_ONCE = 16;
/** The same process's resident memory varies by nearly a half between runs. */
const GROWTH_MAX = 1.5;
const STATEMENT_TIMEOUT_MS = 1_800_000;
const GATEWAYS = ['gateway-identity', 'gateway-http-1'];
const CIRCUMSTANCES = { ip: '192.0.2.1', country: '', device: 'bench', freezeToken: '' };

interface Size {
  readonly users: number;
  readonly calls: number;
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? 'quick' : 'full';
  const [users, calls] = [MANY[size], CALLS[size]];
  const sandbox = await startSandbox({ withIdentity: true, checkAnswers: false });
  try {
    const connection = await openConnection({
      url: sandbox.postgres.url,
      schema: REGISTRY_SCHEMA,
      name: 'bench',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    await generateUsers(connection, { from: 1, to: FEW }, console.log);
    const few = await measure(sandbox, { users: FEW, calls });
    console.log(`${FEW} users: ${JSON.stringify(few)}`);
    // Their random codes could equal those of generated users.
    await connection.query("delete from users where email like 'new-%@bench.example'");
    const seconds = await generateUsers(connection, { from: FEW + 1, to: users }, console.log);
    const many = await measure(sandbox, { users, calls });
    const bytesAUser = {
      users: await bytesPerRow(connection, 'users'),
      passwords: await bytesPerRow(connection, 'passwords'),
      apiKeysEach: await bytesPerRow(connection, 'api_keys'),
    };
    await connection.end();
    const growth = GATEWAYS.map((name) => many.memoryMb[name] / few.memoryMb[name]);
    const memoryRatio = Number(Math.max(...growth).toFixed(2));
    if (memoryRatio > GROWTH_MAX) process.exitCode = 1;
    return { users, generatedInS: Math.round(seconds), bytesAUser, few, many, memoryRatio };
  } finally {
    await sandbox.stop();
  }
}

async function measure(sandbox: Sandbox, size: Size) {
  return {
    memoryMb: await gatewayMemory(sandbox, size),
    loginLookUps: await timeLoginLookUps(sandbox, size),
    keyLookUps: await timeKeyLookUps(sandbox.admin.registry, size),
    signUps: await timeSignUps(sandbox, size),
  };
}

/**
 * Restarts a gateway, uses the same number of keys, and returns its resident memory in megabytes.
 */
async function gatewayMemory(sandbox: Sandbox, { users }: Size): Promise<Record<string, number>> {
  for (const name of GATEWAYS) {
    await sandbox.service(name).stop();
    await sandbox.service(name).start();
  }
  for (let from = 0; from < KEYS_USED; from += REQUESTS_AT_ONCE) {
    const numbers = Array.from({ length: REQUESTS_AT_ONCE }, (_, at) => from + at);
    await Promise.all(numbers.map((number) => useKey(sandbox.url, keyOwner(number, users))));
  }
  return Object.fromEntries(GATEWAYS.map((name) => [name, residentMb(sandbox.service(name).pid!)]));
}

/**
 * The signature is wrong, but the gateway reads and caches the key. Also sends an identity request.
 */
async function useKey(url: string, owner: number): Promise<void> {
  const expires = `${Math.floor(Date.now() / 1_000) + 60}`;
  const headers = { 'api-key': publicKeyOf(owner), 'api-signature': 'ab'.repeat(32) };
  const refused = await fetch(`${url}/v2/user/balance`, {
    headers: { ...headers, 'api-expires': expires },
  });
  if (refused.status !== 401) throw new Error(`expected 401, got ${refused.status}`);
  await refused.arrayBuffer();
  const options = `${url}/v2/login/passkey-auth-options?email=${emailOf(owner)}`;
  await (await fetch(options)).arrayBuffer();
}

/** Every tenth user has a key. */
function keyOwner(call: number, users: number): number {
  return Math.ceil(scattered(call, users) / 10) * 10;
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

/** Times a sign-up's statements with their transaction; hashing does not depend on the users. */
function timeSignUps({ admin }: Sandbox, { calls, users }: Size) {
  const { registry, vault } = admin;
  const password = { salt: Buffer.alloc(16), memory: 19_456, passes: 2, lanes: 1 };
  return timed(calls, (call) =>
    withConnection(registry, (connection) =>
      signUp(connection, vault, {
        email: `new-${users}-${call}@bench.example`,
        password: { ...password, tag: Buffer.alloc(32) },
        language: 'en',
        form: 'v2',
        flow: { network: `192.0.2.${call % 250}`, session: 0 },
        circumstances: () => ({ ...CIRCUMSTANCES, time: new Date().toISOString() }),
      }),
    ),
  );
}

/**
 * Times the lookup of a typed address and its password, for random users, so caches do not help.
 */
function timeLoginLookUps({ admin }: Sandbox, { calls, users }: Size) {
  return timed(calls, async (call) => {
    const user = await findLoginUser(admin.registry, emailOf(scattered(call, users)));
    if (user === undefined) throw new Error('a generated user is missing');
    // The generated tags were not sealed with this key file, so only the row is read.
    await readPassword(admin.registry, admin.vault, user.id).catch(() => undefined);
  });
}

function timeKeyLookUps(registry: Pool, { calls, users }: Size) {
  return timed(calls, async (call) => {
    const owner = keyOwner(call, users);
    const found = await readKeys(registry, [publicKeyOf(owner)]);
    if (found.length !== 1) throw new Error(`the key of user ${owner} is missing`);
  });
}

/** Spreads the requests over all users, the same in every run. */
function scattered(call: number, users: number): number {
  return 1 + ((call * 2_654_435_761) % users);
}

async function timed(calls: number, work: (call: number) => Promise<unknown>) {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startedMs = performance.now();
    await work(call);
    times.push(performance.now() - startedMs);
  }
  return { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
}
