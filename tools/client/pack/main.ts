// Builds the client package and its tarball: `npx node tools/client/pack/main.ts FOLDER`. Publish
// the tarball with `npm publish FOLDER/rialto-client-VERSION.tgz`.

import { packClient } from '../pack-client.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-')) {
  console.error(
    'Usage: npx node tools/client/pack/main.ts FOLDER\n' +
      'Writes the package to FOLDER/package and its tarball to FOLDER.',
  );
  process.exitCode = folder === '--help' ? 0 : 2;
} else {
  console.log(`wrote ${packClient(folder)}`);
}
