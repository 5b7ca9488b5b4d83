// Kills the leader under load. Clients observe it only through the gateway: every answered order
// exists once, an order with an unknown outcome exists once or not at all, and a retry with the
// same client order ID never creates a second order.

import { setTimeout as delay } from 'node:timers/promises';
import { startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { fillBooks } from '../harness/fill-books.ts';
import { OrderLoad } from '../harness/order-load.ts';
import { compareStates, killLeader } from '../harness/sequencers.ts';

const TRADERS = 16;
const KILLS = { full: 5, quick: 1 };
/** Undisturbed trading before each kill and after the last. */
const BETWEEN_KILLS_MS = 3_000;
/** Number of open orders before the first kill. */
const OPEN_ORDERS = Number(process.env.RIALTO_OPEN_ORDERS ?? 0);

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const kills = quick ? KILLS.quick : KILLS.full;
  const sandbox = await startSandbox({ gateways: 2, checkAnswers: false });
  try {
    await fillBooks(sandbox, OPEN_ORDERS);
    const load = new OrderLoad(sandbox);
    load.start(await sandbox.createTraders({ count: TRADERS }));
    let statesCompared = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      await delay(BETWEEN_KILLS_MS);
      statesCompared += await compareStates(sandbox);
      await killLeader(sandbox, load);
    }
    await delay(BETWEEN_KILLS_MS);
    statesCompared += await compareStates(sandbox);
    await load.stop();
    return { kills, ...(await load.check()), openOrders: OPEN_ORDERS, statesCompared };
  } finally {
    await sandbox.stop();
  }
}
