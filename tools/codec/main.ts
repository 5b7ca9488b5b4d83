// Writes the generated codec from the layouts: `node tools/codec/main.ts`. With --write-goldens
// it also writes the golden frames of the current schema version. Never rewrite the golden frames
// of a released version: the next change increments the version.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { codecSources } from './codec-source.ts';

const { values } = parseArgs({ options: { 'write-goldens': { type: 'boolean', default: false } } });
const root = join(import.meta.dirname, '../..');

for (const [path, source] of codecSources()) {
  writeFileSync(join(root, path), source);
  console.log(`wrote ${path}`);
}

if (values['write-goldens']) {
  // Imported late: these modules use the codec that was just written.
  const { SCHEMA_VERSION } = await import('../../core/messages/index.ts');
  const { goldenFiles, goldenFolder } = await import('./golden-files.ts');
  const folder = join(goldenFolder, `v${SCHEMA_VERSION}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of goldenFiles()) writeFileSync(join(folder, name), content);
  console.log(`wrote the goldens of schema ${SCHEMA_VERSION}`);
}
