// A rebuild next to the live tables creates the same tables and replaces them atomically. The
// running projector continues with the new ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checksumTables } from '../../infra/projections/index.ts';
import { appendEvents, eventsLog } from '../../tools/bench/projector/nats-events.ts';
import { ProjectorProcess, waitForCursor } from '../../tools/bench/projector/projector-process.ts';
import { rebuild } from '../../tools/migrate/rebuild.ts';
import { chosenSeed } from '../flows/index.ts';
import { startNatsForTest } from '../nats/nats-for-test.ts';
import { startPostgresForTest } from './postgres-for-test.ts';
import { recordEvents } from './recorded-events.ts';

const EXIT_OTHER_PROJECTS = 75;

test('tables are rebuilt while the old ones are in use, and are equal', async (context) => {
  const { messages } = recordEvents({
    flow: 'adversarial',
    seed: chosenSeed(),
    commands: 8_000,
    gaps: true,
  });
  const half = Math.floor(messages.length / 2);
  const { connect, servers } = await startNatsForTest(context, { nodes: 1, syncAlways: false });
  const log = await eventsLog(await connect(), 'rialto');
  await appendEvents(log, messages.slice(0, half));
  const postgres = await startPostgresForTest(context);
  const connection = await postgres.schema('rialto');
  const urls = { natsUrls: servers.urls, postgresUrl: postgres.server.url };
  const serving = new ProjectorProcess({ ...urls, schema: 'rialto' });
  context.after(() => serving.kill('SIGKILL'));
  await waitForCursor(connection, { sequence: half, timeoutMs: 60_000 });

  let isReading = true;
  const reading = readContinuously();
  const options = {
    connection: await postgres.session('rialto'),
    target: postgres.connection('rialto'),
    environment: {
      RIALTO_MODE: 'development',
      RIALTO_REPLICAS: '1',
      RIALTO_NATS_URLS: urls.natsUrls.join(','),
      RIALTO_POSTGRES_URL: urls.postgresUrl,
    },
    grant: async () => {},
    print: () => {},
  };
  await rebuild(options);
  isReading = false;
  assert.ok((await reading) > 0);
  const rebuilt = await checksumTables(connection);
  assert.deepEqual(rebuilt, await checksumTables(await postgres.session('rialto_retired')));
  assert.ok(rebuilt.ledger_entries.rows > 1_000);
  await assert.rejects(
    rebuild(options),
    /schema rialto_retired of an earlier rebuild still exists/,
  );

  await appendEvents(log, messages.slice(half), half);
  const next = await afterMove(serving, () => new ProjectorProcess({ ...urls, schema: 'rialto' }));
  context.after(() => next.kill('SIGKILL'));
  await waitForCursor(connection, { sequence: messages.length, timeoutMs: 60_000 });
  const fresh = await postgres.schema('fresh');
  const straight = new ProjectorProcess({ ...urls, schema: 'fresh' });
  context.after(() => straight.kill('SIGKILL'));
  await waitForCursor(fresh, { sequence: messages.length, timeoutMs: 60_000 });
  assert.deepEqual(await checksumTables(connection), await checksumTables(fresh));

  /** Returns how often it read the same rows. Throws if the tables are ever missing. */
  async function readContinuously(): Promise<number> {
    const reader = await postgres.session('rialto');
    let count = 0;
    for (; isReading; count++) {
      const { rows } = await reader.query('select count(*) as count from orders');
      assert.ok(Number(rows[0].count) > 0);
    }
    return count;
  }
});

/** With equal cursors the projector continues. Otherwise it would exit for a restart. */
async function afterMove(
  serving: ProjectorProcess,
  startAgain: () => ProjectorProcess,
): Promise<ProjectorProcess> {
  if (serving.exitCode === null) return serving;
  assert.equal(serving.exitCode, EXIT_OTHER_PROJECTS);
  return startAgain();
}
