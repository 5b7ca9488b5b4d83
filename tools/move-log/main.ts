// `rialto move-log --archive FOLDER --copy FOLDER`: moves an earlier release's log to streams that
// can be trimmed, while the exchange runs.

import { connectNats } from '../../infra/bus/index.ts';
import { openIdentity } from '../../infra/identities/index.ts';
import { openArchive } from '../../infra/journal/index.ts';
import { readServiceConfig } from '../../infra/settings/index.ts';
import { assertNatsReachable, runTool, UsageFault } from '../command-line.ts';
import { moveLog } from './move-log.ts';

const MARGIN_FRAMES = 1_000;

await runTool({
  usage: `Usage: rialto move-log --archive FOLDER --copy FOLDER

Moves COMMANDS and EVENTS to new streams that can be trimmed. The exchange keeps
running; commands pause for a few seconds. Don't start processes during the move.
If interrupted, run it again. The last line is one JSON object.

  --archive F   archive folder
  --copy F      second copy of the archive

Environment variables: those of a sequencer. RIALTO_NATS_URLS must contain a user
who can create, update and delete streams.`,
  options: { archive: { type: 'string' }, copy: { type: 'string' } },
  async run({ values: { archive: folder, copy: copyFolder } }) {
    if (folder === undefined) throw new UsageFault('--archive is required.');
    if (copyFolder === undefined) throw new UsageFault('--copy is required.');
    const archive = await openArchive(folder, 'read');
    const copy = await openArchive(copyFolder, 'read');
    const config = readServiceConfig('sequencer', process.env);
    const { exchange, natsUrls: urls, replicas } = config;
    await assertNatsReachable(urls);
    const identity = openIdentity('sequencer', config);
    const nats = await connectNats({ urls, name: 'move-log', identity });
    const print = (line: string) => console.log(line);
    try {
      const options = { nats, exchange, replicas, archive, copy, print };
      print(JSON.stringify(await moveLog({ ...options, marginFrames: MARGIN_FRAMES })));
    } finally {
      await nats.close();
    }
  },
});
