// The reader prints the golden frames as their golden lines, even when they are in one file.

import assert from 'node:assert/strict';
import test from 'node:test';
import { CodecFault, SCHEMA_VERSION } from '../../core/messages/index.ts';
import { readGolden } from '../codec/golden-files.ts';
import { frameLines } from './frame-lines.ts';

const commands = readGolden(SCHEMA_VERSION, 'commands.bin');
const events = readGolden(SCHEMA_VERSION, 'events.bin');

test('two frames in one file', () => {
  const lines = [...frameLines(Buffer.concat([commands, events]))];
  const golden = ['commands.jsonl', 'events.jsonl'].flatMap((name) => {
    const [header, ...messages] = readGolden(SCHEMA_VERSION, name).toString().trimEnd().split('\n');
    const kind = { frame: name.replace('.jsonl', ''), schemaVersion: SCHEMA_VERSION };
    return [JSON.stringify({ ...kind, ...JSON.parse(header) }), ...messages];
  });
  assert.deepEqual(lines, golden);
});

test('a file that ends inside a frame, or is none', () => {
  assert.throws(() => [...frameLines(commands.subarray(0, -1))], CodecFault);
  assert.throws(() => [...frameLines(Buffer.concat([events, Buffer.from('more')]))], CodecFault);
  assert.throws(() => [...frameLines(Buffer.from('not a frame at all'))], CodecFault);
});
