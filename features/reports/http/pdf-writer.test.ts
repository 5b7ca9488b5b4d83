// The structure of a PDF: every offset points to its object, texts are escaped, and widths align.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fitted, PdfWriter, widthOf } from './pdf-writer.ts';

function written(texts: readonly string[]): string {
  const pdf = new PdfWriter('A (title)');
  let file = pdf.begin();
  for (const text of texts) {
    pdf.text(text, { x: 40, y: 700, size: 10 });
    file += pdf.endPage();
  }
  return file + pdf.end();
}

test('every entry of the cross-reference table points to its object', () => {
  const file = written(['one', 'two']);
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
  const [head, count, ...entries] = file.slice(start).split('\n');
  assert.deepEqual([head, count], ['xref', '0 10']);
  for (let number = 1; number < 10; number++) {
    const offset = Number(entries[number].slice(0, 10));
    assert.ok(file.startsWith(`${number} 0 obj\n`, offset), `object ${number}`);
    assert.equal(entries[number].length, 19);
  }
  assert.match(file, /\/Count 2 \/Kids \[7 0 R 9 0 R\]/);
});

test('every stream has its length', () => {
  const streams = written(['one', 'a longer text']).matchAll(
    /\/Length (\d+) >>\nstream\n([\s\S]*?)endstream/g,
  );
  const lengths = [...streams].map(([, length, text]) => [Number(length), text.length]);
  assert.equal(lengths.length, 2);
  for (const [length, found] of lengths) assert.equal(length, found);
});

test('a text cannot end its literal, and every byte is ASCII', () => {
  const file = written(['a) Tj (b\\', 'Zürich, Ünïon', '交易 €']);
  assert.ok(file.includes('(a\\) Tj \\(b\\\\) Tj'));
  assert.ok(file.includes('(Z\\374rich, \\334n\\357on) Tj'));
  assert.ok(file.includes('(?? ?) Tj'));
  assert.ok(file.includes('/Title (A \\(title\\))'));
  assert.match(file, /^[\n\x20-\x7e]*$/);
});

test('digits have one width, so right-aligned amounts line up', () => {
  assert.equal(widthOf('1111', 10), widthOf('0987', 10));
  assert.equal(widthOf('-1.50', 10), 22.79);
  const pdf = new PdfWriter('');
  pdf.begin();
  pdf.text('1.50', { x: 100, y: 10, size: 10, isRight: true });
  assert.match(pdf.endPage(), /80\.54 10\.00 Td \(1\.50\)/);
});

test('a long text is cut in the middle', () => {
  const id = `0x${'ab'.repeat(32)}`;
  const cut = fitted(id, 7.5, 110);
  assert.ok(widthOf(cut, 7.5) <= 110);
  assert.match(cut, /^0x(?:ab)+a?\.\.\.b?(?:ab)+$/);
  assert.equal(fitted('short', 7.5, 110), 'short');
});
