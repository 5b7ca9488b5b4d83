// Kills the projector with -9 at random moments over a long log, and compares the tables.

import assert from 'node:assert/strict';
import { accountsOf } from '../../../core/engine/index.ts';
import type { OwnConnection } from '../../../infra/postgres/index.ts';
import { appendEvents, eventsLog } from '../../../tools/bench/projector/nats-events.ts';
import {
  ProjectorProcess,
  waitForCursor,
} from '../../../tools/bench/projector/projector-process.ts';
import { Random } from '../../flows/index.ts';
import { projectUnderKills } from '../../projections/kill-projector.ts';
import { assertEqualSchemas, loadNaive } from '../../projections/load-naive.ts';
import { naiveTables } from '../../projections/naive-projection.ts';
import { type RecordedEvents, recordEvents } from '../../projections/recorded-events.ts';
import { freshSchema } from '../harness/projected-schema.ts';
import type { DrillStage } from './outage.ts';

const EXCHANGE = 'kills';
const ORDERS_PER_PARTITION = 100_000;
const ENVIRONMENT = {
  RIALTO_PROJECTOR_BATCH_EVENTS: '500',
  RIALTO_PROJECTOR_ORDERS_PER_PARTITION: String(ORDERS_PER_PARTITION),
};
const LINGER_MS_MAX = 40;
const ALONE_TIMEOUT_MS = 600_000;
/** More commands than needed, to get enough events. */
const COMMANDS_PER_EVENT = 0.8;

export async function killRounds(
  { nats, natsUrls, postgres, seed }: DrillStage,
  wanted: { readonly kills: number; readonly events: number },
): Promise<Record<string, number>> {
  const commands = Math.ceil(wanted.events * COMMANDS_PER_EVENT);
  const recorded = recordEvents({ flow: 'calm', seed, commands, gaps: true });
  assert.ok(recorded.events >= wanted.events, `${recorded.events} events`);
  const log = await eventsLog(nats, EXCHANGE);
  await appendEvents(log, recorded.messages);
  const messages = recorded.messages.length;
  console.log(`${recorded.events} events in ${messages} messages`);
  const of = (schema: string) => {
    const { url: postgresUrl } = postgres;
    return { natsUrls, postgresUrl, schema, exchange: EXCHANGE, environment: ENVIRONMENT };
  };
  const killed = await freshSchema(postgres, 'killed');
  const counts = await projectUnderKills({
    process: of('killed'),
    session: killed,
    messages,
    kills: wanted.kills,
    random: new Random(seed),
    lingerMsMax: LINGER_MS_MAX,
  });
  assert.ok(counts.killsAtWork >= wanted.kills / 2, `${counts.killsAtWork} kills came at work`);
  const alone = await freshSchema(postgres, 'alone');
  const projector = new ProjectorProcess(of('alone'));
  await waitForCursor(alone, { sequence: messages, timeoutMs: ALONE_TIMEOUT_MS });
  await projector.kill('SIGTERM');
  await assertEqualSchemas([killed, alone], ['killed', 'alone']);
  const naive = await freshSchema(postgres, 'naive');
  const tables = naiveTables(recorded.frames);
  await loadNaive(naive, { tables, ordersPerPartition: ORDERS_PER_PARTITION });
  await assertEqualSchemas([killed, naive], ['killed', 'naive']);
  const accounts = await assertAccounts(killed, recorded);
  const rows = Object.values(tables).reduce((sum, table) => sum + table.length, 0);
  log.stop();
  return { ...counts, events: recorded.events, messages, rows, accounts };
}

/** Checks that every account equals the engine's account. */
async function assertAccounts(
  connection: OwnConnection,
  { exchange }: RecordedEvents,
): Promise<number> {
  const { rows } = await connection.query(
    'select owner, asset_id, available_atoms, held_atoms from balances',
  );
  const isUsed = (line: string) => !/ 0 0$/.test(line);
  const found = rows.map((row) => Object.values(row).join(' ')).filter(isUsed);
  const expected = accountsOf(exchange)
    .map((one) => [one.owner, one.asset, one.availableAtoms, one.heldAtoms].join(' '))
    .filter(isUsed);
  assert.deepEqual(found.sort(), expected.sort());
  return found.length;
}
