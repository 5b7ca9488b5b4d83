// Command line without an exchange: help, completion, exit codes, and the generated page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { RialtoError } from '../../client/rialto-error.ts';
import { COMMAND_PAGE, commandPage } from './command-page.ts';
import { API_COMMANDS, LOCAL_COMMANDS, TOOLS } from './commands.ts';
import { exitCodeOf, runRialto } from './run.ts';
import { certificateState, clockFinding } from './server-checks.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'rialto-cli-'));
after(() => rmSync(folder, { recursive: true }));

async function run(words: readonly string[], environment: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runRialto(words, {
    environment: { RIALTO_PROFILE: join(folder, 'none.json'), ...environment },
    print: (line) => void out.push(line),
    note: (line) => void err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('the command reference is up to date (npm run fix)', () => {
  const page = readFileSync(join(ROOT, COMMAND_PAGE), 'utf8');
  assert.ok(page === commandPage());
  const tests = [...page.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file]) => file);
  assert.ok(tests.length > 50);
  for (const file of new Set(tests)) assert.ok(existsSync(join(ROOT, file)), file);
});

test('every command has help with an example', async () => {
  for (const name of [...Object.keys(LOCAL_COMMANDS), ...Object.keys(API_COMMANDS)]) {
    const { code, err, out } = await run([...name.split(' '), '--help']);
    assert.deepEqual([code, err], [0, ''], name);
    assert.match(out, new RegExp(`^Usage: rialto ${name}[\\s\\S]*Example: rialto ${name}`));
  }
});

test('the tool commands match those in their help', () => {
  for (const [name, { commands, main }] of Object.entries(TOOLS)) {
    const tool = dirname(join(import.meta.dirname, main));
    const sources = globSync('*.ts', { cwd: tool }).map((file) => readFileSync(join(tool, file)));
    const text = sources.join('\n');
    for (const command of Object.keys(commands)) {
      assert.match(
        text,
        new RegExp(`(?:^  |rialto ${name} )${command}\\b`, 'm'),
        `${name} ${command}`,
      );
    }
  }
});

test('wrong command lines exit with 2 and one sentence', async () => {
  const rows: [words: string, sentence: RegExp][] = [
    ['nothing', /^Unknown command 'nothing'\./],
    ['coin sell', /^Unknown command 'coin sell'\./],
    ['status --what', /^Unknown option '--what'\./],
    ['init', /^rialto init: FOLDER is required\./],
    ['init x --public-url http://x', /--public-url must be an https/],
    ['init x --public-url https://x --machines a=1', /^Invalid --machines: expected three/],
    ['init x --public-url https://x --admin-url x', /--admin-url must be an https/],
    [
      'init x --public-url https://x --operators 10.0.0.0/8,home',
      /^Invalid --operators: expected addresses/,
    ],
    ['completion fish', /^Unknown shell 'fish'/],
  ];
  for (const [words, sentence] of rows) {
    const { code, err } = await run(words.split(' '));
    assert.equal(code, 2, words);
    assert.match(err, sentence);
  }
});

test('a missing profile exits with 78', async () => {
  const { code, err } = await run(['status']);
  assert.equal(code, 78);
  assert.match(err, /profile .*none\.json cannot be read \(ENOENT/);
});

test('an exchange that does not respond exits with 69', async () => {
  const profile = join(folder, 'profile.json');
  writeFileSync(profile, JSON.stringify({ url: 'http://127.0.0.1:1' }));
  const { code, err } = await run(['status'], { RIALTO_PROFILE: profile });
  assert.equal(code, 69);
  assert.match(err, /No response to GET \/v2\/admin\/(?:health|control)/);
});

test('the exit code tells a script how to react', () => {
  const rows: [status: number, isOutcomeUnknown: boolean, code: number][] = [
    [504, true, 3],
    [0, true, 3],
    [0, false, 69],
    [400, false, 1],
    [401, false, 77],
    [403, false, 77],
    [429, false, 75],
    [503, false, 75],
  ];
  for (const [status, isOutcomeUnknown, code] of rows) {
    assert.equal(exitCodeOf(new RialtoError({ message: '', status, isOutcomeUnknown })), code);
  }
});

test('version and completion are printed', async () => {
  assert.match((await run(['version'])).out, /^rialto \d+\.\d+\.\d+ \(commit \w+\), Node 24/);
  const { commit, version } = JSON.parse((await run(['version', '--json'])).out);
  assert.equal(typeof commit + typeof version, 'stringstring');
  const script = (await run(['completion', 'bash'])).out;
  const asked = 'COMP_WORDS=(rialto switch s); COMP_CWORD=2; _rialto; echo "$COMPREPLY"';
  const complete = `${script}\n${asked}`;
  assert.equal(execFileSync('bash', ['-c', complete], { encoding: 'utf8' }).trim(), 'stop');
});

test("init writes files once, and warns about the authority's key", async () => {
  const etc = join(folder, 'etc');
  const words = ['init', etc, '--public-url', 'https://exchange.example.com'];
  const { code, err, out } = await run(words);
  assert.equal(code, 0, err);
  assert.ok(out.includes('rialto.env') && out.includes('sequencer.env'));
  assert.match(err, /offline off these machines/);
  assert.equal((await run(words)).code, 1, 'nothing is overwritten');
});

test('doctor reports each problem and its fix', async () => {
  const file = join(folder, 'bad.env');
  writeFileSync(file, 'RIALTO_NATS_URLS=nats://127.0.0.1:1\nRIALTO_STRAEM_PORT=1\n');
  const { code, out } = await run(['doctor', '--env', file]);
  assert.equal(code, 1);
  assert.match(out, /ok {4}Node/);
  assert.match(out, /FAIL {2}projector settings +\d invalid settings/);
  assert.match(out, /^ {6}RIALTO_STRAEM_PORT .*did you mean RIALTO_STREAM_PORT\?/m);
  // The tests' own profile is not a service setting.
  assert.doesNotMatch(out, /RIALTO_PROFILE/);
  const missing = await run(['doctor', '--env', join(folder, 'none.env')]);
  assert.deepEqual([missing.code, missing.err.startsWith('Cannot read')], [2, true], missing.err);
  assert.match(out, /FAIL {2}NATS +127\.0\.0\.1:1 is not responding; start it/);
  const json = JSON.parse((await run(['doctor', '--json'])).out);
  assert.ok(json.every(({ state }: { state: string }) => state !== undefined));
});

test('doctor counts only a clock offset that the response time does not explain', () => {
  const read = (theirMs: number, answeredMs: number, resolutionMs = 1) =>
    clockFinding({ server: 'NATS', theirMs, askedMs: 10_000, answeredMs, resolutionMs });
  const rows: [theirMs: number, answeredMs: number, resolutionMs: number, state: string][] = [
    [10_010, 10_020, 1, 'good'],
    [10_090, 10_020, 1, 'warning'],
    [9_900, 10_020, 1, 'warning'],
    [10_900, 10_020, 1, 'bad'],
    [9_000, 10_020, 1, 'bad'],
    // A slow response, and a date in whole seconds.
    [10_900, 12_000, 1, 'good'],
    [9_100, 10_020, 1_000, 'good'],
  ];
  for (const [theirMs, answeredMs, resolutionMs, state] of rows) {
    assert.equal(read(theirMs, answeredMs, resolutionMs).state, state, `${theirMs}`);
  }
  assert.match(read(9_000, 10_020).detail, /^at least 999ms behind this machine; sync/);
});

test('doctor warns before a certificate expires', () => {
  const [now, day] = [1_800_000_000_000, 86_400_000];
  const states = [30, 20, 6, -1].map((days) => certificateState('x', now + days * day, now)[0]);
  assert.deepEqual(states, ['good', 'warning', 'bad', 'bad']);
});

test('doctor checks the API of the profile and of the settings', async () => {
  const server = createServer((_, response) => response.end('{}'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const profile = join(folder, 'doctor.json');
  writeFileSync(profile, JSON.stringify({ url }));
  const settings = join(folder, 'public.env');
  writeFileSync(settings, 'RIALTO_PUBLIC_URL=https://127.0.0.1:1\n');
  const { out } = await run(['doctor', '--env', settings], { RIALTO_PROFILE: profile });
  server.close();
  assert.match(out, new RegExp(`ok {4}API +${url} responds with 200`));
  assert.match(out, /ok {4}API clock +within \d+ms of this machine/);
  assert.match(out, /FAIL {2}API +no response from https:\/\/127\.0\.0\.1:1 .*the URL is correct/);
  assert.match(out, /FAIL {2}TLS +127\.0\.0\.1: .*; install a valid certificate/);
});
