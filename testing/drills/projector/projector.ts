// The projector drill: a long log is projected by a process that is killed repeatedly, and then
// PostgreSQL is stopped under load. At the end the tables are compared, row by row, with those of
// an undisturbed run and of a naive projection, and every balance with the engine's account.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectNats } from '../../../infra/bus/index.ts';
import { startNats } from '../../../tools/services/nats.ts';
import { startPostgres } from '../../../tools/services/postgres.ts';
import { chosenSeed } from '../../flows/index.ts';
import { killRounds } from './kill-rounds.ts';
import { type DrillStage, outage } from './outage.ts';

const FULL = {
  kills: { kills: 200, events: 500_000 },
  outage: { awayMs: 60_000, commandsPerSecond: 2_000, calmMs: 5_000 },
};
const QUICK = {
  kills: { kills: 10, events: 15_000 },
  outage: { awayMs: 10_000, commandsPerSecond: 1_000, calmMs: 2_000 },
};

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sizes = quick ? QUICK : FULL;
  const seed = chosenSeed();
  console.log(`seed ${seed}`);
  const folder = mkdtempSync(join(tmpdir(), 'rialto-projector-drill-'));
  const postgres = await startPostgres({ folder: join(folder, 'postgres') });
  // One node is enough: the drill does not test the log.
  const servers = await startNats({ folder: join(folder, 'nats'), nodes: 1, syncAlways: false });
  const nats = await connectNats({ urls: servers.urls, name: 'drill' });
  try {
    const stage: DrillStage = { nats, natsUrls: servers.urls, postgres, seed };
    const away = await outage(stage, sizes.outage);
    console.log(`PostgreSQL outage: ${JSON.stringify(away)}`);
    const killed = await killRounds(stage, sizes.kills);
    console.log(`killed: ${JSON.stringify(killed)}`);
    return { seed, outage: away, kills: killed };
  } finally {
    await nats.close();
    await servers.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
