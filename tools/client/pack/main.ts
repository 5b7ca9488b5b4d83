// Packs the client for publishing: `npx node tools/client/pack/main.ts FOLDER`, then `npm publish`
// in that folder.

import { packClient } from '../pack-client.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('say into which folder');
packClient(folder);
console.log(`packed into ${folder}`);
