// A new exchange's log on a real server: created once, on request, and never over another one.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
  checkStreams,
  createStreams,
  exchangeIdOf,
  hashFrame,
  JetStreamLog,
  journalNames,
  openSealedFrame,
  sealFrame,
} from '../../infra/journal/index.ts';
import { genesisFrame } from '../../services/sequencer/index.ts';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { createLog, createLogOnce, inDevelopment, nameWrittenLog } from './create-log.ts';

const OPTIONS = inDevelopment();
const COMMANDS = journalNames('rialto').commands;

test('a new log has one frame, whose hash is the id of the exchange', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  const exchangeId = await createLog(nats, OPTIONS);
  const { found } = await checkStreams(nats, OPTIONS);
  assert.deepEqual([found.exchangeId, found.lastFrame], [exchangeId, 1]);
  assert.ok(Math.abs(found.completeSinceMs - Date.now()) < 60_000);
  const log = new JetStreamLog({ nats, ...COMMANDS });
  const message = await new Promise<Uint8Array | undefined>((done) => log.read(1, done));
  const sealed = openSealedFrame(message!);
  assert.equal(exchangeIdOf(sealed!.frame), exchangeId);
  await assert.rejects(createLog(nats, OPTIONS), /^ToolFault: The log of exchange .* exists/);
  await createLogOnce(nats);
  log.stop();
});

test('an interrupted creation is completed; a log with frames is not touched', async (context) => {
  const { connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  await createStreams(nats, OPTIONS);
  const log = new JetStreamLog({ nats, ...COMMANDS });
  const frame = genesisFrame({ timeMs: 1, writer: 7 });
  const message = sealFrame(frame, hashFrame(frame));
  const append = (at: number) => new Promise((done) => log.append(at, message, done));
  assert.equal(await append(1), 'stored');
  assert.equal(await createLog(nats, OPTIONS), exchangeIdOf(frame));

  const other = inDevelopment({ exchange: 'other' });
  const second = new JetStreamLog({ nats, ...journalNames('other').commands });
  await createStreams(nats, other);
  for (const at of [1, 2]) await new Promise((done) => second.append(at, message, done));
  await assert.rejects(createLog(nats, other), /COMMANDS has 2 frames and no name/);
  assert.equal(await nameWrittenLog(nats, other), exchangeIdOf(frame));
  assert.equal((await checkStreams(nats, other)).found.exchangeId, exchangeIdOf(frame));
  for (const one of [log, second]) one.stop();
});

test('the command prints the id, and fails with one sentence the second time', async (context) => {
  const { connect, servers } = await startNatsForTest(context, { nodes: 1 });
  const run = () =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: {
        PATH: process.env.PATH,
        RIALTO_MODE: 'development',
        RIALTO_REPLICAS: '1',
        RIALTO_NATS_URLS: servers.urls.join(),
      },
    });
  const { stdout } = await run();
  const { found } = await checkStreams(await connect(), OPTIONS);
  assert.equal(stdout, `${found.exchangeId}\n`);
  await assert.rejects(run(), (fault: Error & { code: number; stderr: string }) => {
    assert.deepEqual([fault.code, fault.stderr.split('\n').length], [1, 2]);
    assert.match(fault.stderr, /^The log of exchange [0-9a-f]{64} already exists\.$/m);
    return true;
  });
});
