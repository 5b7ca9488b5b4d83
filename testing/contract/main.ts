// Writes the pages of the contract from its tables: `npx node testing/contract/main.ts`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractPages } from './contract-pages.ts';

for (const [path, text] of contractPages()) {
  writeFileSync(join(import.meta.dirname, '../..', path), text);
  console.log(`wrote ${path}`);
}
