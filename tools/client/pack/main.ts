// Builds the client package and its tarball: `npx node tools/client/pack/main.ts FOLDER`. Publish
// the tarball with `npm publish FOLDER/rialto-client-VERSION.tgz`.

import { runTool, UsageFault } from '../../command-line.ts';
import { packClient } from '../pack-client.ts';

await runTool({
  usage: `Usage: npx node tools/client/pack/main.ts FOLDER

Writes the package of the TypeScript client to FOLDER/package and its tarball to
FOLDER. Publish it with \`npm publish FOLDER/rialto-client-VERSION.tgz\`.`,
  takesPositionals: true,
  run({ positionals: [folder, ...others] }) {
    if (folder === undefined) throw new UsageFault('FOLDER is required.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    console.log(`wrote ${packClient(folder)}`);
  },
});
