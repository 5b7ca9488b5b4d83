// Writes the client's generated files: `npx node tools/client/main.ts`, or `npm run fix`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../command-line.ts';
import { clientFiles } from './client-files.ts';
import { formatted } from './formatted.ts';

const root = join(import.meta.dirname, '../..');

await runTool({
  usage: `Usage: npx node tools/client/main.ts

Writes the generated files of the TypeScript client from the protocol.`,
  run() {
    for (const [path, text] of clientFiles()) {
      writeFileSync(join(root, path), formatted(path, text));
      console.log(`wrote ${path}`);
    }
  },
});
