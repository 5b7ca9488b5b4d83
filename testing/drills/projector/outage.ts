// Stops PostgreSQL under load and restarts it. Commands are acknowledged throughout, and afterwards
// the tables match the complete EVENTS log.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Nats } from '../../../infra/bus/index.ts';
import { CommandLoad } from '../../../tools/bench/command-load.ts';
import { flowCommands } from '../../../tools/bench/journal/flow-commands.ts';
import { startSequencer, stopProcess } from '../../../tools/bench/processes.ts';
import { eventsLog, readEvents } from '../../../tools/bench/projector/nats-events.ts';
import {
  ProjectorProcess,
  waitForCursor,
} from '../../../tools/bench/projector/projector-process.ts';
import type { PostgresServer } from '../../../tools/services/postgres.ts';
import { assertEqualSchemas, loadNaive } from '../../projections/load-naive.ts';
import { naiveTables } from '../../projections/naive-projection.ts';
import { freshSchema } from '../harness/projected-schema.ts';
import { extentOf } from '../harness/read-log.ts';

export interface DrillStage {
  readonly nats: Nats;
  readonly natsUrls: readonly string[];
  readonly postgres: PostgresServer;
  readonly seed: number;
}

export interface OutageOptions {
  readonly awayMs: number;
  readonly commandsPerSecond: number;
  /** Load before and after the outage. */
  readonly calmMs: number;
}

const EXCHANGE = 'outage';
const CATCH_UP_TIMEOUT_MS = 600_000;
const ORDERS_PER_PARTITION = 100_000_000;

export async function outage(
  { nats, natsUrls, postgres, seed }: DrillStage,
  options: OutageOptions,
): Promise<Record<string, number>> {
  const log = await eventsLog(nats, EXCHANGE);
  const before = await freshSchema(postgres, 'outage');
  const sequencer = startSequencer({ natsUrls, exchange: EXCHANGE });
  const projector = new ProjectorProcess({
    natsUrls,
    postgresUrl: postgres.url,
    schema: 'outage',
    exchange: EXCHANGE,
  });
  try {
    await projector.started;
    const load = await CommandLoad.open(nats, EXCHANGE);
    const seconds = (options.awayMs + 2 * options.calmMs) / 1_000 + 30;
    const flow = flowCommands(Math.ceil(seconds * options.commandsPerSecond), seed);
    await load.keepOpen(flow.preparing, flow.preparing.length);
    let isStopped = false;
    const sending = load.atRate(flow.measured, options.commandsPerSecond, () => isStopped);
    await delay(options.calmMs);
    await before.end();
    await postgres.stop();
    const answeredBefore = load.answered;
    await delay(options.awayMs);
    const answeredWhileAway = load.answered - answeredBefore;
    await postgres.start();
    await delay(options.calmMs);
    isStopped = true;
    const latenciesMs = await sending;
    load.close();
    const { last } = await extentOf(log);
    const session = await freshSchema(postgres, 'outage');
    const backMs = performance.now();
    await waitForCursor(session, { sequence: last, timeoutMs: CATCH_UP_TIMEOUT_MS });
    const caughtUpMs = Math.round(performance.now() - backMs);
    assert.equal(projector.exitCode, null, 'the projector survived the outage');
    const wanted = (options.awayMs / 1_000) * options.commandsPerSecond;
    assert.ok(
      answeredWhileAway > wanted / 2,
      `${answeredWhileAway} commands were answered during the outage`,
    );
    const naive = await freshSchema(postgres, 'outage_naive');
    const tables = naiveTables(await readEvents(log, last));
    await loadNaive(naive, { tables, ordersPerPartition: ORDERS_PER_PARTITION });
    await assertEqualSchemas([session, naive], ['outage', 'outage_naive']);
    await Promise.all([session.end(), naive.end()]);
    const slowestAnswerMs = Math.round(latenciesMs.reduce((a, b) => Math.max(a, b), 0));
    return { answered: load.answered, answeredWhileAway, slowestAnswerMs, caughtUpMs };
  } finally {
    await projector.kill('SIGTERM');
    await stopProcess(sequencer);
    log.stop();
  }
}
