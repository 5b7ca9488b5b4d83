// `npm run bench -- users`: ten million registered users. The look-ups of login and of API keys,
// sign-up, the bytes of a user, and the memory of gateways, which must not grow with the users.

import { readFileSync } from 'node:fs';
import { readKeys } from '../../../domain/credentials/owned-credentials.ts';
import { findLoginUser } from '../../../domain/identity/open-session.ts';
import { readPassword } from '../../../domain/identity/passwords.ts';
import { signUp } from '../../../domain/identity/sign-up.ts';
import { openConnection, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { REGISTRY_SCHEMA } from '../../sandbox/sandbox-settings.ts';
import { percentile } from '../journal/percentile.ts';
import { bytesPerRow, emailOf, generateUsers, publicKeyOf } from './generate-users.ts';

const USERS = { full: 10_000_000, quick: 200_000 };
const CALLS = { full: 5_000, quick: 1_000 };
const WARM_UP_REQUESTS = 2_000;
const STATEMENT_TIMEOUT_MS = 1_800_000;
const CIRCUMSTANCES = { ip: '192.0.2.1', country: '', device: 'bench', freezeToken: '' };

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? 'quick' : 'full';
  const [users, calls] = [USERS[size], CALLS[size]];
  const sandbox = await startSandbox({ withIdentity: true, checkAnswers: false });
  try {
    const before = await measure(sandbox, { users: 0, calls });
    console.log(`without users: ${JSON.stringify(before)}`);
    const connection = await openConnection({
      url: sandbox.postgres.url,
      schema: REGISTRY_SCHEMA,
      name: 'bench',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    const { seconds } = await generateUsers(connection, users, console.log);
    const bytesAUser = {
      users: await bytesPerRow(connection, 'users'),
      passwords: await bytesPerRow(connection, 'passwords'),
      apiKeysEach: await bytesPerRow(connection, 'api_keys'),
    };
    await connection.end();
    const after = await measure(sandbox, { users, calls });
    return { users, generatedInS: Math.round(seconds), bytesAUser, before, after };
  } finally {
    await sandbox.stop();
  }
}

async function measure(sandbox: Sandbox, size: { readonly users: number; readonly calls: number }) {
  const memoryMb = await gatewayMemory(sandbox);
  const { registry } = sandbox.admin;
  const signUps = await timeSignUps(sandbox, size);
  if (size.users === 0) return { memoryMb, signUps };
  return {
    memoryMb,
    signUps,
    loginLookUps: await timeLoginLookUps(sandbox, size),
    keyLookUps: await timeKeyLookUps(registry, size),
  };
}

/** Restarted, and warmed by the same requests: resident memory in megabytes. */
async function gatewayMemory(sandbox: Sandbox): Promise<Record<string, number>> {
  const names = ['gateway-identity', 'gateway-http-1'];
  for (const name of names) {
    await sandbox.service(name).stop();
    await sandbox.service(name).start();
  }
  for (let sent = 0; sent < WARM_UP_REQUESTS; sent++) {
    const path = sent % 2 === 0 ? '/v2/health' : `/v2/login/passkey-auth-options?email=a@b.co`;
    await (await fetch(`${sandbox.url}${path}`)).arrayBuffer();
  }
  return Object.fromEntries(names.map((name) => [name, residentMb(sandbox.service(name).pid!)]));
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

/** The statements of a sign-up with their transaction; hashing does not depend on the users. */
function timeSignUps({ admin }: Sandbox, { calls, users }: { calls: number; users: number }) {
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

/** The user of a typed address and the password; random users, so caches do not help. */
function timeLoginLookUps({ admin }: Sandbox, { calls, users }: { calls: number; users: number }) {
  return timed(calls, async (call) => {
    const user = await findLoginUser(admin.registry, emailOf(scattered(call, users)));
    if (user === undefined) throw new Error('a generated user is missing');
    // The generated tags were not sealed with this key file: only the row is read.
    await readPassword(admin.registry, admin.vault, user.id).catch(() => undefined);
  });
}

function timeKeyLookUps(registry: Pool, { calls, users }: { calls: number; users: number }) {
  return timed(calls, async (call) => {
    const tenth = Math.ceil(scattered(call, users) / 10) * 10;
    const found = await readKeys(registry, [publicKeyOf(tenth)]);
    if (found.length !== 1) throw new Error(`the key of user ${tenth} is missing`);
  });
}

/** Spreads the calls over all users, the same in every run. */
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
