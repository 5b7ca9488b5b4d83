// Announcement text without its HTML.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paragraphsOf } from './plain-text.ts';

for (const [html, paragraphs] of [
  ['plain', ['plain']],
  ['<p>One <b>two</b></p><p>three</p>', ['One two', 'three']],
  ['a<br>b<br>c', ['a', 'b', 'c']],
  ['<ul><li>x</li><li>y</li></ul>', ['x', 'y']],
  ['5 &lt; 6 &amp; 7 &gt; 6 &quot;x&quot; &#39;', [`5 < 6 & 7 > 6 "x" '`]],
  ['&amp;lt;', ['&lt;']],
  ['', []],
] as const) {
  test(`the paragraphs of ${html || 'nothing'} are extracted`, () => {
    assert.deepEqual(paragraphsOf(html), paragraphs);
  });
}
