// Advances stakes: new ones when the engine has taken their principal, old ones from their end to
// the payout. The principal is paid immediately from the reserve; the reward when all its days are
// funded. Each stake is a separate transaction, and every step can be killed and repeated.

import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import { type Connection, idOf, inTransaction } from '../../infra/postgres/index.ts';
import { columnsOf, type Settled } from '../../platform/outbox/index.ts';
import { dayAfter, dayOf, midnightOf, readZone } from './exchange-day.ts';
import { followOutbox, type MovementKind, move } from './movements.ts';
import { lockPool, type StakePool } from './pools.ts';
import { settlementOf } from './rewards.ts';
import { STAKE_COLUMNS, type StakeState, stakeOf } from './stakes.ts';

export interface AdvanceOptions {
  readonly nowMs: number;
  readonly limit: number;
}

const MATURE = `
  update stakes set state = 'unstaking', unstaked_at = $1, updated_at = $1 where id = any(array(
    select id from stakes where state = 'staking' and end_day <= last_day
    order by id limit $2 for no key update skip locked)) and state = 'staking'`;

/** The rewards of all its days are in the reserve, including operators' additions. */
const IS_FUNDED = `
  not exists (select from stake_movements d where d.pool_id = s.pool_id and d.kind = 'day'
    and d.state <> 'accepted' and d.day > s.opened_day and d.day <= s.last_day)
  and not exists (select from stake_movements a where a.stake_id = s.id and a.kind = 'adjust'
    and a.state <> 'accepted')`;

// Paused pools pay no stakes. A stake is settled only after all its days are counted.
const READY = `
  case s.state
    when 'opening' then exists (select from stake_movements m
      where m.stake_id = s.id and m.kind = 'open' and m.state <> 'waiting')
    when 'unstaking' then p.state <> 'paused' and p.accrued_to >= s.end_day
    when 'settling' then case when s.reward_settled
      then not exists (select from stake_movements m
        where m.stake_id = s.id and m.state <> 'accepted')
      else ${IS_FUNDED} end
    else false end`;

const FIND = `
  select s.id from stakes s join stake_pools p on p.id = s.pool_id
  where s.state in ('opening', 'unstaking', 'settling') and s.id > $1 and ${READY}
  order by s.id limit $2`;

/** Returns the number of steps made. */
export async function advanceStakes(
  connection: Connection,
  { limit, nowMs }: AdvanceOptions,
): Promise<number> {
  await followOutbox(connection);
  let steps = 0;
  for (;;) {
    const { rowCount } = await connection.query(MATURE, [new Date(nowMs), limit]);
    steps += rowCount ?? 0;
    if ((rowCount ?? 0) < limit) break;
  }
  for (let last = 0; ; ) {
    const { rows } = await connection.query(FIND, [last, limit]);
    for (const row of rows) {
      last = idOf(row.id);
      steps += await advanceStake(connection, last, nowMs);
    }
    if (rows.length < limit) return steps;
  }
}

/** How long the dispatcher waits for a pool whose rewards are being counted. */
const POOL_WAIT = '200ms';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Starts or rejects stakes whose principal is at one of these settled positions. For the
 * dispatcher; never pays. A stake that it leaves out starts with the next job.
 */
export async function beginStakes(
  connection: Connection,
  settled: readonly Settled[],
  nowMs: number,
): Promise<void> {
  const positions = settled.flatMap(({ outcome, row: { command, depositRequest } }) => {
    return command.kind === 'TransferAsset' && depositRequest === undefined ? [outcome] : [];
  });
  if (positions.length === 0) return;
  const { rows } = await connection.query(
    `update stake_movements m set state = o.state
     from unnest($1::bigint[], $2::bigint[]) as p(channel, sequence)
     join outbox o on o.channel = p.channel and o.sequence = p.sequence
     where m.channel = p.channel and m.sequence = p.sequence and m.kind = 'open'
       and m.state = 'waiting' and o.state <> 'waiting' returning m.stake_id`,
    columnsOf(positions),
  );
  for (const row of rows) {
    try {
      await inTransaction(connection, async () => {
        await connection.query(`set local lock_timeout = '${POOL_WAIT}'`);
        await step(connection, idOf(row.stake_id), nowMs, ['opening']);
      });
    } catch (fault) {
      if ((fault as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw fault;
    }
  }
}

/** Makes as many steps as currently possible. */
async function advanceStake(connection: Connection, id: number, nowMs: number): Promise<number> {
  let steps = 0;
  while (await inTransaction(connection, () => step(connection, id, nowMs))) steps += 1;
  return steps;
}

/** Checks everything again on the locked row. Returns false if there is nothing to do. */
async function step(
  connection: Connection,
  id: number,
  nowMs: number,
  from: readonly StakeState[] = ['opening', 'unstaking', 'settling'],
): Promise<boolean> {
  const named = await connection.query('select pool_id from stakes where id = $1', [id]);
  if (named.rows.length === 0) return false;
  const pool = await lockPool(connection, idOf(named.rows[0].pool_id), 'share');
  await connection.query('select from stakes where id = $1 for no key update', [id]);
  const { rows } = await connection.query(
    `select ${STAKE_COLUMNS} from stakes s join stake_pools p on p.id = s.pool_id
     where s.id = $1 and s.state = any($2) and ${READY}`,
    [id, from],
  );
  if (rows.length === 0 || pool === undefined) return false;
  const [row] = rows;
  const locked = { id, pool, row, nowMs };
  if (row.state === 'opening') await begin(connection, locked);
  else if (row.state === 'unstaking') await payPrincipal(connection, locked);
  else if (row.reward_settled) await setState(connection, locked, 'closed');
  else await payReward(connection, locked);
  return true;
}

interface LockedStake {
  readonly id: number;
  readonly pool: StakePool;
  // biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
  readonly row: any;
  readonly nowMs: number;
}

/** It earns from the next uncounted day. */
async function begin(connection: Connection, locked: LockedStake): Promise<void> {
  const { id, nowMs, pool, row } = locked;
  const opening = await connection.query(
    `select state from stake_movements where stake_id = $1 and kind = 'open'`,
    [id],
  );
  if (opening.rows[0].state === 'refused') return setState(connection, locked, 'refused');
  const zone = await readZone(connection);
  const today = dayOf(nowMs, zone);
  const opened = today > pool.accruedTo ? today : pool.accruedTo;
  // The pool might have ended in the meantime; the principal is returned then.
  const isOver = pool.state === 'terminated';
  const closing = row.duration_days === null ? null : dayAfter(opened, Number(row.duration_days));
  await connection.query(
    `update stakes set state = $2, opened_day = $3, last_day = $3, closing_day = $4, end_day = $5,
       closing_at = $6, unstaked_at = $7, updated_at = $8 where id = $1`,
    [
      id,
      isOver ? 'unstaking' : 'staking',
      opened,
      closing,
      isOver ? opened : closing,
      closing === null ? null : midnightOf(closing, zone),
      isOver ? new Date(nowMs) : null,
      new Date(nowMs),
    ],
  );
}

async function payPrincipal(connection: Connection, locked: LockedStake): Promise<void> {
  const { pool, row } = locked;
  await setState(connection, locked, 'settling');
  const { principalAtoms, slashedPrincipalAtoms } = settlementOf(stakeOf(row));
  const asset = pool.asset.id;
  await pay(connection, locked, { kind: 'principal', asset, amountAtoms: principalAtoms });
  const slashed = { asset, amountAtoms: slashedPrincipalAtoms };
  await pay(connection, locked, { kind: 'slashed_principal', ...slashed });
}

async function payReward(connection: Connection, locked: LockedStake): Promise<void> {
  const { id, pool, row } = locked;
  await connection.query('update stakes set reward_settled = true where id = $1', [id]);
  const { rewardAtoms, slashedRewardAtoms } = settlementOf(stakeOf(row));
  const asset = pool.rewardAsset.id;
  await pay(connection, locked, { kind: 'reward', asset, amountAtoms: rewardAtoms });
  const slashed = { asset, amountAtoms: slashedRewardAtoms };
  await pay(connection, locked, { kind: 'slashed_reward', ...slashed });
}

async function pay(
  connection: Connection,
  { id, pool, row }: LockedStake,
  payment: { readonly kind: MovementKind; readonly asset: AssetId; readonly amountAtoms: Atoms },
): Promise<void> {
  const isSlash = payment.kind.startsWith('slashed');
  const receiver = isSlash ? pool.account : idOf<UserId>(row.user_id);
  await move(connection, { ...payment, pool: pool.id, stake: id, sender: pool.reserve, receiver });
}

async function setState(
  connection: Connection,
  { id, nowMs }: LockedStake,
  state: 'refused' | 'settling' | 'closed',
): Promise<void> {
  await connection.query('update stakes set state = $2, updated_at = $3 where id = $1', [
    id,
    state,
    new Date(nowMs),
  ]);
}
