// Everything outside the exchange, with its own memory: a chain whose watcher reports each deposit
// until it is recorded, users who sign up and withdraw, and an operator who pays the withdrawals
// that the exchange lets them claim. They continue while PostgreSQL is lost, and retry after
// refusals.

import type { Atoms, UserId } from '../../../core/money/index.ts';
import { createUser } from '../../../features/accounts/index.ts';
import type { RestAnswer, RestClient } from '../../../tools/sandbox/rest-client.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import type { SeededAsset } from '../../../tools/sandbox/sandbox-admin.ts';
import type { Random } from '../../flows/index.ts';

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const PAUSE_MS = { watcher: 60, person: 50, signUp: 400, payer: 60 };

export interface World {
  /** Deposits on the chain, by transaction. */
  readonly deposits: Map<string, { readonly user: UserId; reported: boolean }>;
  /** How often each withdrawal was paid, and the transaction of the first payment. */
  readonly payments: Map<number, { count: number; readonly transaction: string }>;
  /** User IDs that the exchange assigned. */
  readonly signUps: { readonly email: string; readonly id: number }[];
  withdrawals: number;
  /** Number of refused withdrawals and claims, by answer. */
  readonly refusals: Record<string, number>;
  /** Makes the watcher report deposits again, because the registry might have lost them. */
  forgetReports(): void;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly sandbox: Sandbox;
  readonly bob: RestClient;
  readonly operator: RestClient;
  readonly asset: SeededAsset;
  readonly random: Random;
}

export function openWorld({ asset, bob, operator, random, sandbox }: WorldOptions): World {
  const { admin, seeded } = sandbox;
  const { registry } = admin;
  let isOpen = true;
  const world: World = {
    deposits: new Map(),
    payments: new Map(),
    signUps: [],
    withdrawals: 0,
    refusals: {},
    forgetReports() {
      for (const deposit of world.deposits.values()) deposit.reported = false;
    },
    async stop() {
      isOpen = false;
      await Promise.all(loops);
    },
  };

  /** Repeats the work; a failure is a refusal by the exchange, or its outage. */
  async function repeat(pauseMs: number, work: () => Promise<void>): Promise<void> {
    while (isOpen) {
      await work().catch(() => {});
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  }

  async function watch(): Promise<void> {
    const transaction = hex(random);
    const users = [seeded.users.alice.user, seeded.users.bob.user];
    world.deposits.set(transaction, { user: users[random.below(2)], reported: false });
    const unreported = [...world.deposits].filter(([, { reported }]) => !reported).slice(0, 20);
    await Promise.all(
      unreported.map(async ([transactionId, deposit]) => {
        const funds = { user: deposit.user, asset, amountAtoms: 1_000_000n as Atoms };
        await admin.credit({ ...funds, transactionId });
        deposit.reported = true;
      }),
    );
  }

  async function signUp(): Promise<void> {
    const email = `${hex(random).slice(0, 16)}@example.com`;
    const made = await createUser(registry, { email });
    if (typeof made !== 'string') world.signUps.push({ email, id: made.id });
  }

  async function withdraw(): Promise<void> {
    const amount = Number(`0.001${random.below(9_000) + 1_000}`);
    const terms = { currency: 'btc', amount, address: ADDRESS, network: 'btc' };
    const asked = await bob.post('/user/withdrawal', terms);
    if (isDone(world, asked)) world.withdrawals += 1;
  }

  async function pay(): Promise<void> {
    const { rows } = await registry.query(
      `select id::int as id, transaction_id from withdrawal_requests
       where kind = 'withdrawal' and state = 'approved' order by id limit 3`,
    );
    for (const { id, transaction_id } of rows) {
      const claimed = await operator.put('/admin/burn', { transaction_id, processing: true });
      if (!isDone(world, claimed)) continue;
      const payment = world.payments.get(id) ?? { count: 0, transaction: `paid-${hex(random)}` };
      payment.count += 1;
      world.payments.set(id, payment);
      // An operator who is interrupted here has paid, but has not reported it.
      if (random.chance(30)) continue;
      await complete(operator, transaction_id, payment.transaction);
    }
  }

  const loops = [
    repeat(PAUSE_MS.watcher, watch),
    repeat(PAUSE_MS.person, withdraw),
    repeat(PAUSE_MS.signUp, signUp),
    repeat(PAUSE_MS.payer, pay),
  ];
  return world;
}

export function complete(operator: RestClient, request: string, transaction: string) {
  const done = { status: true, updated_transaction_id: transaction };
  return operator.put('/admin/burn', { transaction_id: request, ...done });
}

/** Counts the answer if it is a refusal. */
function isDone({ refusals }: World, { body, status }: RestAnswer): boolean {
  if (status < 300) return true;
  const { message = '' } = body as { readonly message?: string };
  const answer = `${status} ${message}`;
  refusals[answer] = (refusals[answer] ?? 0) + 1;
  return false;
}

function hex(random: Random): string {
  return Array.from({ length: 64 }, () => random.below(16).toString(16)).join('');
}
