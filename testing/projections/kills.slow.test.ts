// A projector that is killed repeatedly creates the same tables as an undisturbed one and as a
// naive projection. The drill does the same with more kills and events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendEvents, eventsLog } from '../../tools/bench/projector/nats-events.ts';
import { ProjectorProcess, waitForCursor } from '../../tools/bench/projector/projector-process.ts';
import { chosenSeed, Random } from '../flows/index.ts';
import { startNatsForTest } from '../nats/nats-for-test.ts';
import { projectUnderKills } from './kill-projector.ts';
import { assertEqualSchemas, loadNaive } from './load-naive.ts';
import { naiveTables } from './naive-projection.ts';
import { startPostgresForTest } from './postgres-for-test.ts';
import { recordEvents } from './recorded-events.ts';

const KILLS = 12;
const ORDERS_PER_PARTITION = 5_000;

test('12 kills over 30,000 events leave the expected tables', async (context) => {
  const seed = chosenSeed();
  const recorded = recordEvents({ flow: 'calm', seed, commands: 24_000, gaps: true });
  assert.ok(recorded.events >= 30_000, `${recorded.events} events`);
  const { connect, servers } = await startNatsForTest(context, { nodes: 1, syncAlways: false });
  const log = await eventsLog(await connect(), 'rialto');
  await appendEvents(log, recorded.messages);
  const postgres = await startPostgresForTest(context);
  const environment = {
    RIALTO_PROJECTOR_BATCH_EVENTS: '200',
    RIALTO_PROJECTOR_ORDERS_PER_PARTITION: String(ORDERS_PER_PARTITION),
  };
  const of = (schema: string) => {
    return { natsUrls: servers.urls, postgresUrl: postgres.server.url, schema, environment };
  };
  const messages = recorded.messages.length;

  const killed = await postgres.schema('killed');
  const { killsAtWork } = await projectUnderKills({
    process: of('killed'),
    session: killed,
    messages,
    kills: KILLS,
    random: new Random(seed),
    lingerMsMax: 30,
  });
  assert.ok(killsAtWork >= KILLS / 2, `only ${killsAtWork} kills during projection`);

  const alone = await postgres.schema('alone');
  const projector = new ProjectorProcess(of('alone'));
  await waitForCursor(alone, { sequence: messages, timeoutMs: 60_000 });
  await projector.kill('SIGTERM');
  await assertEqualSchemas([killed, alone], ['killed', 'alone']);

  const naive = await postgres.schema('naive');
  const tables = naiveTables(recorded.frames);
  await loadNaive(naive, { tables, ordersPerPartition: ORDERS_PER_PARTITION });
  await assertEqualSchemas([killed, naive], ['killed', 'naive']);
});
