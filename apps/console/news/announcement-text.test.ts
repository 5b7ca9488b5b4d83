// Announcement text as users receive it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlOf, phaseOf } from './announcement-text.ts';

test('paragraphs become HTML, and special characters are escaped', () => {
  assert.equal(htmlOf(' One\nline\n\n\nTwo '), '<p>One<br>line</p><p>Two</p>');
  assert.equal(htmlOf('<b>1 & "2"</b>'), '<p>&lt;b&gt;1 &amp; &quot;2&quot;&lt;/b&gt;</p>');
  assert.equal(htmlOf('  \n \n'), '');
});

test('the dates decide whether users see an announcement', () => {
  const nowMs = Date.parse('2026-11-17T12:00:00.000Z');
  const phase = (start: string | null, end: string | null) =>
    phaseOf({ start_date: start, end_date: end }, nowMs);
  assert.equal(phase(null, null), 'shown');
  assert.equal(phase('2026-11-17T12:00:01.000Z', null), 'planned');
  assert.equal(phase('2026-11-17T12:00:00.000Z', '2026-11-17T12:00:01.000Z'), 'shown');
  assert.equal(phase(null, '2026-11-17T12:00:00.000Z'), 'over');
});
