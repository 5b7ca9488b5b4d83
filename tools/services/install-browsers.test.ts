// Firefox is the named one, or the first on the path.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFirefox } from './install-browsers.ts';

test('the named Firefox is used, else firefox-esr before firefox on the path', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-firefox-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => {
    writeFileSync(join(folder, name), '');
    return join(folder, name);
  };
  const PATH = `/nowhere:${folder}`;
  assert.equal(findFirefox({ PATH }), undefined);
  const plain = file('firefox');
  assert.equal(findFirefox({ PATH }), plain);
  const esr = file('firefox-esr');
  assert.equal(findFirefox({ PATH }), esr);
  assert.equal(findFirefox({ PATH, RIALTO_FIREFOX: plain }), plain);
  assert.equal(findFirefox({ PATH, RIALTO_FIREFOX: join(folder, 'other') }), undefined);
});
