// Slow and stopped readers on a real gateway: all others receive everything, a slow reader gets a
// snapshot instead of what it missed, a stopped reader is disconnected, and the gateway's memory
// stays small.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { headers } from '@nats-io/transport-node';
import { FRAME_HEADER } from '../../infra/live-feed/index.ts';
import { StreamProbe } from '../../testing/stream/stream-probe.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';

const SYMBOL = 'btc-usdt';
// Longer than all messages take on a busy machine: nobody is disconnected before.
const STUCK_AFTER_MS = 20_000;
const MESSAGE_BYTES = 200_000;
const MESSAGES = 300;
const STOPPED = 20;
// Above all real frames, so that the publisher's own messages do not count.
const FRAME_FROM = 1_000_000_000;
const MEBIBYTE = 1_048_576;

/** A book that consists of a number and white space. */
function sayBook({ admin }: Sandbox, number: number): void {
  const made = headers();
  made.set(FRAME_HEADER, String(FRAME_FROM + number));
  const text = `{"bids":[[${number},1]],"asks":[],"timestamp":"2026-01-01T00:00:00.000Z"`;
  const payload = `${text.padEnd(MESSAGE_BYTES)}}`;
  admin.nats.client.publish(`rialto.feed.book.${SYMBOL}`, payload, { headers: made });
}

function numbersOf({ heard }: StreamProbe): number[] {
  return heard.flatMap(({ data, topic }) =>
    topic === 'orderbook' ? [data.bids[0]?.[0] ?? 0] : [],
  );
}

async function openFollower(sandbox: Sandbox): Promise<StreamProbe> {
  const ear = await StreamProbe.open(sandbox.streamUrls[0]);
  ear.subscribe(`orderbook:${SYMBOL}`);
  await ear.nextOf('orderbook');
  return ear;
}

/** A client on a slow line: a little at a time. */
async function takeOne(ear: StreamProbe): Promise<void> {
  const before = ear.heard.length;
  ear.websocket.resume();
  await ear.until('something was taken', () => ear.heard.length > before);
  ear.websocket.pause();
}

function residentBytes(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1_024;
}

async function metric(sandbox: Sandbox, name: string): Promise<number> {
  const { healthUrl } = sandbox.service('gateway-websocket-1');
  const answer = await fetch(`${healthUrl}/metrics`);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? 0);
}

test('slow and stopped readers do not affect others', async () => {
  const sandbox = await startSandbox({
    streams: 1,
    streamSettings: { RIALTO_STUCK_AFTER_MS: String(STUCK_AFTER_MS) },
  });
  const ears: StreamProbe[] = [];
  try {
    for (let count = 0; count < STOPPED + 2; count += 1) ears.push(await openFollower(sandbox));
    const [quick, slow, ...stopped] = ears;
    for (const ear of [slow, ...stopped]) ear.websocket.pause();
    const pid = sandbox.service('gateway-websocket-1').pid!;
    const beforeBytes = residentBytes(pid);
    for (let number = 1; number <= MESSAGES; number += 1) {
      sayBook(sandbox, number);
      await quick.until(`message ${number} is heard`, () => numbersOf(quick).at(-1) === number);
      if (number % 25 === 0) await takeOne(slow);
    }
    const heard = numbersOf(quick).filter((number) => number > 0);
    assert.deepEqual(
      heard,
      Array.from({ length: MESSAGES }, (_, index) => index + 1),
    );
    // 60 MB are sent to each; a quarter of a megabyte may wait.
    const grownBytes = residentBytes(pid) - beforeBytes;
    assert.ok(grownBytes < 100 * MEBIBYTE, `${grownBytes / MEBIBYTE} MiB`);
    assert.ok((await metric(sandbox, 'rialto_stream_left_out_total')) > 100 * STOPPED);

    slow.websocket.resume();
    await slow.until('it has the newest', () => numbersOf(slow).at(-1) === MESSAGES);
    const taken = numbersOf(slow).filter((number) => number > 0);
    assert.ok(taken.length < MESSAGES, `${taken.length} of ${MESSAGES}`);
    assert.deepEqual(
      taken,
      taken.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(taken).size, taken.length);

    await waitUntil({
      what: 'the stopped ones are cut off',
      timeoutMs: 4 * STUCK_AFTER_MS,
      question: async () => (await metric(sandbox, 'rialto_stream_sockets')) === 2,
    });
    sayBook(sandbox, MESSAGES + 1);
    for (const ear of [quick, slow]) {
      await ear.until('it goes on', () => numbersOf(ear).at(-1) === MESSAGES + 1);
    }
  } finally {
    for (const ear of ears) ear.close();
    await sandbox.stop();
  }
});
