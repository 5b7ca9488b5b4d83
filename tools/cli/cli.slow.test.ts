// Runs every command against a real exchange: its output, its exit code, and its effect.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { PersonOverHttp, waitingApproval } from '../../testing/identity/person-over-http.ts';
import { RestClient } from '../sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import {
  archiveFolder,
  EXCHANGE,
  PROJECTION_SCHEMA,
  REGISTRY_SCHEMA,
} from '../sandbox/sandbox-settings.ts';
import { waitUntil } from '../services/wait-until.ts';
import { API_COMMANDS, LOCAL_COMMANDS } from './commands.ts';
import { runRialto } from './run.ts';

const PASSWORD = 'lanterns over the canal';
const EMAIL = 'ada@example.com';
const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const SEEN_WITHIN_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'rialto-cli-'));
let sandbox: Sandbox;
/** The operator at the command line, and two others, who approve. */
let ada: PersonOverHttp;
let eve: PersonOverHttp;
let zoe: PersonOverHttp;

before(async () => {
  sandbox = await startSandbox({
    streams: 1,
    withMonitor: true,
    withArchivist: true,
    withNotifier: true,
    withReconciler: true,
    archivistSettings: { RIALTO_SEGMENT_EVERY_MS: '500' },
  });
  await useTeam(sandbox.admin.registry);
  ada = await makeAda();
  eve = await PersonOverHttp.operator(sandbox, 'admin');
  zoe = await PersonOverHttp.operator(sandbox, 'admin');
  const { key, secret } = await sandbox.admin.issueKey({ user: ada.user, role: 'admin' });
  const keyFile = join(folder, 'key.json');
  writeFileSync(keyFile, JSON.stringify({ key, secret }));
  writeFileSync(join(folder, 'profile.json'), JSON.stringify({ url: sandbox.url, keyFile }));
  writeFileSync(join(folder, 'secret'), `${PASSWORD}\n`);
  const alice = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.alice });
  const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.01, price: 50_000 };
  assert.equal((await alice.post('/order', order)).status, 200);
});

after(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true });
});

/** Creates an administrator with a password and a second factor, dated two days ago. */
async function makeAda(): Promise<PersonOverHttp> {
  const admin = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
  const created = await admin.post('/admin/user', { email: EMAIL, password: PASSWORD });
  assert.equal(created.status, 201, created.text);
  const user = created.body.id;
  await sandbox.admin.registry.query(`update users set role = 'admin' where id = $1`, [user]);
  await sandbox.admin.registry.query(
    `update users set role_since = now() - interval '2 days' where id = $1`,
    [user],
  );
  return PersonOverHttp.make(sandbox, { user });
}

async function run(words: readonly string[], lines: readonly string[] = []) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runRialto(words, {
    environment: { RIALTO_PROFILE: join(folder, 'profile.json') },
    print: (line) => void out.push(line),
    note: (line) => void err.push(line),
    lines: (async function* () {
      yield* lines;
    })(),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Words after the command, its exit code, and a text that it prints. */
type Expected = readonly [
  words: string | (() => Promise<string>),
  code: number,
  text: RegExp,
  lines?: () => Promise<readonly string[]>,
];

const WAITING = /^message +Pending approval\napproval_id +\d+/;

// The order matters: later commands use the session from `login`.
const CASES: Readonly<Record<string, Expected>> = {
  login: [EMAIL, 0, /Session saved to/, async () => [PASSWORD, await ada.otp()]],
  status: [
    '',
    0,
    /\nControl mode: team\n[\s\S]*Leader\n +sequencer-\d[\s\S]*Processes\n[\s\S]*projector +ready/,
  ],
  doctor: ['', 0, /API +http:.* responds with 200[\s\S]*API clock[\s\S]*All checks passed\./],
  init: ['FOLDER/etc --public-url https://exchange.example.com', 0, /^rialto\.env$/m],
  'cert renew': ['FOLDER/etc --authority FOLDER/etc/offline', 0, /nats\.crt is valid until /],
  version: ['', 0, /^rialto /],
  completion: ['zsh', 0, /bashcompinit/],
  'tail orders': ['--rounds 1 --symbol btc-usdt', 0, /btc-usdt +buy +limit +0\.01 +50000/],
  'tail trades': ['--rounds 1', 0, /^time +symbol/],
  'tail audit': ['--rounds 1', 0, /^time +user_id/],
  'setup show': ['', 0, /^mode +/],
  'setup mode': ['solo', 0, WAITING],
  // Success needs an empty server: see testing/operators/empty-server.slow.test.ts.
  'setup admin': [
    'x@example.com --token-file FOLDER/secret --password-file FOLDER/secret',
    77,
    /./,
  ],
  'coin list': ['', 0, /^symbol +fullname[\s\S]*\nbtc +Bitcoin/],
  'coin add': ['doge --fullname Doge --issuance-cap 1000000', 0, WAITING],
  'coin change': ['btc --fullname Bitcoin', 0, /fullname +Bitcoin/],
  'pair list': ['', 0, /^name +status[\s\S]*\nbtc-usdt +full/],
  'pair add': [
    'doge-usdt --pair-base doge --pair-2 usdt --increment-size 1 --increment-price 0.0001 ' +
      '--max-size 100000 --max-price 10 --estimated-price 0.1',
    0,
    WAITING,
  ],
  'pair change': [
    async () => `${await listed('doge-usdt')} --status full`,
    0,
    /status +full|Pending approval/,
  ],
  'pair band': ['doge-usdt --band 20', 0, /band +20|Pending approval/],
  'fees set': ['doge-usdt --fees {"1":{"maker":0.1,"taker":0.2}}', 0, /./],
  'fees network': ['', 0, /^$/],
  'market list': ['', 0, /btc-usdt +full/],
  'market frozen': ['', 0, /./],
  'user list': ['--limit 2', 0, /^id +email/],
  'user create': ['new@example.com --password-file FOLDER/secret', 0, /new@example\.com|id +\d+/],
  'user balance': ['USER', 0, /usdt/],
  'user freeze': [async () => `${await frozenUser()} --yes`, 0, /./],
  'user unfreeze': [async () => `${await frozenUser()}`, 1, /Pending approval \d+/],
  'announcement create': ['Soon --message <p>Sunday</p>', 0, /title +Soon/],
  'announcement list': ['', 0, /^id +title[\s\S]*Soon/],
  'announcement remove': ['1', 0, /./],
  'role list': ['', 0, /^role_name/],
  'role set': [async () => `USER support --otp-code ${await ada.otp()} --yes`, 0, /./],
  'deposit list': ['', 0, /./],
  'deposit credit': [
    'USER btc 0.001 --transaction-id tx-1 --network btc --yes',
    0,
    /amount +0\.001/,
  ],
  'withdrawal list': [async () => `--transaction-id ${await withdrawn()}`, 0, /btc +0\.1/],
  'withdrawal review': [async () => `${await withdrawn()} --rejected true --yes`, 0, /./],
  'setup complete': ['', 0, /message +/],
  'setup settings': ['--kit {"description":"Acme"}', 0, /Acme/],
  'setup mail': ['USER', 0, /message +/],
  'approval list': ['', 0, /./],
  'approval show': [async () => String(await ask(eve)), 0, /payload_hash +\w{64}/],
  'approval vote': [vote, 0, /./],
  'approval withdraw': [async () => String(await ask(ada)), 0, /./],
  'switch list': ['', 0, /./],
  'switch impact': ['trading --symbol btc-usdt', 0, /^orders +1/],
  'switch stop': ['trading --symbol btc-usdt --reason test --yes', 0, /btc-usdt/],
  'switch resume': ['trading --symbol btc-usdt --yes', 0, /./],
};

/** Creates a withdrawal by bob; returns its transaction ID. */
async function withdrawn(): Promise<string> {
  const bob = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.bob });
  const terms = { currency: 'btc', amount: 0.1, address: ADDRESS, network: 'btc' };
  const { body, status, text } = await bob.post('/user/withdrawal', terms);
  assert.equal(status, 200, text);
  return body.transaction_id;
}

/** Resolves with the pair once the engine has it. */
async function listed(pair: string): Promise<string> {
  await waitUntil({
    what: 'the pair is listed',
    timeoutMs: SEEN_WITHIN_MS,
    question: async () => (await run(['market', 'list'])).out.includes(pair),
  });
  return pair;
}

let frozen: number | undefined;

/** A user who does nothing else. */
async function frozenUser(): Promise<number> {
  if (frozen !== undefined) return frozen;
  const admin = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
  const created = await admin.post('/admin/user', { email: 'fay@example.com', password: PASSWORD });
  frozen = created.body.id as number;
  return frozen;
}

/** The other operators approve until the action is done. */
async function approve(id: number): Promise<void> {
  let state = 'pending';
  for (const one of [eve, zoe]) {
    if (state !== 'pending') break;
    const { body: asked } = await one.send('GET', `/admin/approval?id=${id}`);
    const { payload_hash } = asked;
    const vote = { id, vote: 'approve', payload_hash, otp_code: await one.otp() };
    const { body, text } = await one.send('POST', '/admin/approval/vote', { body: vote });
    assert.ok(['pending', 'executed'].includes(body.state), text);
    state = body.state;
  }
  assert.equal(state, 'executed');
}

/** Creates an approval request by this operator; returns its ID. */
async function ask(operator: PersonOverHttp): Promise<number> {
  requests += 1;
  const role = { name: `role-${requests}`, permissions: ['/admin/role:get'], configs: [] };
  const body = { ...role, otp_code: await operator.otp() };
  return waitingApproval(await operator.send('POST', '/admin/role', { body }));
}

let requests = 0;

async function vote(): Promise<string> {
  const id = await ask(eve);
  const { body } = await ada.send('GET', `/admin/approval?id=${id}`);
  return `${id} approve --payload-hash ${body.payload_hash} --otp-code ${await ada.otp()} --yes`;
}

test('every command has a case', () => {
  const names = [...Object.keys(LOCAL_COMMANDS), ...Object.keys(API_COMMANDS)];
  assert.deepEqual(Object.keys(CASES).sort(), names.sort());
});

test('every command except two succeeds', () => {
  const refused = Object.entries(CASES).filter(([, [, code]]) => code !== 0);
  assert.deepEqual(
    refused.map(([name]) => name),
    ['setup admin', 'user unfreeze'],
  );
});

describe('every command on a running exchange', () => {
  before(async () => {
    await run(['login', EMAIL], [PASSWORD, await ada.otp()]);
    await waitUntil({
      what: 'all processes have reported, and no alarm pages an operator',
      timeoutMs: SEEN_WITHIN_MS,
      question: async () => {
        const { code, out } = await run(['status', '--json']);
        return code === 0 && JSON.parse(out).processes.length >= 8;
      },
    });
  });

  for (const [name, [words, code, text, lines]] of Object.entries(CASES)) {
    test(`rialto ${name}`, { timeout: 60_000 }, async () => {
      const { bob } = sandbox.seeded.users;
      const given = (typeof words === 'string' ? words : await words())
        .replaceAll('USER', String(bob.user))
        .replaceAll('FOLDER', folder);
      const args = [...name.split(' '), ...given.split(' ').filter((word) => word !== '')];
      const { code: ended, err, out } = await run(args, await lines?.());
      assert.equal(ended, code, `${out}\n${err}`);
      assert.match(code === 0 && out !== '' ? out : `${out}${err}`, text);
      const [, waiting] = /^approval_id +(\d+)$/m.exec(out) ?? [];
      if (waiting !== undefined) await approve(Number(waiting));
    });
  }
});

test('only the owner can read the session file', () => {
  const file = join(folder, 'session');
  assert.equal(statSync(file).mode & 0o77, 0);
  assert.match(readFileSync(file, 'utf8'), /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
});

test('a wrong password creates no session', async () => {
  const { code, err } = await run(['login', 'nobody@example.com'], ['not the password', '']);
  assert.equal(code, 77, err);
  assert.match(err, /Credentials incorrect/);
});

test('a dangerous command does nothing without confirmation or --yes', async () => {
  const { code, err } = await run(['switch', 'stop', 'trading', '--symbol', 'usdt-eur']);
  assert.equal(code, 2);
  assert.match(err, /Impact of rialto switch stop:\n +orders +0[\s\S]*run it in a terminal/);
});

test('--json keeps decimals as strings', async () => {
  const { out } = await run(['user', 'balance', String(sandbox.seeded.users.alice.user), '--json']);
  assert.equal(typeof JSON.parse(out).btc_balance, 'string');
});

/** Like on the archivist's machine: its settings, and the URL of the table owner. */
async function onMachine(words: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    RIALTO_MODE: 'development',
    RIALTO_EXCHANGE: EXCHANGE,
    RIALTO_REPLICAS: '1',
    RIALTO_NATS_URLS: sandbox.nats.nodes.map(({ plainUrl }) => plainUrl).join(','),
    RIALTO_IDENTITY_KEY_FILE: join(sandbox.folder, 'identities/archivist.nkey'),
    RIALTO_ARCHIVE_FOLDER: archiveFolder(sandbox.folder),
    RIALTO_POSTGRES_URL: sandbox.postgres.url,
    RIALTO_POSTGRES_SCHEMA: PROJECTION_SCHEMA,
    RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
    RIALTO_PROFILE: join(folder, 'profile.json'),
  };
  const args = [join(import.meta.dirname, 'main.ts'), ...words];
  const ended = promisify(execFile)(process.execPath, args, { env });
  return ended.catch((fault: { readonly stderr: string; readonly stdout: string }) => fault);
}

function backUp(args: readonly string[]) {
  const place = ['--to', join(folder, 'backups'), '--key-file', join(folder, 'backup-key')];
  return onMachine(['backup', ...args, ...place]);
}

test('an upgrade to the same release changes nothing', { timeout: 60_000 }, async () => {
  const release = join(import.meta.dirname, '../..');
  const places = ['--old', release, '--archive', archiveFolder(sandbox.folder)];
  const { stderr, stdout } = await onMachine(['upgrade', 'check', ...places]);
  for (const line of [
    /^ok +registry migrations +none pending$/m,
    /^ok +projection migrations +none pending$/m,
    /^ok +snapshot and log +.* is readable and continues to frame \d+$/m,
    /^ok +rules +version \d+ is in effect, this release supports 1 to \d+$/m,
    /^ok +projector settings +complete$/m,
    /^ok +downgrade +possible$/m,
  ]) {
    assert.match(stdout, line, stderr);
  }
  assert.match(stdout, /"checks":\d+,"bad":\d+,"warnings":0\}\n$/);
});

test('a backup is complete, valid and reported, and its alarm closes', {
  timeout: 60_000,
}, async () => {
  writeFileSync(join(folder, 'backup-key'), `${Buffer.alloc(32, 1).toString('base64')}\n`);
  const { stderr, stdout } = await backUp(['create']);
  const made = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  assert.deepEqual([made.reported, made.sequence >= made.registrySequence], [true, true], stderr);
  assert.match((await backUp(['verify'])).stdout, /^SOUND {2}backup \d{8}T\d{9}Z/);
  assert.match((await backUp(['list'])).stdout, new RegExp(`${made.id} +`));
  await backUp(['report']);
  await waitUntil({
    what: 'the alarms of the backup are closed',
    timeoutMs: SEEN_WITHIN_MS,
    question: async () => {
      const { out } = await run(['status', '--json']);
      const { ages, alarms } = JSON.parse(out);
      const names = alarms.map(({ name }: { readonly name: string }) => name);
      return ages.backup_ms !== null && !names.includes('RestoreDrillOld');
    },
  });
});
