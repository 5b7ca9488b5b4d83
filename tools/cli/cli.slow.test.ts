// Every command against one real exchange: what it prints, its exit code, and the change it makes.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RestClient } from '../sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { waitUntil } from '../services/wait-until.ts';
import { API_COMMANDS, LOCAL_COMMANDS } from './commands.ts';
import { runRialto } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-cli-'));
let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({ withMonitor: true, withIdentity: false });
  const { admin } = sandbox.seeded.users;
  const keyFile = join(folder, 'key.json');
  writeFileSync(keyFile, JSON.stringify({ key: admin.key, secret: admin.secret }));
  writeFileSync(join(folder, 'profile.json'), JSON.stringify({ url: sandbox.url, keyFile }));
  const scopes = ['user', 'admin'];
  const { token } = await sandbox.admin.issueSession({ user: admin.user, scopes });
  writeFileSync(join(folder, 'session'), `${token}\n`);
  writeFileSync(join(folder, 'secret'), 'a wrong secret of some length\n');
  const alice = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.alice });
  const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.01, price: 50_000 };
  assert.equal((await alice.post('/order', order)).status, 200);
});

after(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true });
});

async function run(words: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runRialto(words, {
    environment: { RIALTO_PROFILE: join(folder, 'profile.json') },
    print: (line) => void out.push(line),
    note: (line) => void err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** The exit code, and a text on standard output or, if it is refused, on standard error. */
type Expected = readonly [words: string, code: number, text: RegExp];

const CASES: Readonly<Record<string, Expected>> = {
  // A sandbox has no archivist, so somebody must act.
  status: ['', 1, /Leader\n {2}sequencer-1[\s\S]*Processes\n[\s\S]*projector +ready/],
  doctor: ['', 0, /Nothing is wrong\./],
  init: ['', 2, /needs FOLDER/],
  version: ['', 0, /^rialto /],
  completion: ['zsh', 0, /bashcompinit/],
  login: ['', 2, /needs EMAIL/],
  'tail orders': ['--rounds 1 --symbol btc-usdt', 0, /btc-usdt +buy +limit +0\.01 +50000/],
  'tail trades': ['--rounds 1', 0, /^time +symbol/],
  'tail audit': ['--rounds 1', 0, /^time +user_id/],
  'setup show': ['', 0, /^mode +/],
  'setup admin': ['x@example.com --token-file SECRET --password-file SECRET', 77, /./],
  'setup complete': ['', 0, /message +/],
  'coin list': ['', 0, /^symbol +fullname[\s\S]*\nbtc +Bitcoin/],
  'coin add': ['doge --fullname Doge --issuance-cap 1000', 0, /./],
  'coin change': ['btc --fullname Bitcoin', 0, /./],
  'pair list': ['', 0, /^name +status[\s\S]*\nbtc-usdt +full/],
  'pair add': ['btc-nothing', 2, /needs --/],
  'pair change': ['nothing-usdt --active true', 1, /./],
  'pair band': ['btc-usdt', 2, /needs --/],
  'fees set': ['btc-usdt', 2, /needs --/],
  'fees network': ['', 0, /^$/],
  'market list': ['', 0, /btc-usdt +full/],
  'market frozen': ['', 0, /./],
  'user list': ['--limit 2', 0, /^id +email/],
  'user create': ['new@example.com', 2, /needs --/],
  'user balance': ['USER', 0, /usdt/],
  'user freeze': ['USER --yes', 0, /./],
  'user unfreeze': ['USER', 0, /./],
  'role list': ['', 0, /^role_name/],
  'role set': ['USER support --otp-code 1', 2, /needs a person at a terminal/],
  'deposit list': ['', 0, /./],
  'deposit credit': ['USER btc 0.5 --transaction-id tx-1 --network btc --yes', 0, /amount +0\.5/],
  'withdrawal list': ['', 0, /none/],
  'withdrawal review': ['nothing --rejected true --yes', 1, /./],
  'approval list': ['', 0, /./],
  'approval show': ['999', 1, /./],
  'approval vote': [`999 approve --payload-hash ${'0'.repeat(64)} --otp-code 1 --yes`, 1, /./],
  'approval withdraw': ['999', 1, /./],
  'switch list': ['', 0, /./],
  'switch impact': ['trading --symbol btc-usdt', 0, /^orders +1/],
  'switch stop': ['trading --symbol btc-usdt --reason test --yes', 0, /btc-usdt/],
  'switch resume': ['trading --symbol btc-usdt --yes', 0, /./],
};

test('every command has a case', () => {
  const names = [...Object.keys(LOCAL_COMMANDS), ...Object.keys(API_COMMANDS)];
  assert.deepEqual(Object.keys(CASES).sort(), names.sort());
});

describe('every command on a running exchange', () => {
  before(() =>
    waitUntil({
      what: 'all processes are heard',
      timeoutMs: 60_000,
      question: async () => {
        const { code, out } = await run(['status', '--json']);
        return code < 2 && JSON.parse(out).processes.length >= 6;
      },
    }),
  );

  for (const [name, [words, code, text]] of Object.entries(CASES)) {
    test(`rialto ${name}`, { timeout: 60_000 }, async () => {
      const { bob } = sandbox.seeded.users;
      const given = words
        .replaceAll('USER', String(bob.user))
        .replaceAll('SECRET', join(folder, 'secret'));
      const args = [...name.split(' '), ...given.split(' ').filter((word) => word !== '')];
      const { code: ended, err, out } = await run(args);
      assert.equal(ended, code, `${out}\n${err}`);
      assert.match(code === 0 && out !== '' ? out : `${out}${err}`, text);
    });
  }
});

test('a dangerous verb shows the impact, and does nothing without a person or --yes', async () => {
  const { code, err } = await run(['switch', 'stop', 'trading', '--symbol', 'usdt-eur']);
  assert.equal(code, 2);
  assert.match(err, /rialto switch stop touches:\n +orders +0[\s\S]*needs a person at a terminal/);
});

test('--json keeps decimals as strings', async () => {
  const { out } = await run(['user', 'balance', String(sandbox.seeded.users.alice.user), '--json']);
  assert.equal(typeof JSON.parse(out).btc_balance, 'string');
});
