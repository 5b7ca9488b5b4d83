// The command line without an exchange: help, completion, exit codes, the page, and a configuration
// that every service accepts.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseEnv } from 'node:util';
import { RialtoError } from '../../client/rialto-error.ts';
import { readServiceConfig, SERVICES } from '../../infra/settings/index.ts';
import { COMMAND_PAGE, commandPage } from './command-page.ts';
import { API_COMMANDS, LOCAL_COMMANDS } from './commands.ts';
import { exitCodeOf, runRialto } from './run.ts';

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

test('the page of commands is up to date (npm run fix)', () => {
  assert.equal(readFileSync(join(ROOT, COMMAND_PAGE), 'utf8'), commandPage());
});

test('every command has help with an example', async () => {
  for (const name of [...Object.keys(LOCAL_COMMANDS), ...Object.keys(API_COMMANDS)]) {
    const { code, err, out } = await run([...name.split(' '), '--help']);
    assert.deepEqual([code, err], [0, ''], name);
    assert.match(out, new RegExp(`^Usage: rialto ${name}[\\s\\S]*Example: rialto ${name}`));
  }
});

test('wrong command lines exit with 2 and one sentence', async () => {
  const rows: [words: string, sentence: RegExp][] = [
    ['nothing', /^There is no command 'nothing'\./],
    ['coin sell', /^There is no command 'coin sell'\./],
    ['status --what', /^Unknown option '--what'\./],
    ['init', /^rialto init needs FOLDER\./],
    ['init x --public-url http://x', /needs --public-url \(expected an https/],
    ['completion fish', /^There is no completion for 'fish'/],
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
  assert.match(err, /RIALTO_PROFILE is .*none\.json, which cannot be read \(ENOENT/);
});

test('an exchange that does not answer exits with 69', async () => {
  const profile = join(folder, 'profile.json');
  writeFileSync(profile, JSON.stringify({ url: 'http://127.0.0.1:1' }));
  const { code, err } = await run(['status'], { RIALTO_PROFILE: profile });
  assert.equal(code, 69);
  assert.match(err, /No response to GET \/v2\/admin\/health/);
});

test('the exit code says what a script may do', () => {
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

test('version and completion', async () => {
  assert.match((await run(['version'])).out, /^rialto \d+\.\d+\.\d+ \(commit \w+\), Node 26/);
  const { commit, version } = JSON.parse((await run(['version', '--json'])).out);
  assert.equal(typeof commit + typeof version, 'stringstring');
  const script = (await run(['completion', 'bash'])).out;
  const asked = 'COMP_WORDS=(rialto switch s); COMP_CWORD=2; _rialto; echo "$COMPREPLY"';
  const complete = `${script}\n${asked}`;
  assert.equal(execFileSync('bash', ['-c', complete], { encoding: 'utf8' }).trim(), 'stop');
});

test('init writes a configuration that every service accepts in production', async () => {
  const etc = join(folder, 'etc');
  const words = ['init', etc, '--public-url', 'https://exchange.example.com'];
  const { code, err, out } = await run(words);
  assert.equal(code, 0, err);
  assert.ok(out.includes('rialto.env') && out.includes('sequencer.env'));
  mkdirSync(join(etc, 'postgres'));
  const read = (file: string) => parseEnv(readFileSync(join(etc, file), 'utf8'));
  for (const service of SERVICES) {
    writeFileSync(join(etc, 'postgres', service), 'postgres://x@127.0.0.1/rialto\n');
    const config = readServiceConfig(service, { ...read('rialto.env'), ...read(`${service}.env`) });
    assert.equal(config.mode, 'production');
    if ('replicas' in config) assert.deepEqual([config.replicas, config.natsUrls?.length], [3, 3]);
    const seed = config.identityKeyFile ?? '';
    assert.equal(statSync(seed).mode & 0o77, 0, `${seed} is private`);
  }
  assert.equal((await run(words)).code, 1, 'nothing is overwritten');
});

test('doctor names what is wrong and what to do', async () => {
  const file = join(folder, 'bad.env');
  writeFileSync(file, 'RIALTO_NATS_URLS=nats://127.0.0.1:1\nRIALTO_STRAEM_PORT=1\n');
  const { code, out } = await run(['doctor', '--env', file]);
  assert.equal(code, 1);
  assert.match(out, /ok {4}Node/);
  assert.match(out, /FAIL {2}settings of projector +\d settings to repair/);
  assert.match(out, /^ {6}RIALTO_STRAEM_PORT .*did you mean RIALTO_STREAM_PORT\?/m);
  // The tests' own profile is no setting of a service.
  assert.doesNotMatch(out, /RIALTO_PROFILE/);
  const missing = await run(['doctor', '--env', join(folder, 'none.env')]);
  assert.deepEqual([missing.code, missing.err.startsWith('Cannot read')], [2, true], missing.err);
  assert.match(out, /FAIL {2}NATS +127\.0\.0\.1:1 does not answer; start it/);
  const json = JSON.parse((await run(['doctor', '--json'])).out);
  assert.ok(json.every(({ state }: { state: string }) => state !== undefined));
});
