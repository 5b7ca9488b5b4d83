// Writes the documents of the interface from the protocol: `npx node tools/openapi/main.ts`.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocument, apiPages, OPENAPI_PATH } from './api-documents.ts';

const root = join(import.meta.dirname, '../..');

for (const [path, text] of apiPages()) {
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}
writeFileSync(join(root, OPENAPI_PATH), `${JSON.stringify(apiDocument(), null, 2)}\n`);
// It stands in the repository as every file there is formatted.
const { status } = spawnSync('node_modules/.bin/biome', ['format', '--write', OPENAPI_PATH], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
console.log(`wrote ${OPENAPI_PATH}`);
