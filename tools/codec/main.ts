// Writes the generated codec from the layouts: `node tools/codec/main.ts`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codecSources } from './codec-source.ts';

const root = join(import.meta.dirname, '../..');

for (const [path, source] of codecSources()) {
  writeFileSync(join(root, path), source);
  console.log(`wrote ${path}`);
}
