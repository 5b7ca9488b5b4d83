// A registry with test coins, and a ledger that settles the outbox like the engine: it accepts a
// transfer if its sender has enough. Only tests import it.

import { type AssetId, type Atoms, atomsFromDecimal, type UserId } from '../../core/money/index.ts';
import type { Connection, OwnConnection, Statements } from '../../infra/postgres/index.ts';
import { readWaiting } from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { settleRows } from '../../testing/outbox/settle-rows.ts';
import { createUser } from '../accounts/index.ts';
import { ASSETS, openReferralForTest, SCHEMA } from '../referral/referral-for-test.ts';
import { accrueRewards, type StakePriceAt } from './accrue.ts';
import { advanceStakes } from './advance.ts';
import { type Day, dayAfter } from './exchange-day.ts';
import { followOutbox, repeatRefused } from './movements.ts';
import {
  findPool,
  insertPool,
  lockPool,
  type PoolTerms,
  type StakePool,
  updatePool,
} from './pools.ts';
import { findStake, openStake, type Stake } from './stakes.ts';

export { SCHEMA };
export const [USDT, BTC, ETH, GOLD] = ASSETS;
export const START_DAY: Day = '2026-01-01';
const NOON = 'T12:00:00Z';

export interface StakingForTest {
  readonly registry: OwnConnection;
  readonly ledger: LedgerForTest;
  session(): Promise<OwnConnection>;
  close(): Promise<void>;
}

export async function openStakingForTest(): Promise<StakingForTest> {
  const { close, postgres, registry } = await openReferralForTest();
  return {
    registry,
    ledger: new LedgerForTest(),
    session: () => postgres.session('registry'),
    close,
  };
}

/** Balances that the engine would have. */
export class LedgerForTest {
  readonly #balances = new Map<string, bigint>();
  #frame = 0;
  /** References of accepted transfers. */
  readonly accepted: string[] = [];

  credit(user: UserId, asset: AssetId, atoms: bigint): void {
    this.#balances.set(`${user}/${asset}`, this.balance(user, asset) + atoms);
  }

  balance(user: UserId, asset: AssetId): bigint {
    return this.#balances.get(`${user}/${asset}`) ?? 0n;
  }

  /** Settles everything pending. */
  async answer(connection: Connection): Promise<void> {
    for (;;) {
      const waiting = await readWaiting(connection, 1_000);
      if (waiting.length === 0) return;
      await settleRows(
        connection,
        waiting.map((row) => {
          const { command } = row;
          if (command.kind !== 'TransferAsset') throw new Error(`unexpected ${command.kind}`);
          const { amountAtoms, asset, receiver, reference, sender } = command;
          const isAccepted = this.balance(sender, asset) >= amountAtoms;
          if (isAccepted) {
            this.credit(sender, asset, -amountAtoms);
            this.credit(receiver, asset, amountAtoms);
            this.accepted.push(reference);
          }
          this.#frame += 1;
          return {
            row,
            outcome: {
              channel: row.channel,
              sequence: row.sequence,
              state: isAccepted ? 'accepted' : 'refused',
              refusal: isAccepted ? 'none' : 'available_balance_too_small',
              frame: this.#frame,
              command: this.#frame,
            },
          };
        }),
      );
    }
  }
}

let people = 0;

export async function makeUser(statements: Statements, role?: 'admin'): Promise<UserId> {
  people += 1;
  const made = await createUser(statements, {
    email: `staker${people}@example.com`,
    ...(role !== undefined && { role }),
  });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  return made.id;
}

export function termsForTest(account: UserId, changed: Partial<PoolTerms> = {}): PoolTerms {
  people += 1;
  return {
    name: `pool ${people}`,
    category: null,
    disclaimer: null,
    account,
    asset: BTC,
    rewardAsset: BTC,
    apyMicro: 36_000_000n,
    durationDays: 30,
    minAtoms: 1n as Atoms,
    maxAtoms: atoms('100', 8),
    earlyUnstake: true,
    principalSlashPpm: 10_000n,
    rewardSlashPpm: 500_000n,
    isAutomatic: true,
    onboarding: false,
    state: 'uninitialized',
    ...changed,
  };
}

/** Creates an open pool, since START_DAY, with an empty account. */
export async function makePool(
  { registry }: StakingForTest,
  changed: Partial<PoolTerms> = {},
): Promise<StakePool> {
  const account = changed.account ?? (await makeUser(registry, 'admin'));
  const terms = termsForTest(account, changed);
  const made = { user: account, terms, today: START_DAY, nowMs: noonOf(START_DAY) };
  const id = await insertPool(registry, made);
  if (id === undefined) throw new Error('name taken');
  return changePool(registry, id, { state: 'active', onboarding: true, ...changed });
}

export async function changePool(
  connection: Connection,
  id: number,
  changed: Partial<PoolTerms>,
  today = START_DAY,
): Promise<StakePool> {
  await connection.query('begin');
  const pool = (await lockPool(connection, id, 'update'))!;
  const terms = { ...pool, ...changed };
  if (!(await updatePool(connection, { pool, terms, today, nowMs: noonOf(today) }))) {
    throw new Error('name taken');
  }
  await connection.query('commit');
  return (await findPool(connection, id))!;
}

/** Creates a stake that the ledger accepted or rejected. */
export async function stake(
  stage: StakingForTest,
  {
    amountAtoms,
    day = START_DAY,
    pool,
    user,
  }: {
    readonly user: UserId;
    readonly pool: StakePool;
    readonly amountAtoms: bigint;
    readonly day?: Day;
  },
): Promise<number> {
  const { registry } = stage;
  const nowMs = noonOf(day);
  const asked = { user, pool: pool.id, amountAtoms: amountAtoms as Atoms, nowMs };
  const opened = await openStake(registry, asked);
  if (opened instanceof Refused) throw new Error(`stake refused: ${opened.key}`);
  await work(stage, day);
  return opened.id;
}

/** Runs a day's jobs, and everything that follows from the ledger's outcomes. */
export async function work(
  { ledger, registry }: Pick<StakingForTest, 'ledger' | 'registry'>,
  day: Day,
  priceAt: StakePriceAt = async () => undefined,
): Promise<void> {
  const nowMs = noonOf(day);
  await accrueRewards(registry, { nowMs, batch: 2, priceAt });
  await ledger.answer(registry);
  await followOutbox(registry);
  await repeatRefused(registry, 100);
  for (;;) {
    await ledger.answer(registry);
    if ((await advanceStakes(registry, { nowMs, limit: 3 })) === 0) return;
  }
}

export async function workUntil(stage: StakingForTest, from: Day, days: number): Promise<Day> {
  for (let at = 1; at <= days; at += 1) await work(stage, dayAfter(from, at));
  return dayAfter(from, days);
}

export async function readStake({ registry }: StakingForTest, id: number): Promise<Stake> {
  const found = await findStake(registry, id);
  if (found === undefined) throw new Error(`no stake ${id}`);
  return found;
}

export function noonOf(day: Day): number {
  return Date.parse(`${day}${NOON}`);
}

export function atoms(text: string, scale: number): Atoms {
  const read = atomsFromDecimal(text, scale);
  if (!read.ok) throw new Error(`no amount: ${text}`);
  return read.value;
}
