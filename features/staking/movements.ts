// Movements of staked money. Each is one outbox command, written in the transaction that decides
// it. Owed money is sent again if the engine rejects it; a new stake is not.

import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction, type Statements } from '../../infra/postgres/index.ts';
import { enqueue, OUTBOX_CHANNELS, type OutboxPosition } from '../../platform/outbox/index.ts';
import type { Day } from './exchange-day.ts';

export type MovementKind =
  | 'open'
  | 'day'
  | 'adjust'
  | 'principal'
  | 'reward'
  | 'slashed_principal'
  | 'slashed_reward';

export interface StakeMovement {
  readonly pool: number;
  readonly kind: MovementKind;
  /** Absent for daily rewards. */
  readonly stake?: number;
  /** Only for daily rewards. */
  readonly day?: Day;
  readonly sender: UserId;
  readonly receiver: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
}

/**
 * Call it last in a transaction, because it locks the outbox until the end. Moves nothing for zero.
 */
export async function move(
  connection: Connection,
  movement: StakeMovement,
): Promise<OutboxPosition | undefined> {
  const { amountAtoms, asset, day, kind, pool, receiver, sender, stake } = movement;
  if (amountAtoms === 0n) return undefined;
  const lost = await findLost(connection, movement);
  const { channel, sequence } = lost ?? (await append(connection, movement));
  await connection.query(
    `insert into stake_movements (pool_id, stake_id, kind, day, sender_id, receiver_id, asset_id,
       amount_atoms, channel, sequence)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      pool,
      stake ?? null,
      kind,
      day ?? null,
      sender,
      receiver,
      asset,
      lost?.amountAtoms ?? amountAtoms,
      channel,
      sequence,
    ],
  );
  return { channel, sequence };
}

/** Movements that follow from a stake or a day. Users or operators request the others. */
const DERIVED: readonly MovementKind[] = [
  'day',
  'principal',
  'reward',
  'slashed_principal',
  'slashed_reward',
];

/**
 * Finds the same movement in the part of the log that the registry had lost. The engine already
 * executed it, so it must not be sent again.
 */
async function findLost(
  connection: Connection,
  movement: StakeMovement,
): Promise<(OutboxPosition & { readonly amountAtoms: bigint }) | undefined> {
  if (!DERIVED.includes(movement.kind)) return undefined;
  const { rows } = await connection.query(
    `select l.channel, l.sequence, l.amount_atoms from lost_commands l
     join outbox o on o.channel = l.channel and o.sequence = l.sequence
     where l.reference = $1 and o.state = 'accepted' and not exists (
       select from stake_movements m where m.channel = l.channel and m.sequence = l.sequence)
     order by l.id limit 1`,
    [referenceOf(movement)],
  );
  if (rows.length === 0) return undefined;
  const [{ amount_atoms, channel, sequence }] = rows;
  return {
    channel: Number(channel),
    sequence: Number(sequence),
    amountAtoms: BigInt(amount_atoms),
  };
}

/** Whether a lost transfer is a movement that staking finds again. */
export function isDerivedMovement(reference: string): boolean {
  const kind = /^stake \d+ (\w+)$/.exec(reference)?.[1];
  return /^stake pool \d+ day /.test(reference) || DERIVED.some((one) => one === kind);
}

/** Records the engine's outcomes. Returns the number of movements. */
export async function followOutbox(statements: Statements): Promise<number> {
  const { rowCount } = await statements.query(
    `update stake_movements m set state = o.state from outbox o
     where o.channel = m.channel and o.sequence = m.sequence and o.state <> 'waiting'
       and m.state = 'waiting' and m.id = any(array(
         select id from stake_movements where state = 'waiting' order by id
         for update skip locked))`,
  );
  return rowCount ?? 0;
}

/** Resends owed money that the engine rejected. Returns the number of movements. */
export async function repeatRefused(connection: Connection, limit: number): Promise<number> {
  const { rows } = await connection.query(
    `select id from stake_movements where state = 'refused' and kind <> 'open'
     order by id limit $1`,
    [limit],
  );
  let repeated = 0;
  for (const { id } of rows) {
    repeated += await inTransaction(connection, () => repeatOne(connection, id));
  }
  return repeated;
}

async function repeatOne(connection: Connection, id: string): Promise<number> {
  const { rows } = await connection.query(
    `select *, day::text as day from stake_movements
     where id = $1 and state = 'refused' for update`,
    [id],
  );
  if (rows.length === 0) return 0;
  const { channel, sequence } = await append(connection, movementOf(rows[0]));
  await connection.query(
    `update stake_movements set channel = $2, sequence = $3, state = 'waiting' where id = $1`,
    [id, channel, sequence],
  );
  return 1;
}

function append(connection: Connection, movement: StakeMovement): Promise<OutboxPosition> {
  const { amountAtoms, asset, receiver, sender } = movement;
  const reference = referenceOf(movement);
  return enqueue(
    connection,
    {
      kind: 'TransferAsset',
      sender,
      receiver,
      asset,
      amountAtoms,
      reference,
    },
    { channel: OUTBOX_CHANNELS.transfers },
  );
}

/** Ledger reference of a movement, the same for each attempt. */
export function referenceOf({ day, kind, pool, stake }: StakeMovement): string {
  return kind === 'day' ? `stake pool ${pool} day ${day}` : `stake ${stake} ${kind}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function movementOf(row: any): StakeMovement {
  return {
    pool: Number(row.pool_id),
    kind: row.kind,
    ...(row.stake_id !== null && { stake: Number(row.stake_id) }),
    ...(row.day !== null && { day: row.day }),
    sender: Number(row.sender_id) as UserId,
    receiver: Number(row.receiver_id) as UserId,
    asset: Number(row.asset_id) as AssetId,
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
  };
}
