// Tests messages on the resumable topic with a client that verifies them as documented in
// docs/api/stream.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { PrivateEnvelope } from './private-message.ts';

const PAGE = join(import.meta.dirname, '../../../docs/api/stream.md');
const TIME_MS = 1_700_000_000_999;
const at = (frame: number, index: number) => ({ frame, index });

/** Returns the text of `data` as a client extracts it. */
function dataOf(text: string): string {
  const name = '"data":';
  return text.slice(text.indexOf(name) + name.length, -1);
}

test('the documented example matches the messages', () => {
  const envelope = new PrivateEnvelope(7);
  const timeMs = TIME_MS;
  const texts = [
    envelope.write('resumed', { sequence: at(12, 3), previous: at(12, 3), data: '[]', timeMs }),
    envelope.write('event', {
      sequence: at(12, 5),
      previous: at(12, 3),
      timeMs,
      data: '[{"topic":"wallet","data":{"btc_balance":1.5}}]',
    }),
    envelope.write('event', {
      sequence: at(40, 0),
      previous: at(12, 5),
      timeMs,
      data: '[{"topic":"wallet","data":{"btc_balance":2}}]',
    }),
  ];
  const page = readFileSync(PAGE, 'utf8');
  for (const text of texts) assert.ok(page.includes(text), `not in the page: ${text}`);
});

test('the checksum covers all data since the snapshot', () => {
  const envelope = new PrivateEnvelope(7);
  const data = ['["data":]', '[{"é":"\\"data\\":"}]', '[]'];
  const actions = ['snapshot', 'event', 'event'] as const;
  let all = '';
  data.forEach((text, index) => {
    const written = envelope.write(actions[index], {
      sequence: at(1, index),
      previous: undefined,
      data: text,
      timeMs: TIME_MS,
    });
    assert.equal(dataOf(written), text);
    all += text;
    assert.equal(/"checksum":(\d+)/.exec(written)?.[1], String(crc32(Buffer.from(all))));
  });
  const again = envelope.write('snapshot', {
    sequence: at(9, 0),
    previous: undefined,
    data: '[]',
    timeMs: TIME_MS,
  });
  assert.deepEqual(JSON.parse(again), {
    topic: 'private',
    action: 'snapshot',
    user_id: 7,
    sequence: '9.0',
    previous: null,
    time: 1_700_000_000,
    checksum: crc32('[]'),
    data: [],
  });
});
