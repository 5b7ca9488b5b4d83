// The build has an index page without inline code, and compressed copies of its files.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildScreens, ensureScreens } from './build-screens.ts';

test('the screens are built, compressed, and not built again without a change', async () => {
  const { folder, isNew } = await buildScreens();
  assert.equal(isNew, true);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  assert.doesNotMatch(html, /<style|<script(?![^>]*src=)|\son\w+=|\sstyle=/);
  assert.doesNotMatch(html, /(?:src|href)="https?:/);
  const assets = readdirSync(join(folder, 'assets'));
  const scripts = assets.filter((name) => name.endsWith('.js'));
  assert.ok(scripts.length > 0);
  for (const name of scripts.filter((one) => assets.includes(`${one}.br`))) {
    const read = (end: string) => readFileSync(join(folder, 'assets', name + end));
    assert.deepEqual(brotliDecompressSync(read('.br')), read(''));
    assert.deepEqual(gunzipSync(read('.gz')), read(''));
  }
  assert.equal((await ensureScreens()).isNew, false);
});
