// Writes the operators' reference pages: `npx node tools/settings/main.ts`, part of `npm run fix`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_PAGE, commandPage } from '../cli/command-page.ts';
import { runTool } from '../command-line.ts';
import { SETTINGS_FILE, SETTINGS_PAGE, settingsFile, settingsPage } from './settings-documents.ts';

const ROOT = join(import.meta.dirname, '../..');

await runTool({
  usage: `Usage: npx node tools/settings/main.ts

Writes ${SETTINGS_PAGE}, ${SETTINGS_FILE} and ${COMMAND_PAGE}.`,
  run() {
    writeFileSync(join(ROOT, SETTINGS_PAGE), settingsPage());
    writeFileSync(join(ROOT, SETTINGS_FILE), settingsFile());
    writeFileSync(join(ROOT, COMMAND_PAGE), commandPage());
  },
});
