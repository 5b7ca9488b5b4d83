// Referrers' earnings and their payout. A payout divides the exact total of the shares once: whole
// atoms are paid, the rest stays for the next one. A payout rejected by the engine does not count,
// so nothing is lost when the distributor has too little.

import { type AssetId, type Atoms, decimalFromAtoms, type UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import {
  enqueue,
  OUTBOX_CHANNELS,
  type OutboxCommand,
  type OutboxPosition,
} from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { lockFamily } from '../payments/index.ts';
import { readReferralSettings } from './settings.ts';
import { SHARE_UNITS, unpaidAtoms } from './shares.ts';

export interface Unrealized {
  readonly currency: string;
  readonly scale: number;
  readonly atoms: Atoms;
  readonly minimumAtoms: Atoms;
}

export interface RequestedPayout {
  readonly kind: 'requested';
  readonly id: number;
  readonly amountAtoms: Atoms;
  readonly position: OutboxPosition;
}

/** Returns the amount that a payout would pay now, or undefined if referral is off. */
export async function readUnrealized(
  statements: Statements,
  referrer: UserId,
  projectionSchema: string,
): Promise<Unrealized | undefined> {
  const settings = await readReferralSettings(statements, projectionSchema);
  if (settings === undefined) return undefined;
  const { currency, minimumAtoms, scale } = settings;
  const atoms = await readUnpaid(statements, referrer, settings.asset);
  return { currency, scale, atoms, minimumAtoms };
}

/**
 * Requests payment of everything the referrer has earned, in its own transaction. The lock on the
 * referrer makes concurrent requests see each other.
 */
export function requestPayout(
  connection: Connection,
  referrer: UserId,
  projectionSchema: string,
): Promise<RequestedPayout | Refused<'referral_is_off' | 'referral_minimum_not_reached'>> {
  return inTransaction(connection, async () => {
    const settings = await readReferralSettings(connection, projectionSchema);
    if (settings === undefined) return new Refused('referral_is_off');
    await lockFamily(connection, referrer);
    const { asset, currency, distributor, minimumAtoms, scale } = settings;
    const amountAtoms = await readUnpaid(connection, referrer, asset);
    if (amountAtoms <= 0n || amountAtoms < minimumAtoms) {
      const min = decimalFromAtoms(minimumAtoms, scale);
      return new Refused('referral_minimum_not_reached', { min, currency });
    }
    const position = await enqueue(
      connection,
      {
        kind: 'TransferAsset',
        sender: distributor,
        receiver: referrer,
        asset,
        amountAtoms,
        reference: referenceOf(referrer),
      },
      { channel: OUTBOX_CHANNELS.transfers },
    );
    const { rows } = await connection.query(
      `insert into referral_payouts (referrer_id, distributor_id, asset_id, currency, scale,
         amount_atoms, channel, sequence)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [
        referrer,
        distributor,
        asset,
        currency,
        scale,
        amountAtoms,
        position.channel,
        position.sequence,
      ],
    );
    return { kind: 'requested', id: idOf(rows[0].id), amountAtoms, position };
  });
}

/** Records a payout known only from the log, so it is not paid again. */
export async function recordLostPayout(
  connection: Connection,
  { asset, command, position }: LostPayout,
): Promise<boolean> {
  const { amountAtoms, receiver, reference, sender } = command;
  if (reference !== referenceOf(receiver)) return false;
  await connection.query(
    `insert into referral_payouts (referrer_id, distributor_id, asset_id, currency, scale,
       amount_atoms, channel, sequence)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      receiver,
      sender,
      asset.id,
      asset.currency,
      asset.scale,
      amountAtoms,
      position.channel,
      position.sequence,
    ],
  );
  return true;
}

export interface LostPayout {
  readonly command: Extract<OutboxCommand, { readonly kind: 'TransferAsset' }>;
  /** Position of its row in the outbox. */
  readonly position: OutboxPosition;
  readonly asset: { readonly id: AssetId; readonly currency: string; readonly scale: number };
}

function referenceOf(referrer: UserId): string {
  return `referral ${referrer}`;
}

async function readUnpaid(
  statements: Statements,
  referrer: UserId,
  asset: AssetId,
): Promise<Atoms> {
  // One statement: a payout rejected in the meantime counts for both totals or for none.
  const { rows } = await statements.query(
    `select (
       select numerator from referral_totals where referrer_id = $1 and asset_id = $2
     )::text as numerator, (
       select sum(p.amount_atoms) from referral_payouts p
       join outbox o on o.channel = p.channel and o.sequence = p.sequence
       where p.referrer_id = $1 and p.asset_id = $2 and o.state <> 'refused'
     )::text as paid`,
    [referrer, asset],
  );
  const [{ numerator, paid }] = rows;
  return unpaidAtoms(BigInt(numerator ?? 0), BigInt(paid ?? 0));
}

const PAID = `
  referral_payouts p join outbox o on o.channel = p.channel and o.sequence = p.sequence
  where p.referrer_id = $1 and o.state = 'accepted'
    and ($2::timestamptz is null or p.created_at >= $2)
    and ($3::timestamptz is null or p.created_at < $3)`;

/** Payouts made by the engine: $1 referrer, $2 from, $3 to. */
export const payoutsOfReferrer = {
  rows: (order: string) => `select p.* from ${PAID} ${order} limit $4 offset $5`,
  count: `select count(*) from (select from ${PAID} limit $4) counted`,
  defaultSort: ['p.created_at', 'p.id'],
} as const;

export interface Payout {
  readonly id: number;
  readonly referrer: UserId;
  readonly currency: string;
  readonly scale: number;
  readonly amountAtoms: Atoms;
  readonly createdAt: Date;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function payoutOf(row: any): Payout {
  return {
    id: idOf(row.id),
    referrer: idOf(row.referrer_id),
    currency: row.currency,
    scale: Number(row.scale),
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
    createdAt: row.created_at,
  };
}

const ACCRUALS = 'referral_accruals r join referral_batches b on b.id = r.batch_id';
const ACCRUED = `
  r.referrer_id = $1
    and ($2::timestamptz is null or b.to_time >= $2)
    and ($3::timestamptz is null or b.to_time < $3)`;

/** Shares per batch and referred user: $1 referrer, $2 from, $3 to. */
export const accrualsOfReferrer = {
  rows: (order: string) =>
    `select r.*, b.currency, b.scale, b.to_time, a.code
     from ${ACCRUALS} join affiliations a on a.user_id = r.user_id
     where ${ACCRUED} ${order} limit $4 offset $5`,
  count: `select count(*) from (select from ${ACCRUALS} where ${ACCRUED} limit $4) counted`,
  defaultSort: ['r.batch_id', 'r.user_id'],
} as const;

export interface Accrual {
  readonly user: UserId;
  readonly referrer: UserId;
  readonly batch: number;
  readonly code: string;
  readonly currency: string;
  readonly scale: number;
  /** Rounded down; the payout also counts the rest. */
  readonly atoms: Atoms;
  readonly at: Date;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function accrualOf(row: any): Accrual {
  return {
    user: idOf(row.user_id),
    referrer: idOf(row.referrer_id),
    batch: idOf(row.batch_id),
    code: row.code,
    currency: row.currency,
    scale: Number(row.scale),
    atoms: (BigInt(row.numerator) / SHARE_UNITS) as Atoms,
    at: row.to_time,
  };
}
