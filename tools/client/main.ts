// Writes the client's generated files: `npx node tools/client/main.ts`, or `npm run generate`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientFiles } from './client-files.ts';
import { formatted } from './formatted.ts';

const root = join(import.meta.dirname, '../..');

for (const [path, text] of clientFiles()) {
  writeFileSync(join(root, path), formatted(path, text));
  console.log(`wrote ${path}`);
}
