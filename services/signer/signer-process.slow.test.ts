// Tests the real process: it is killed with SIGKILL in the middle of requests, and no restart
// forgets or repeats a slot. It has no socket but its own.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signedForTest } from '../../infra/custody-file/custody-file-for-test.ts';
import {
  type Payment,
  type SignedAnswer,
  SignerClient,
  SignerUnreachable,
  type StatusAnswer,
} from '../../infra/signer-link/index.ts';
import { createSignerFolder } from './signer-folder.ts';
import { feeOf, SEED_FOR_TEST, SignerStage } from './signer-for-test.ts';

const PASSPHRASES = ['correct horse battery', 'staple of the other'] as const;
const KILLS = 12;
const STARTED = /"msg":"started"/;

const base = mkdtempSync(join(tmpdir(), 'signer-process-'));
const folder = join(base, 'signer');
const socket = join(base, 'socket');
const stage = new SignerStage((document) => {
  // The process has the real clock, so no window ends in this test.
  Object.assign(document.coins[0].pay, { hour: '100000', day: '100000' });
});
let signer: ChildProcess;

async function start(): Promise<ChildProcess> {
  const main = join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      RIALTO_MODE: 'development',
      RIALTO_SIGNER_FOLDER: folder,
      RIALTO_SIGNER_SOCKET: socket,
      RIALTO_SIGNER_UNLOCK_FILE: join(base, 'unlock'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (bytes) => void (output += bytes));
  while (!STARTED.test(output)) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    assert.equal(child.exitCode, null, output);
  }
  return child;
}

after(() => signer.kill('SIGKILL'));

test('kills between the journal and the answer lose no slot and repeat none', async () => {
  createSignerFolder(
    { folder, seed: SEED_FOR_TEST, passphrases: PASSPHRASES },
    { custodyFile: signedForTest(stage.document), timeMs: 0 },
  );
  writeFileSync(join(base, 'unlock'), PASSPHRASES.join('\n'));
  const client = new SignerClient({ socket, timeoutMs: 30_000 });
  const answered = new Map<number, Payment>();
  let unanswered = 0;
  let withdrawal = 1;
  signer = await start();
  for (let kill = 0; kill < KILLS; kill++) {
    // Answers before the kill: at least one, and then requests until it is gone.
    const answersMin = withdrawal + (kill % 4);
    await client.ask({ kind: 'status', copy: { entry: 0, hash: '' } });
    for (let isAlive = true; isAlive; ) {
      stage.nowMs = Date.now();
      const request = client.ask(stage.pay({ withdrawal, fee: feeOf(1) }));
      if (withdrawal >= answersMin) signer.kill('SIGKILL');
      try {
        const answer = (await request) as SignedAnswer;
        assert.equal(answer.kind, 'signed', JSON.stringify(answer));
        answered.set(withdrawal++, answer.payment);
      } catch (fault) {
        assert.ok(fault instanceof SignerUnreachable);
        unanswered += 1;
        isAlive = false;
      }
    }
    if (signer.signalCode === null) await once(signer, 'exit');
    signer = await start();
  }
  await client.ask({ kind: 'status', copy: { entry: 0, hash: '' } });
  for (const [number, payment] of answered) {
    stage.nowMs = Date.now();
    const again = (await client.ask(
      stage.pay({ withdrawal: number, fee: feeOf(1) }),
    )) as SignedAnswer;
    assert.deepEqual(again.payment, payment);
  }
  const nonces = [...answered.values()].map(({ slot }) => slot.nonce);
  assert.deepEqual(
    nonces,
    nonces.map((_, at) => at),
  );
  assert.equal(unanswered, KILLS);
  const status = (await client.ask({ kind: 'status' })) as StatusAnswer;
  assert.equal(status.hot.eth, stage.keys.hotAddress);
  client.close();
});

test('the process has no socket but Unix sockets', () => {
  const fds = `/proc/${signer.pid}/fd`;
  const links = readdirSync(fds).map((fd) => readlinkSync(join(fds, fd)));
  const sockets = links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
  const unix = new Set(
    readFileSync(`/proc/${signer.pid}/net/unix`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[6]),
  );
  assert.ok(sockets.length > 0);
  assert.deepEqual(
    sockets.filter((inode) => !unix.has(inode)),
    [],
  );
});

test('a second signer does not start on the same socket', async () => {
  const main = join(import.meta.dirname, 'main.ts');
  const second = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      RIALTO_MODE: 'development',
      RIALTO_SIGNER_FOLDER: folder,
      RIALTO_SIGNER_SOCKET: socket,
      RIALTO_SIGNER_UNLOCK_FILE: join(base, 'unlock'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  second.stderr.on('data', (bytes) => void (errors += bytes));
  const [code] = await once(second, 'exit');
  assert.equal(code, 78);
  assert.match(errors, /another signer serves/);
});
