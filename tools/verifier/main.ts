// Writes `apps/verifier/verifier.html`; `npm run fix` runs it.

import { writeFileSync } from 'node:fs';
import { EXIT_OK, runTool } from '../command-line.ts';
import { VERIFIER_FILE, verifierPage } from './verifier-page.ts';

await runTool({
  usage: 'Usage: node tools/verifier/main.ts\n\nWrites the verifier page; npm run fix runs it.',
  run: () => {
    writeFileSync(VERIFIER_FILE, verifierPage());
    return EXIT_OK;
  },
});
