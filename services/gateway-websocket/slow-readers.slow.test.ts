// Slow and stopped readers on a real gateway: all others receive everything, a slow reader gets a
// snapshot instead of missed messages, a stopped reader is disconnected, and the gateway's memory
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
// Longer than all messages take on a busy machine, so no socket is disconnected early.
const STUCK_AFTER_MS = 20_000;
const MESSAGE_BYTES = 200_000;
const MESSAGES = 300;
const STOPPED = 20;
// Above all real frames, so the publisher's own messages do not count.
const FRAME_FROM = 1_000_000_000;
const MEBIBYTE = 1_048_576;

/** Publishes a book that consists of a number and white space. */
function publishBook({ admin }: Sandbox, number: number): void {
  const made = headers();
  made.set(FRAME_HEADER, String(FRAME_FROM + number));
  const text = `{"bids":[[${number},1]],"asks":[],"timestamp":"2026-01-01T00:00:00.000Z"`;
  const payload = `${text.padEnd(MESSAGE_BYTES)}}`;
  admin.nats.client.publish(`rialto.feed.book.${SYMBOL}`, payload, { headers: made });
}

function numbersOf({ received }: StreamProbe): number[] {
  return received.flatMap(({ data, topic }) =>
    topic === 'orderbook' ? [data.bids[0]?.[0] ?? 0] : [],
  );
}

async function openSubscriber(sandbox: Sandbox): Promise<StreamProbe> {
  const probe = await StreamProbe.open(sandbox.streamUrls[0]);
  probe.subscribe(`orderbook:${SYMBOL}`);
  await probe.nextOf('orderbook');
  return probe;
}

/** Reads a little at a time, like a client on a slow line. */
async function takeOne(probe: StreamProbe): Promise<void> {
  const before = probe.received.length;
  probe.websocket.resume();
  await probe.until('something was read', () => probe.received.length > before);
  probe.websocket.pause();
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
  const probes: StreamProbe[] = [];
  try {
    for (let count = 0; count < STOPPED + 2; count += 1) probes.push(await openSubscriber(sandbox));
    const [quick, slow, ...stopped] = probes;
    for (const probe of [slow, ...stopped]) probe.websocket.pause();
    const pid = sandbox.service('gateway-websocket-1').pid!;
    const beforeBytes = residentBytes(pid);
    for (let number = 1; number <= MESSAGES; number += 1) {
      publishBook(sandbox, number);
      await quick.until(`message ${number} is received`, () => numbersOf(quick).at(-1) === number);
      if (number % 25 === 0) await takeOne(slow);
    }
    const received = numbersOf(quick).filter((number) => number > 0);
    assert.deepEqual(
      received,
      Array.from({ length: MESSAGES }, (_, index) => index + 1),
    );
    // Each gets 60 MB; a quarter of a megabyte can be unsent.
    const grownBytes = residentBytes(pid) - beforeBytes;
    assert.ok(grownBytes < 100 * MEBIBYTE, `${grownBytes / MEBIBYTE} MiB`);
    assert.ok((await metric(sandbox, 'rialto_stream_conflated_total')) > 100 * STOPPED);

    slow.websocket.resume();
    await slow.until('it has the newest value', () => numbersOf(slow).at(-1) === MESSAGES);
    const taken = numbersOf(slow).filter((number) => number > 0);
    assert.ok(taken.length < MESSAGES, `${taken.length} of ${MESSAGES}`);
    assert.deepEqual(
      taken,
      taken.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(taken).size, taken.length);

    await waitUntil({
      what: 'the stopped readers are disconnected',
      timeoutMs: 4 * STUCK_AFTER_MS,
      question: async () => (await metric(sandbox, 'rialto_stream_sockets')) === 2,
    });
    publishBook(sandbox, MESSAGES + 1);
    for (const probe of [quick, slow]) {
      await probe.until('it continues', () => numbersOf(probe).at(-1) === MESSAGES + 1);
    }
  } finally {
    for (const probe of probes) probe.close();
    await sandbox.stop();
  }
});
