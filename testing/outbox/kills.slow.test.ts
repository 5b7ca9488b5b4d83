// A dispatcher that is killed repeatedly sends every position once, and records the log's decision,
// including rejections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { chosenSeed, Random } from '../flows/index.ts';
import { DispatcherProcess } from './dispatcher-process.ts';
import { startExchangeForTest } from './exchange-for-test.ts';
import { judgeMoney } from './judge-money.ts';
import { makeRequests } from './random-requests.ts';

const KILLS = 16;
const REQUESTS_PER_LIFE = 20;
const LINGER_MS_MAX = 60;

test('16 kills over 250 requests: every position once, every outcome exact', async (context) => {
  const random = new Random(chosenSeed());
  const exchange = await startExchangeForTest(context, { userCount: 10 });
  const { session, users } = exchange;
  // Small rounds: each process runs many, and a kill can hit any part of one.
  const environment = { ...exchange.environment, RIALTO_OUTBOX_PER_CHANNEL: '4' };
  const complaints: string[] = [];
  let lookedUp = 0;
  let positions = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const dispatcher = new DispatcherProcess(environment);
    positions += await makeRequests({ session, users, random, count: REQUESTS_PER_LIFE });
    await dispatcher.sends;
    assert.equal(dispatcher.child.exitCode, null, `it exited: ${dispatcher.complaints}`);
    await delay(random.below(LINGER_MS_MAX));
    await dispatcher.kill('SIGKILL');
    lookedUp += dispatcher.lookedUp;
    complaints.push(...dispatcher.complaints);
  }
  const last = new DispatcherProcess(environment);
  // Everything might be settled already. A process must have started before it can be stopped.
  await last.sends;
  await exchange.untilSettled();
  lookedUp += last.lookedUp;
  complaints.push(...last.complaints);
  await last.kill('SIGTERM');
  assert.equal(last.child.exitCode, 0);
  assert.deepEqual(complaints, []);
  const judged = await judgeMoney(exchange);
  context.diagnostic(JSON.stringify({ ...judged, lookedUp }));
  assert.equal(judged.positions, positions);
  assert.ok(judged.positions >= 220, `${judged.positions} positions`);
  assert.ok(judged.refused > 8, `${judged.refused} refused`);
  assert.ok(lookedUp > 0, 'expected a kill between sending and settling');
});
