// Writes the contract pages in docs/api from the contract test tables.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../../tools/command-line.ts';

await runTool({
  usage: `Usage: npx node testing/contract/main.ts

Writes docs/api/contract.md and docs/api/permissions.md from the tables of the
contract tests.`,
  async run() {
    const { contractPages } = await import('./contract-pages.ts');
    for (const [path, text] of contractPages()) {
      writeFileSync(join(import.meta.dirname, '../..', path), text);
      console.log(`wrote ${path}`);
    }
  },
});
