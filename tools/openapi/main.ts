// Writes the interface documents from the protocol: `npx node tools/openapi/main.ts`.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../command-line.ts';
import {
  ASYNCAPI_PATH,
  apiDocument,
  apiPages,
  OPENAPI_PATH,
  streamDocument,
} from './api-documents.ts';

const root = join(import.meta.dirname, '../..');

await runTool({
  usage: `Usage: npx node tools/openapi/main.ts

Writes openapi.json, asyncapi.json and the generated pages of docs/api from the
protocol.`,
  run() {
    for (const [path, text] of apiPages()) write(path, text);
    const documents: [path: string, document: object][] = [
      [OPENAPI_PATH, apiDocument()],
      [ASYNCAPI_PATH, streamDocument()],
    ];
    for (const [path, document] of documents) write(path, `${JSON.stringify(document, null, 2)}\n`);
    // The repository stores them in Biome's format, like every other file.
    const paths = documents.map(([path]) => path);
    const { status } = spawnSync('node_modules/.bin/biome', ['format', '--write', ...paths], {
      cwd: root,
      stdio: 'inherit',
    });
    return status ?? 1;
  },
});

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}
