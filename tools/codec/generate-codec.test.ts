// The generated files match the layouts, and a generated codec reads old logs after a field and a
// kind are appended.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { FrameReader } from '../../core/messages/frame-reader.ts';
import { CodecFault, FrameWriter } from '../../core/messages/index.ts';
import type { Layouts } from '../../core/messages/layout.ts';
import { side } from '../../core/messages/words.ts';
import { codecSources } from './codec-source.ts';
import { generateCodec } from './generate-codec.ts';

const root = join(import.meta.dirname, '../..');

test('the generated files are up to date; if not, run tools/codec/main.ts', () => {
  for (const [path, source] of codecSources()) {
    assert.equal(readFileSync(join(root, path), 'utf8'), source, path);
  }
});

const layoutsV1: Layouts = {
  Note: { code: 1, fields: { number: 'safe', text: 'text' } },
};
const layoutsV2: Layouts = {
  Note: {
    code: 1,
    fields: {
      number: 'safe',
      text: 'text',
      side: { wire: side, since: 2, default: 'sell' },
      amountAtoms: { wire: 'atoms', since: 2, default: 5n },
      more: { wire: 'text', since: 2, default: 'none' },
    },
  },
  Remark: { code: 2, since: 2, fields: { text: 'text' } },
};

interface SampleCodec {
  encodeSample(writer: FrameWriter, message: object): void;
  decodeSample(reader: FrameReader): object;
}

async function load(folder: string, name: string, layouts: Layouts): Promise<SampleCodec> {
  const path = join(folder, `${name}.mts`);
  const source = generateCodec({
    modulePrefix: `${pathToFileURL(join(root, 'core/messages'))}/`,
    vocabularyModule: 'vocabulary.ts',
    groups: [{ union: 'Sample', module: 'samples.ts', layouts }],
  });
  writeFileSync(path, source);
  return import(pathToFileURL(path).href);
}

function encode(codec: SampleCodec, message: object): Uint8Array {
  const writer = new FrameWriter();
  codec.encodeSample(writer, message);
  return writer.written();
}

function decode(codec: SampleCodec, version: number, bytes: Uint8Array): object {
  const reader = new FrameReader(bytes);
  reader.version = version;
  return codec.decodeSample(reader);
}

test('a later release reads the bytes of an earlier one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-codec-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const v1 = await load(folder, 'v1', layoutsV1);
  const v2 = await load(folder, 'v2', layoutsV2);

  const old = { kind: 'Note', number: 7, text: 'yesterday' };
  const oldBytes = encode(v1, old);
  assert.deepEqual(decode(v2, 1, oldBytes), {
    ...old,
    side: 'sell',
    amountAtoms: 5n,
    more: 'none',
  });

  const young = { ...old, side: 'buy', amountAtoms: -1n, more: 'today' };
  const youngBytes = encode(v2, young);
  assert.deepEqual(decode(v2, 2, youngBytes), young);
  assert.throws(() => decode(v2, 1, youngBytes), CodecFault);
  assert.throws(() => decode(v2, 2, oldBytes), CodecFault);

  const remark = { kind: 'Remark', text: 'new kind' };
  assert.deepEqual(decode(v2, 2, encode(v2, remark)), remark);
  assert.throws(() => decode(v2, 1, encode(v2, remark)), CodecFault);
});

test('ambiguous layouts are rejected', () => {
  const generate = (layouts: Layouts) =>
    generateCodec({
      modulePrefix: './',
      vocabularyModule: 'vocabulary.ts',
      groups: [{ union: 'Sample', module: 'samples.ts', layouts }],
    });
  const appended = { wire: 'safe', since: 2, default: 0 } as const;
  assert.throws(() => generate({ A: { code: 1, fields: {} }, B: { code: 1, fields: {} } }));
  assert.throws(() => generate({ A: { code: 0, fields: {} } }));
  assert.throws(() => generate({ A: { code: 256, fields: {} } }));
  assert.throws(() => generate({ A: { code: 1, fields: { a: appended, b: 'safe' } } }));
});
