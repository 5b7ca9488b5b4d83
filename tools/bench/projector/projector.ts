// Measures projection: rows per second against a bare COPY of the same rows in the same run, and
// how far the tables lag under load. Servers and processes are real.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { medians } from '../../percentile.ts';
import { startNats } from '../../services/nats.ts';
import { startPostgres } from '../../services/postgres.ts';
import { measureLag } from './lag.ts';
import { measureThroughput } from './throughput.ts';

interface Sizes {
  readonly rounds: number;
  readonly commands: number;
  readonly lagSeconds: number;
}

const FULL: Sizes = { rounds: 3, commands: 200_000, lagSeconds: 30 };
const QUICK: Sizes = { rounds: 1, commands: 20_000, lagSeconds: 3 };
const RATES = [5_000, 20_000];

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sizes = quick ? QUICK : FULL;
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  const postgres = await startPostgres({ folder: join(folder, 'postgres') });
  // The log is not measured.
  const nats = await startNats({ folder: join(folder, 'nats'), nodes: 1, syncAlways: false });
  const servers = { postgresUrl: postgres.url, natsUrls: nats.urls };
  try {
    const rounds: Record<string, number>[] = [];
    for (let round = 1; round <= sizes.rounds; round++) {
      rounds.push(await measureThroughput({ ...servers, round, commands: sizes.commands }));
      console.log(`round ${round}: ${JSON.stringify(rounds.at(-1))}`);
    }
    const figures: Record<string, unknown> = medians(rounds);
    for (const rate of RATES) {
      const lag = await measureLag({ ...servers, rate, seconds: sizes.lagSeconds });
      console.log(`at ${rate} commands a second: ${JSON.stringify(lag)}`);
      figures[`lagAt${rate}`] = lag;
    }
    return figures;
  } finally {
    await nats.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
