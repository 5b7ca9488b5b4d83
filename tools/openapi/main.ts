// Writes the documents of the interface from the protocol: `npx node tools/openapi/main.ts`.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ASYNCAPI_PATH,
  apiDocument,
  apiPages,
  OPENAPI_PATH,
  streamDocument,
} from './api-documents.ts';

const root = join(import.meta.dirname, '../..');

for (const [path, text] of apiPages()) {
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}
const documents: [path: string, document: object][] = [
  [OPENAPI_PATH, apiDocument()],
  [ASYNCAPI_PATH, streamDocument()],
];
for (const [path, document] of documents) {
  writeFileSync(join(root, path), `${JSON.stringify(document, null, 2)}\n`);
  console.log(`wrote ${path}`);
}
// They stand in the repository as every file there is formatted.
const paths = documents.map(([path]) => path);
const { status } = spawnSync('node_modules/.bin/biome', ['format', '--write', ...paths], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
