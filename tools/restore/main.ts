// `npx node tools/restore/main.ts --archive FOLDER`: rebuilds the log on empty servers.

import { openArchive, openJournal } from '../../infra/journal/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { readServiceConfig } from '../../infra/settings/index.ts';
import { assertNatsReachable, runTool, UsageFault } from '../command-line.ts';
import { countText } from '../text-table.ts';
import { restoreJournal } from './restore.ts';

await runTool({
  usage: `Usage: npx node tools/restore/main.ts --archive FOLDER

Rebuilds COMMANDS and EVENTS from a copy of the archive, on servers that have
neither. Stop all processes of the exchange first, and start them afterwards.
An interrupted restore can be repeated. The last line is one JSON object.

  --archive F   the archive's folder

Environment variables: those of a sequencer.`,
  options: { archive: { type: 'string' } },
  async run({ values: { archive: folder } }) {
    if (folder === undefined) throw new UsageFault('--archive is missing.');
    const archive = await openArchive(folder, 'read');
    const config = { ...readServiceConfig('sequencer', process.env), instance: 'restore' };
    await assertNatsReachable(config.natsUrls);
    const log = createLogger({ service: 'restore', instance: 'restore', level: 'warn' });
    const journal = await openJournal({ config, as: 'sequencer', log });
    try {
      const { commands, events } = journal;
      const print = (line: string) => console.log(line);
      const restored = await restoreJournal({ archive, commands, events, print });
      print(`${countText(restored.frames)} frames, ${countText(restored.commands)} commands`);
      print(JSON.stringify(restored));
    } finally {
      await journal.close();
    }
  },
});
