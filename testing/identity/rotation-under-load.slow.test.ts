// Rotates the key-encryption key with the operator's commands while two gateways serve requests.
// The rewrap is killed midway and repeated. No request can fail.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { installPassword, PasswordHasher, passwordBound } from '../../features/auth/index.ts';
import { accessChangeFeed } from '../../infra/access/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { countSealed } from '../../tools/keys/rotation/rewrap.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { startSandbox } from '../../tools/sandbox/sandbox.ts';
import { accessKeyFile, EXCHANGE, REGISTRY_SCHEMA } from '../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { place, type StageTrader, TradingStage, taken } from '../contract/trading-stage.ts';

const ROOT = join(import.meta.dirname, '../..');
const PASSWORDS = 3_000;
/** Two steps are blocked until every process has polled. */
const PATIENT = { timeout: 300_000 };
const PASSWORD = 'nine planted horses gallop';
const PAUSE_MS = 50;
/** Allowed share of busy responses: one in this many requests. */
const BUSY_SHARE = 100;
const STEP_TIMEOUT_MS = 60_000;
const BUY = { spending_currency: 'usdt', receiving_currency: 'btc' };

/** One run of the tool. */
interface Run {
  readonly isAccepted: boolean;
  readonly text: string;
}

interface Load {
  readonly sent: Record<string, number>;
  readonly failures: string[];
  stop(): Promise<void>;
}

let stage: TradingStage;

describe('rotation under load', () => {
  before(async () => {
    const gatewaySettings = { RIALTO_LOGINS_PER_ADDRESS_MAX: '10000' };
    stage = new TradingStage(await startSandbox({ gateways: 2, gatewaySettings }));
  });
  after(() => stage?.sandbox.stop());

  test('abuse 61: a rotation that is killed midway does not fail requests', PATIENT, async () => {
    await plantPasswords();
    const load = await startLoad();
    await keys('rotate add');
    await untilAccepted('rotate activate --kek 2');
    await untilAccepted('rotate rewrap', 'at first page');
    const middle = await sealed();
    assert.ok(middle.get(1)! > 0 && middle.get(2)! > 0, 'the rewrap was killed midway');
    const startedMs = performance.now();
    await untilAccepted('rotate rewrap');
    const seconds = (performance.now() - startedMs) / 1_000;
    await untilAccepted('rotate retire --kek 1');
    assert.deepEqual([...(await sealed()).keys()], [2]);

    // The old key is not needed anymore, so a gateway starts without it.
    const file = accessKeyFile(stage.sandbox.folder);
    writeFileSync(file, `${readFileSync(file, 'utf8').split('\n')[1]}\n`);
    await load.stop();
    assert.deepEqual(load.failures, []);
    const { busy = 0, ...answered } = load.sent;
    const sent = Object.values(answered).reduce((sum, count) => sum + count);
    assert.ok(busy <= sent / BUSY_SHARE, `${busy} of ${sent} requests were rejected as busy`);
    await stage.sandbox.service('gateway-http-1').restart();
    const [late] = await stage.traders(1);
    taken(await late.here.get('/user'));
    console.log({ requests: load.sent, failures: 0, values: middle.get(1), seconds });
  });
});

/** Inserts many users with an unused password. */
async function plantPasswords(): Promise<void> {
  const { registry, vault } = stage.sandbox.admin;
  const { rows } = await registry.query(
    `insert into users (email, username, affiliation_code)
     select 'many' || n || '@example.com', 'many', 'M' || lpad(n::text, 5, '0')
     from generate_series(1, $1::bigint) n returning id`,
    [PASSWORDS],
  );
  const salt = Buffer.alloc(16);
  const parameters = { salt, memory: 19_456, passes: 2, lanes: 1 };
  const tags = rows.map(({ id }) =>
    vault.seal(passwordBound(Number(id) as UserId, parameters), Buffer.alloc(32)),
  );
  await registry.query(
    `insert into passwords (user_id, salt, memory, passes, lanes, kek_id, sealed_tag)
     select u.id, $3, 19456, 2, 1, 1, u.tag from unnest($1::bigint[], $2::bytea[]) as u (id, tag)`,
    [rows.map(({ id }) => id), tags.map((tag) => tag.sealed), salt],
  );
}

/** Sends requests of every kind that needs a key, at both gateways, until it is stopped. */
async function startLoad(): Promise<Load> {
  const { admin } = stage.sandbox;
  const [maker, ...traders] = await stage.traders(4);
  await offer(maker);
  const sent: Record<string, number> = {};
  const failures: string[] = [];
  let isStopped = false;

  // biome-ignore lint/suspicious/noExplicitAny: the response shape depends on the request.
  async function count(name: string, send: () => ReturnType<RestClient['get']>): Promise<any> {
    const { body, headers, status, text } = await send();
    sent[name] = (sent[name] ?? 0) + 1;
    // A busy exchange can reject the request, which has no effect, and the client retries.
    if (status === 503 && headers.has('retry-after')) {
      sent.busy = (sent.busy ?? 0) + 1;
      return count(name, send);
    }
    if (status !== 200 && status !== 201) failures.push(`${name}: ${status} ${text}`);
    return body;
  }
  async function loop(work: () => Promise<unknown>): Promise<void> {
    while (!isStopped) {
      await work();
      await delay(PAUSE_MS);
    }
  }
  // A quote from one gateway, executed at the other one.
  const quote =
    ({ here, there }: StageTrader) =>
    async () => {
      const asked = () => here.get('/quick-trade', { ...BUY, receiving_amount: '0.0001' });
      const { token } = await count('quote', asked);
      await count('executed quote', () => there.post('/order/execute', { token }));
    };
  // Every gateway reads the changed key again from its row.
  const reread = async ({ here, there, user }: StageTrader) => {
    const changes = accessChangeFeed(admin.bus, EXCHANGE);
    changes.announce({ user, key: 0, session: 0, isRevoked: false });
    await count('key read again', () => here.get('/user'));
    await count('key read again', () => there.get('/user'));
  };
  // Created and sealed in this process, which follows the rotation like the gateways do.
  const newKey = async ({ user }: StageTrader) => {
    const made = stage.clientsOf({ user, ...(await admin.issueKey({ user })) });
    await count('new key', () => made.here.get('/user/balance'));
    await count('new key', () => made.there.get('/user/balance'));
  };
  const { token } = await admin.issueSession({ user: traders[2].user });
  const session = async () => {
    for (const gateway of stage.sandbox.urls) {
      const headers = { authorization: `Bearer ${token}` };
      const client = new RestClient({ url: gateway });
      await count('session', () => client.send({ method: 'GET', target: '/v2/user', headers }));
    }
  };
  // A password under any key, and a session that is opened at one gateway and used at the other.
  const email = await personWithPassword();
  const logIn = async () => {
    const [here, there] = stage.sandbox.urls.map((gateway) => new RestClient({ url: gateway }));
    const opened = await count('login', () => here.post('/login', { email, password: PASSWORD }));
    const headers = { authorization: `Bearer ${opened.token}` };
    await count('new session', () => there.send({ method: 'GET', target: '/v2/user', headers }));
  };
  const loops = [
    loop(logIn),
    loop(quote(traders[0])),
    loop(quote(traders[1])),
    loop(() => reread(traders[1])),
    loop(() => newKey(traders[2])),
    loop(session),
  ];
  return {
    sent,
    failures,
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}

/** Places an offer, because quotes need a book. */
async function offer(maker: StageTrader): Promise<void> {
  await place(maker.here, { side: 'sell', size: '9', price: '60000' });
  const anyone = new RestClient({ url: stage.sandbox.url });
  await waitUntil({
    what: 'the book has the order',
    timeoutMs: STEP_TIMEOUT_MS,
    question: async () =>
      (await anyone.get('/quick-trade', { ...BUY, receiving_amount: '0.001' })).status === 200,
  });
}

async function personWithPassword(): Promise<string> {
  const { registry, vault } = stage.sandbox.admin;
  const user = await createUser(registry, { email: 'rotating@example.com' });
  assert.ok(typeof user === 'object');
  const hasher = new PasswordHasher({ clock: systemClock });
  const tag = await hasher.hash(PASSWORD, { isKnownDevice: false });
  await installPassword(registry, vault, user.id, tag);
  return user.email;
}

function sealed(): Promise<ReadonlyMap<number, number>> {
  return countSealed(stage.sandbox.admin.registry);
}

function start(words: string) {
  const { folder, nats, postgres } = stage.sandbox;
  return spawn(process.execPath, ['tools/keys/main.ts', ...words.split(' ')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      RIALTO_POSTGRES_URL: postgres.url,
      RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
      RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
      RIALTO_NATS_URLS: nats.urls.join(','),
    },
  });
}

async function keys(words: string, kill?: 'at first page'): Promise<Run> {
  const tool = start(words);
  let text = '';
  for (const stream of [tool.stdout, tool.stderr]) stream.on('data', (chunk) => (text += chunk));
  if (kill !== undefined) tool.stdout.once('data', () => tool.kill('SIGKILL'));
  const isAccepted = await new Promise<boolean>((resolve) =>
    tool.on('close', (code, signal) => resolve(code === 0 || signal === 'SIGKILL')),
  );
  return { isAccepted, text };
}

/** A step is rejected until every process has the previous one. The rejection names the fix. */
async function untilAccepted(words: string, kill?: 'at first page'): Promise<void> {
  let run: Run = { isAccepted: false, text: '' };
  try {
    await waitUntil({
      what: words,
      timeoutMs: STEP_TIMEOUT_MS,
      question: async () => {
        run = await keys(words, kill);
        if (run.isAccepted) return true;
        assert.match(run.text, /wait 15 seconds|run the command again|run: rotate rewrap/);
        if (run.text.includes('run: rotate rewrap')) await untilAccepted('rotate rewrap');
        return false;
      },
    });
  } catch (cause) {
    throw new Error(`${words}: ${run.text}`, { cause });
  }
}
