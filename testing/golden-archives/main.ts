// `npx node testing/golden-archives/main.ts RELEASE`: records an archive of each flow with the
// current release, and its hashes. Run it once per release; never change the recorded files.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, UsageFault } from '../../tools/command-line.ts';
import { recordFlow } from '../../tools/replay/archive-recorder-for-test.ts';
import { verify } from '../../tools/replay/verify.ts';
import { FLOW_NAMES } from '../flows/index.ts';

const SEED = 1;
const COMMANDS = 1_500;

await runTool({
  usage: `Usage: npx node testing/golden-archives/main.ts RELEASE

Records archives of the current release under testing/golden-archives/recorded/RELEASE.`,
  options: {},
  takesPositionals: true,
  async run({ positionals: [release, ...others] }) {
    if (release === undefined || others.length > 0) throw new UsageFault('Expected one release.');
    const folder = join(import.meta.dirname, 'recorded', release);
    if (existsSync(folder)) throw new UsageFault(`${folder} exists; archives never change.`);
    const hashes: Record<string, unknown> = {};
    for (const flow of FLOW_NAMES) {
      const archive = join(folder, flow);
      mkdirSync(archive, { recursive: true });
      const plan = { folder: archive, flow, seed: SEED, commands: COMMANDS };
      await recordFlow({ ...plan, framesPerSegment: 100, framesPerSnapshot: 0 });
      const found = await verify({ folder: archive, usesSnapshots: false, onProblem: fail });
      const { commands, frameHash, frames, stateHash } = found;
      hashes[flow] = { commands, frames, frameHash, stateHash };
    }
    writeFileSync(join(folder, 'hashes.json'), `${JSON.stringify(hashes, null, 2)}\n`);
    console.log(`recorded ${FLOW_NAMES.length} archives in ${folder}`);
  },
});

function fail(problem: unknown): never {
  throw problem;
}
