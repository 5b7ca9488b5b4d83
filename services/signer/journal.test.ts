// Tests the journal: a torn last line is removed, any other change is refused, and a second writer
// stops both.

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { SignedAnswer } from '../../infra/signer-link/index.ts';
import { hashOf, Journal, openLine, sealLine } from './journal.ts';
import { SignerStage } from './signer-for-test.ts';

/** A journal with the policy, and three payments of two entries each. */
function filled(): SignerStage {
  const stage = new SignerStage();
  for (const withdrawal of [1, 2, 3]) stage.ask(stage.pay({ withdrawal }));
  stage.journal.close();
  return stage;
}

function open({ keys, path }: SignerStage): { journal: Journal; kinds: string[] } {
  const kinds: string[] = [];
  const { macKey } = keys;
  const journal = new Journal({ path, macKey, replay: ({ kind }) => void kinds.push(kind) });
  return { journal, kinds };
}

const linesOf = ({ path }: SignerStage) => readFileSync(path, 'utf8').split('\n').slice(0, -1);

test('entries are replayed in order, and each line has the hash of the line before', () => {
  const stage = filled();
  const { journal, kinds } = open(stage);
  assert.deepEqual(kinds, ['policy', 'slot', 'version', 'slot', 'version', 'slot', 'version']);
  const lines = linesOf(stage);
  for (const [at, line] of lines.slice(1).entries()) {
    assert.equal(JSON.parse(line).previous, hashOf(lines[at]));
  }
  assert.deepEqual(journal.head, { entry: 7, hash: hashOf(lines[6]) });
  assert.equal(journal.hashAt(8), undefined);
});

test('a copy has the same lines, in answers of limited size', () => {
  const stage = filled();
  const { journal } = open(stage);
  const copy: string[] = [];
  while (copy.length < journal.head.entry) {
    const entries = journal.after(copy.length, 6_000);
    assert.ok(entries.length > 0);
    copy.push(...entries.map(({ line }) => line));
  }
  assert.deepEqual(copy, linesOf(stage));
  assert.deepEqual(journal.after(7, 6_000), []);
});

test('a last line that was cut anywhere is removed, and the entry can be written again', () => {
  const complete = filled();
  const bytes = readFileSync(complete.path);
  const lastLine = Buffer.byteLength(linesOf(complete)[6]) + 1;
  for (let cut = 1; cut < lastLine; cut += 7) {
    truncateSync(complete.path, bytes.length - cut);
    const { journal, kinds } = open(complete);
    assert.equal(journal.tornBytes, lastLine - cut);
    assert.equal(kinds.length, 6);
    journal.close();
    assert.equal(readFileSync(complete.path).length, bytes.length - lastLine);
    writeFileSync(complete.path, bytes);
  }
});

test('a slot without a version is signed after a restart, with the same bytes', () => {
  const stage = new SignerStage();
  const first = stage.ask(stage.pay({ withdrawal: 1 })) as SignedAnswer;
  const size = readFileSync(stage.path).length;
  truncateSync(stage.path, size - Buffer.byteLength(linesOf(stage)[2]) - 1);
  stage.restart();
  assert.equal(stage.state.payments.get(first.payment.id)?.payment.versions.length, 0);
  const again = stage.ask(stage.pay({ withdrawal: 1 })) as SignedAnswer;
  assert.equal(again.version.raw, first.version.raw);
  assert.deepEqual(again.payment.slot, first.payment.slot);
});

const EDITS: [string, (lines: string[], stage: SignerStage) => string[]][] = [
  ['a changed digit', (lines) => lines.map((line) => line.replace('"nonce":1', '"nonce":9'))],
  ['a removed line', (lines) => lines.filter((_, at) => at !== 3)],
  ['a repeated line', (lines) => [...lines, lines[6]]],
  ['two exchanged lines', ([a, b, c, d, ...rest]) => [a, b, d, c, ...rest]],
  ['a line of another seed', (lines) => [...lines, reseal(lines, Buffer.alloc(32, 7))]],
  ['a line without a MAC', (lines) => [...lines, '{"entry":8}']],
  ['an empty line', (lines) => [...lines, '']],
];

/** An added entry with right numbers and hashes. */
function reseal(lines: readonly string[], macKey: Uint8Array): string {
  const { mac: _, ...last } = JSON.parse(lines[6]);
  return sealLine({ ...last, entry: 8, previous: hashOf(lines[6]) }, macKey);
}

for (const [name, edit] of EDITS) {
  test(`${name} is refused`, () => {
    const stage = filled();
    writeFileSync(stage.path, `${edit(linesOf(stage), stage).join('\n')}\n`);
    assert.throws(() => open(stage), { name: 'JournalFault' });
  });
}

test('every flipped bit of a line is refused', () => {
  const stage = filled();
  const lines = linesOf(stage);
  const head = { entry: 5, hash: hashOf(lines[4]) };
  const { macKey } = stage.keys;
  assert.equal(openLine(lines[5], { head, macKey }).kind, 'slot');
  for (let at = 0; at < lines[5].length; at++) {
    const bytes = Buffer.from(lines[5]);
    bytes[at] ^= 1;
    assert.throws(() => openLine(bytes.toString('utf8'), { head, macKey }), {
      name: 'JournalFault',
    });
  }
});

test('a file that another process wrote to is not written, and no later entry is either', () => {
  const stage = new SignerStage();
  appendFileSync(stage.path, 'x');
  assert.throws(() => stage.ask(stage.pay({ withdrawal: 1 })), /is another signer running/);
  truncateSync(stage.path, readFileSync(stage.path).length - 1);
  assert.throws(() => stage.ask(stage.pay({ withdrawal: 1 })), /an earlier write failed/);
});
