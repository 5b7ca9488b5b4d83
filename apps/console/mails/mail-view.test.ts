// Texts of emails: only known placeholders are filled in, and typed signs stay text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paragraphsOf } from '../../forms/plain-text.ts';
import { mailHtml, preview } from './mail-view.ts';

test('a preview fills in the exchange and its host', () => {
  const values = { exchange: 'Acme', host: 'acme.example' };
  assert.equal(preview('{exchange} at {host}: {code}', values), 'Acme at acme.example: {code}');
});

test('typed text is read back unchanged', () => {
  const lines = ['Hello & welcome', 'x < y > z'];
  assert.equal(mailHtml(lines), '<p>Hello &amp; welcome</p>\n<p>x &lt; y &gt; z</p>');
  assert.deepEqual(paragraphsOf(mailHtml(lines)), lines);
});
