// Writes the generated codec from the layouts: `node tools/codec/main.ts`. With --write-goldens it
// also writes the golden frames of the current schema version. Never rewrite the golden frames of a
// released version: the next change increments the version.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../command-line.ts';
import { codecSources } from './codec-source.ts';

const root = join(import.meta.dirname, '../..');

await runTool({
  usage: `Usage: npx node tools/codec/main.ts [--write-goldens]

Writes the generated codec of core/messages from its layouts.

  --write-goldens   also write the golden frames of the current schema version;
                    never do that for a version that has been released`,
  options: { 'write-goldens': { type: 'boolean', default: false } },
  async run({ values }) {
    for (const [path, source] of codecSources()) {
      writeFileSync(join(root, path), source);
      console.log(`wrote ${path}`);
    }
    if (values['write-goldens']) await writeGoldens();
  },
});

async function writeGoldens(): Promise<void> {
  // Imported late, because they use the codec that has just been written.
  const { SCHEMA_VERSION } = await import('../../core/messages/index.ts');
  const { goldenFiles, goldenFolder } = await import('./golden-files.ts');
  const folder = join(goldenFolder, `v${SCHEMA_VERSION}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of goldenFiles()) writeFileSync(join(folder, name), content);
  console.log(`wrote the golden frames of schema version ${SCHEMA_VERSION}`);
}
