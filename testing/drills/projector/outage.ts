// Stops PostgreSQL under load and restarts it: commands are acknowledged throughout, and afterwards
// the tables match the complete EVENTS log.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from '../../../core/messages/index.ts';
import { type Nats, NatsBus } from '../../../infra/bus/index.ts';
import { type CommandClient, openCommandClient } from '../../../infra/command-link/index.ts';
import { claimedIdentity, SANDBOX_IDENTITY } from '../../../infra/identities/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { flowCommands } from '../../../tools/bench/journal/flow-commands.ts';
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
const TICK_MS = 10;
const ANSWER_TIMEOUT_MS = 60_000;
const CATCH_UP_TIMEOUT_MS = 600_000;
const ORDERS_PER_PARTITION = 100_000_000;

export async function outage(
  { nats, natsUrls, postgres, seed }: DrillStage,
  options: OutageOptions,
): Promise<Record<string, number>> {
  const log = await eventsLog(nats, EXCHANGE);
  const before = await freshSchema(postgres, 'outage');
  const sequencer = startSequencer(natsUrls);
  const projector = new ProjectorProcess({
    natsUrls,
    postgresUrl: postgres.url,
    schema: 'outage',
    exchange: EXCHANGE,
  });
  try {
    await projector.started;
    const load = new Load(nats, seed, options);
    const sending = load.run();
    await load.prepared;
    await delay(options.calmMs);
    await before.end();
    await postgres.stop();
    const answeredBefore = load.answered;
    await delay(options.awayMs);
    const answeredWhileAway = load.answered - answeredBefore;
    await postgres.start();
    await delay(options.calmMs);
    load.stop();
    await sending;
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
    const { answered, latestMs } = load;
    return { answered, answeredWhileAway, slowestAnswerMs: Math.round(latestMs), caughtUpMs };
  } finally {
    await projector.kill('SIGTERM');
    sequencer.kill('SIGTERM');
    await once(sequencer, 'exit');
    log.stop();
  }
}

function startSequencer(natsUrls: readonly string[]) {
  const program = join(import.meta.dirname, '../../../services/sequencer/main.ts');
  return spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      RIALTO_MODE: 'development',
      RIALTO_REPLICAS: '1',
      RIALTO_EXCHANGE: EXCHANGE,
      RIALTO_NATS_URLS: natsUrls.join(','),
    },
  });
}

/** Commands at a steady rate, each of which must be answered by the engine. */
class Load {
  readonly #client: CommandClient;
  readonly #flow: ReturnType<typeof flowCommands>;
  readonly #perSecond: number;
  readonly #ready = Promise.withResolvers<void>();
  answered = 0;
  latestMs = 0;
  #sent = 0;
  #isStopped = false;

  constructor(nats: DrillStage['nats'], seed: number, options: OutageOptions) {
    const seconds = (options.awayMs + 2 * options.calmMs) / 1_000 + 30;
    this.#flow = flowCommands(Math.ceil(seconds * options.commandsPerSecond), seed);
    this.#perSecond = options.commandsPerSecond;
    this.#client = openCommandClient({
      bus: new NatsBus(nats),
      clock: systemClock,
      exchange: EXCHANGE,
      identity: claimedIdentity(SANDBOX_IDENTITY),
      source: 77,
      retryMs: ANSWER_TIMEOUT_MS,
      retryMsMax: ANSWER_TIMEOUT_MS,
    });
  }

  get prepared(): Promise<void> {
    return this.#ready.promise;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    while (this.#client.epoch === 0) await delay(TICK_MS);
    for (const command of this.#flow.preparing) this.#send(command);
    while (this.answered < this.#sent) await delay(TICK_MS);
    this.#ready.resolve();
    const beganMs = performance.now();
    const { measured } = this.#flow;
    for (let sent = 0; !this.#isStopped; ) {
      const due = Math.floor(((performance.now() - beganMs) * this.#perSecond) / 1_000);
      for (; sent < Math.min(due, measured.length); sent++) this.#send(measured[sent]);
      await delay(TICK_MS);
    }
    while (this.answered < this.#sent) await delay(TICK_MS);
    this.#client.close();
  }

  #send(command: Command): void {
    const sentMs = performance.now();
    this.#sent++;
    this.#client.send({ ...command, ...this.#client.nextId() }, ANSWER_TIMEOUT_MS, (outcome) => {
      assert.equal(outcome.kind, 'answered');
      this.answered++;
      this.latestMs = Math.max(this.latestMs, performance.now() - sentMs);
    });
  }
}
