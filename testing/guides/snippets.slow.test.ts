// Every code block of the README and of docs/api runs against one real exchange. A shell block
// continues the shell of its page. A value with the comment `# from the mail`, `# from the app` or
// `# from the answer` is replaced by the real one. A JSON block after a shell block shows the
// response and must have the same fields.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { totpCode } from '../../features/auth/index.ts';
import { type OwnConnection, openConnection } from '../../infra/postgres/index.ts';
import { writeCredentials } from '../../tools/sandbox/credentials-file.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { REGISTRY_SCHEMA } from '../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { ShellSession } from './shell-session.ts';
import { DATA, readSnippets, type Snippet } from './snippets.ts';

const ROOT = join(import.meta.dirname, '../..');
const EMAIL = 'dana@example.com';
const SEEN_WITHIN_MS = 30_000;
/** Pages that continue the shell of the previous page, with its account and session. */
const ACCOUNT_PAGES = ['accounts', 'sub-accounts', 'fiat', 'withdrawals'].map(
  (name) => `docs/api/${name}.md`,
);
/** Limit for blocks with a separate test, or with a program that the machine might lack. */
const NOT_RUN_MAX = 3;
const PROGRAMS: Readonly<Record<string, { command: string; ending: string }>> = {
  javascript: { command: process.execPath, ending: 'mjs' },
  typescript: { command: process.execPath, ending: 'ts' },
  python: { command: 'python3', ending: 'py' },
};

const folder = mkdtempSync(join(tmpdir(), 'rialto-guides-'));
const snippets = readSnippets();
let sandbox: Sandbox;
let registry: OwnConnection;
let lastMail = 0;
let secret = '';
let answer = '';

before(async () => {
  sandbox = await startSandbox({ streams: 1, withNotifier: true });
  registry = await openConnection({
    url: sandbox.postgres.url,
    schema: REGISTRY_SCHEMA,
    name: 'guides',
    statementTimeoutMs: 10_000,
  });
  mkdirSync(join(folder, '.rialto'));
  writeCredentials(join(folder, '.rialto'), sandbox.seeded.users);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});

after(async () => {
  await registry?.end();
  await sandbox?.stop();
  rmSync(folder, { recursive: true });
});

/** Replaces the ports of `npm run dev`, which the guides use. */
function placed(text: string): string {
  return text
    .replaceAll('http://127.0.0.1:4000', sandbox.url)
    .replaceAll('ws://127.0.0.1:4001/stream', sandbox.streamUrls[0]);
}

async function realValue(name: string, source: string): Promise<string> {
  if (source === 'mail') return mailedCode();
  if (source === 'app') {
    // A code is valid once. The test does not wait half a minute for the next one.
    await registry.query('update totp_secrets set last_step = 0', []);
    return totpCode(secret, Date.now());
  }
  return String(JSON.parse(answer)[name.toLowerCase()]);
}

async function mailedCode(): Promise<string> {
  let code = '';
  await waitUntil({
    what: 'the email has arrived',
    timeoutMs: SEEN_WITHIN_MS,
    question: async () => {
      const response = await fetch(`${sandbox.inboxUrl}/messages.json?to=${EMAIL}`);
      const mails = (await response.json()) as { id: number; code?: string }[];
      const mail = mails.find((one) => one.id > lastMail && Boolean(one.code));
      if (mail === undefined) return false;
      lastMail = mail.id;
      code = mail.code ?? '';
      return true;
    },
  });
  return code;
}

async function filledIn(text: string): Promise<string> {
  const lines = placed(text).split('\n');
  const filled = lines.map(async (line) => {
    const [, name, source] = /^(\w+)=\S+ # from the (mail|app|answer)$/.exec(line) ?? [];
    return name === undefined ? line : `${name}='${await realValue(name, source)}'`;
  });
  return (await Promise.all(filled)).join('\n');
}

async function runShell(shell: ShellSession, { text }: Snippet): Promise<void> {
  answer = await shell.run(await filledIn(text));
  const lines = answer.split('\n').filter((line) => line !== '');
  answer = lines.at(-1) ?? '';
  if (answer.includes('"uri":"otpauth')) secret = JSON.parse(answer).secret;
}

function compareAnswer({ text }: Snippet): void {
  assert.deepEqual(fieldsOf(JSON.parse(answer)), fieldsOf(JSON.parse(text)), answer);
}

function fieldsOf(value: object): readonly string[] {
  return Object.keys(Array.isArray(value) ? value[0] : value).sort();
}

async function runProgram({ language, line, text }: Snippet): Promise<void> {
  const { command, ending } = PROGRAMS[language];
  const [, name = `snippet-${line}.${ending}`] = /^(?:#|\/\/) (\w+\.\w+)\n/.exec(text) ?? [];
  writeFileSync(join(folder, name), placed(text));
  const program = spawn(command, [name], { cwd: folder });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(program, 'close');
  assert.equal(code, 0, output);
  assert.doesNotMatch(output, /False|false/, output);
}

/** Credits deposits, because Dana withdraws and transfers. */
async function payIn(shell: ShellSession): Promise<void> {
  const admin = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
  const { id } = JSON.parse(await shell.run('curl -sS $URL/user -H "$AUTH"'));
  for (const [currency, amount, network] of [
    ['btc', 1, 'btc'],
    ['usdt', 1_000, 'eth'],
  ]) {
    const deposit = { user_id: id, currency, amount, network, transaction_id: `paid-${currency}` };
    const { status, text } = await admin.post('/admin/mint', deposit);
    assert.equal(status, 201, text);
  }
  await waitUntil({
    what: 'the deposits are credited',
    timeoutMs: SEEN_WITHIN_MS,
    question: async () => {
      const { body: balance } = await admin.get('/admin/user/balance', { user_id: id });
      return balance.btc_available === 1 && balance.usdt_available === 1_000;
    },
  });
}

const pages = [...new Set(snippets.map(({ page }) => page))];
const ordered = [...pages.filter((page) => !ACCOUNT_PAGES.includes(page)), ...ACCOUNT_PAGES];

describe('the snippets run', { concurrency: false }, () => {
  let shell: ShellSession | undefined;
  after(() => shell?.stop());

  for (const page of ordered) {
    const blocks = snippets.filter((one) => one.page === page && one.notRun === undefined);
    test(page, { timeout: 120_000 }, async (context) => {
      if (!ACCOUNT_PAGES.includes(page) || page === ACCOUNT_PAGES[0]) {
        shell?.stop();
        shell = new ShellSession(folder);
      }
      if (page === ACCOUNT_PAGES[1]) await payIn(shell!);
      for (const [at, snippet] of blocks.entries()) {
        const { language, line } = snippet;
        const isAnswer = blocks[at - 1]?.language === 'sh' && !snippet.opensSection;
        if (language === 'json' && !isAnswer) continue;
        if (language === 'text') continue;
        await context.test(`line ${line}: ${language}`, async () => {
          if (language === 'json') compareAnswer(snippet);
          else if (language === 'sh') await runShell(shell!, snippet);
          else await runProgram(snippet);
        });
      }
    });
  }

  test('the first orders of all three languages reached the exchange', async () => {
    const alice = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.alice });
    await waitUntil({
      what: 'the orders are listed',
      timeoutMs: SEEN_WITHIN_MS,
      question: async () => {
        const { body } = await alice.get('/orders', { symbol: 'btc-usdt' });
        const ids = body.data.map((order: { client_order_id?: string }) => order.client_order_id);
        return ['sh-', 'js-', 'py-', 'ws-', 'once-js-', 'once-py-'].every(
          (prefix) => ids.filter((id: string) => id?.startsWith(prefix)).length === 1,
        );
      },
    });
  });
});

test('every block names its language, and at most three are not run', () => {
  const known = [...DATA, 'sh', ...Object.keys(PROGRAMS)];
  const unknown = snippets.filter(
    ({ language, notRun }) => notRun === undefined && !known.includes(language),
  );
  assert.deepEqual(unknown, []);
  const notRun = snippets.filter((snippet) => snippet.notRun !== undefined);
  assert.ok(notRun.length <= NOT_RUN_MAX, JSON.stringify(notRun));
});

test('every JSON block is JSON', () => {
  for (const { language, line, page, text } of snippets) {
    if (language !== 'json') continue;
    const documents = text.includes('\n\n') ? text.split('\n\n') : [text];
    for (const document of documents)
      assert.doesNotThrow(() => parsed(document), `${page}:${line}`);
  }
});

/** Parses one document, or one per line. */
function parsed(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    for (const line of text.trim().split('\n')) JSON.parse(line);
  }
}
