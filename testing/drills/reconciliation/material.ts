// Rows that the drill changes: deposits, withdrawals, a transfer and an order of quiet accounts.
// Each is created through the API or the outbox, so it has everything that a real one has.

import { parseOrderId } from '../../../core/messages/index.ts';
import type { Atoms } from '../../../core/money/index.ts';
import { describePolicySettings } from '../../../features/payments/index.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';

export interface Material {
  /** A user who trades continuously, and users who do not. */
  readonly busy: number;
  readonly quiet: number;
  readonly idle: number;
  readonly lost: number;
  readonly btc: number;
  readonly usdt: number;
  /** Completed, oldest first. */
  readonly deposits: readonly DepositRow[];
  /** Held, and paid. */
  readonly approved: readonly Row[];
  readonly paid: readonly Row[];
  readonly transfer: Row;
  /** An open order of the quiet user. */
  readonly order: number;
}

export interface Row {
  readonly id: number;
  readonly command: number;
}

export interface DepositRow extends Row {
  /** Its position in channel 12. */
  readonly sequence: number;
}

export type Quiet = readonly [quiet: Trader, idle: Trader, lost: Trader, busy: Trader];

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const DEPOSITS = 6;
const APPROVED = 3;
const PAID = 2;
/** So large that no withdrawal requires a review. */
const ENOUGH = '1000000000';
const READY_MS = 30_000;

export async function makeMaterial(sandbox: Sandbox, traders: Quiet): Promise<Material> {
  const { admin, seeded, url } = sandbox;
  const { registry } = admin;
  const [quiet, idle, lost, busy] = traders;
  await describePolicySettings(registry, {
    oneReviewFrom: ENOUGH,
    twoReviewsFrom: ENOUGH,
    newAddressFrom: ENOUGH,
    freshFundsFrom: ENOUGH,
    outflowPerHourMax: ENOUGH,
  });
  const { admin: operator, alice, bob } = seeded.users;
  const [asBob, asOperator, asQuiet] = [bob, operator, quiet].map(
    (keys) => new RestClient({ url, ...keys }),
  );
  const btc = seeded.assets.get('btc')!;
  for (let count = 1; count <= DEPOSITS; count++) {
    const transactionId = `drill${count}`.padEnd(64, '0');
    await admin.credit({
      user: alice.user,
      asset: btc,
      amountAtoms: 1_000n as Atoms,
      transactionId,
    });
  }
  for (let count = 0; count < APPROVED + PAID; count++) {
    const asked = { currency: 'btc', amount: 0.01, address: ADDRESS, network: 'btc' };
    await succeed(asBob.post('/user/withdrawal', asked));
  }
  const held = await waitForRows(
    sandbox,
    APPROVED + PAID,
    `kind = 'withdrawal' and
    state = 'approved'`,
  );
  for (const { id } of held.slice(APPROVED)) {
    const { rows } = await registry.query(
      'select transaction_id from withdrawal_requests where id = $1',
      [id],
    );
    const { transaction_id } = rows[0];
    const paid = { transaction_id, status: true, updated_transaction_id: `paid ${id}` };
    await succeed(asOperator.put('/admin/burn', paid));
  }
  const sent = { sender_id: bob.user, receiver_id: alice.user, currency: 'usdt', amount: 10 };
  await succeed(asOperator.post('/admin/transfer', sent));
  const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.0001, price: 50_000 };
  const placed = await succeed(asQuiet.post('/order', order));
  const { rows: deposits } = await registry.query(
    `select r.id, r.command, o.sequence from deposit_requests r
     join outbox o on o.deposit_request = r.id
     where r.state = 'completed' and r.kind in ('deposit', 'mint') and r.user_id = $1
     order by r.id desc limit $2`,
    [alice.user, DEPOSITS],
  );
  return {
    busy: busy.user,
    quiet: quiet.user,
    idle: idle.user,
    lost: lost.user,
    btc: btc.id,
    usdt: seeded.assets.get('usdt')!.id,
    deposits: deposits.map((row) => ({ ...rowOf(row), sequence: Number(row.sequence) })).reverse(),
    approved: held.slice(0, APPROVED),
    paid: await waitForRows(sandbox, PAID, `kind = 'withdrawal' and state = 'completed'`),
    transfer: (await waitForRows(sandbox, 1, `kind = 'transfer' and state = 'completed'`))[0],
    order: parseOrderId(placed.body.id)!,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function rowOf(row: any): Row {
  return { id: Number(row.id), command: Number(row.command) };
}

async function succeed(answer: ReturnType<RestClient['post']>) {
  const given = await answer;
  if (given.status >= 300) throw new Error(`expected success, got ${given.status} ${given.text}`);
  return given;
}

async function waitForRows(sandbox: Sandbox, count: number, condition: string): Promise<Row[]> {
  let found: Row[] = [];
  await waitUntil({
    what: `${count} requests with ${condition}`,
    timeoutMs: READY_MS,
    async question() {
      const { rows } = await sandbox.admin.registry.query(
        `select id, command from withdrawal_requests where ${condition} order by id desc limit $1`,
        [count],
      );
      found = rows.map(rowOf).reverse();
      return found.length === count;
    },
  });
  return found;
}
