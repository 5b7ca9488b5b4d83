// Reads the rows in other tables that explain outbox rows: the request, the stake, the payout, or
// the audit entry for an operator's action.

import { givenAtoms } from '../../../features/payments/index.ts';
import { assertPlainName, type Statements } from '../../../infra/postgres/index.ts';
import type { OutboxPosition } from '../../../platform/outbox/index.ts';

/** IDs and amounts as PostgreSQL writes them; null if there is no such row. */
export interface OutboxFacts {
  /**
   * True if the audit entry for an operator's action names the row and its approvals are complete.
   */
  readonly isAct: boolean;
  readonly withdrawal: WithdrawalFacts | null;
  readonly deposit: DepositFacts | null;
  /** Atoms of the final deposits from chains that the request credits; null if there are none. */
  readonly chainAtoms: string | null;
  /** True if sender and receiver are in one account family. */
  readonly isFamily: boolean;
  /** Atoms that the sender gave the receiver within 24 hours; null unless it is such a transfer. */
  readonly givenAtoms: string | null;
  readonly stake: StakeFacts | null;
  readonly payout: PayoutFacts | null;
}

export interface MoneyFacts {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly user: string;
  readonly asset: string;
  readonly atoms: string;
}

export interface DepositFacts extends MoneyFacts {
  readonly network: string | null;
  readonly address: string;
}

export interface WithdrawalFacts extends MoneyFacts {
  readonly feeAsset: string;
  readonly feeAtoms: string;
  readonly network: string | null;
  readonly address: string;
  /** True if the displayed names and scales are those of the assets. */
  readonly isNamedRight: boolean;
  readonly isOld: boolean;
}

export interface StakeFacts {
  readonly kind: string;
  readonly sender: string;
  readonly receiver: string;
  readonly asset: string;
  readonly atoms: string;
  /** Absent for a day's rewards. */
  readonly user: string | null;
  readonly principal: string | null;
  readonly state: string | null;
  readonly poolAsset: string;
  readonly account: string;
  readonly reserve: string;
}

export interface PayoutFacts {
  readonly referrer: string;
  readonly distributor: string;
  readonly asset: string;
  readonly atoms: string;
  /** All the referrer's earnings, and all payouts including this one. */
  readonly numerator: string;
  readonly paid: string;
}

/** Requests by users are sent when they are confirmed, within this time. */
const REQUEST_LIFE = "interval '1 hour'";

/**
 * SQL: whether the audit entry in the same transaction names exactly this command. Another command
 * in the transaction is not the operator's.
 */
function isNamedByAct(row: 'o' | 'c', place: string): string {
  return `exists (
    select from audit_entries a left join approval_requests r on r.id = a.approval_id
    where a.written_in = ${row}.written_in
      and a.commands @> jsonb_build_array(${place}
        || jsonb_build_object('sha256', encode(sha256(${row}.record), 'hex')))
      and (a.approval_id is null or (r.state = 'executed' and (
        select count(*) from approval_votes v where v.request_id = r.id and v.vote = 'approve'
      ) >= r.needed)))`;
}

const IS_ACT = isNamedByAct(
  'o',
  "jsonb_build_object('channel', o.channel, 'sequence', o.sequence)",
);

const WITHDRAWAL = `case when w.id is not null then json_build_object(
  'id', w.id::text, 'kind', w.kind, 'state', w.state, 'user', w.user_id::text,
  'asset', w.asset_id::text, 'atoms', w.amount_atoms::text, 'feeAsset', w.fee_asset_id::text,
  'feeAtoms', w.fee_atoms::text, 'network', w.network, 'address', w.address,
  'isNamedRight', coalesce((wa.symbol, wa.scale, wf.symbol, wf.scale)
    = (w.currency, w.scale, w.fee_currency, w.fee_scale), false),
  'isOld', w.created_at < now() - ${REQUEST_LIFE}) end`;

const DEPOSIT = `case when d.id is not null then json_build_object(
  'id', d.id::text, 'kind', d.kind, 'state', d.state, 'user', d.user_id::text,
  'asset', d.asset_id::text, 'atoms', d.amount_atoms::text, 'network', d.network,
  'address', d.address) end`;

const CHAIN_ATOMS = `(
  select sum(c.atoms)::text from custody_deposits c
  where c.deposit_request = d.id and c.state = 'credited' and c.user_id = d.user_id
    and c.asset_id = d.asset_id and c.network = d.network)`;

const STAKE = `case when m.id is not null then json_build_object(
  'kind', m.kind, 'sender', m.sender_id::text, 'receiver', m.receiver_id::text,
  'asset', m.asset_id::text, 'atoms', m.amount_atoms::text, 'user', s.user_id::text,
  'principal', s.principal_atoms::text, 'state', s.state, 'poolAsset', pool.asset_id::text,
  'account', pool.account_id::text, 'reserve', pool.reserve_id::text) end`;

const PAYOUT = `case when p.id is not null then json_build_object(
  'referrer', p.referrer_id::text, 'distributor', p.distributor_id::text,
  'asset', p.asset_id::text, 'atoms', p.amount_atoms::text,
  'numerator', coalesce((select t.numerator from referral_totals t
    where t.referrer_id = p.referrer_id and t.asset_id = p.asset_id), 0)::text,
  'paid', (select sum(q.amount_atoms) from referral_payouts q
    join outbox qo on qo.channel = q.channel and qo.sequence = q.sequence
    where q.referrer_id = p.referrer_id and q.asset_id = p.asset_id
      and qo.state <> 'refused')::text) end`;

/** Transfers within a family and gifts of play money; emailed ones have a network. */
const GIVEN = `case when w.kind = 'transfer' and w.network is null then ${givenAtoms({
  sender: 'w.user_id',
  receiver: 'd.user_id',
  asset: 'd.asset_id',
})} end`;

/** In position order. */
export async function readFacts(
  statements: Statements,
  positions: readonly OutboxPosition[],
  projectionSchema: string,
): Promise<OutboxFacts[]> {
  assertPlainName(projectionSchema);
  const { rows } = await statements.query(
    `select ${IS_ACT} as "isAct", ${WITHDRAWAL} as withdrawal, ${DEPOSIT} as deposit,
       ${CHAIN_ATOMS} as "chainAtoms",
       coalesce(coalesce(su.parent_id, su.id) = coalesce(ru.parent_id, ru.id), false) as "isFamily",
       ${GIVEN} as "givenAtoms",
       ${STAKE} as stake, ${PAYOUT} as payout
     from unnest($1::bigint[], $2::bigint[]) with ordinality as at(channel, sequence, number)
     join outbox o on o.channel = at.channel and o.sequence = at.sequence
     left join withdrawal_requests w on w.id = o.withdrawal_request
     left join ${projectionSchema}.assets wa on wa.id = w.asset_id
     left join ${projectionSchema}.assets wf on wf.id = w.fee_asset_id
     left join deposit_requests d on d.id = o.deposit_request
     left join users su on su.id = w.user_id
     left join users ru on ru.id = d.user_id
     left join stake_movements m on m.channel = o.channel and m.sequence = o.sequence
     left join stakes s on s.id = m.stake_id
     left join stake_pools pool on pool.id = m.pool_id
     left join referral_payouts p on p.channel = o.channel and p.sequence = o.sequence
     order by at.number`,
    [positions.map(({ channel }) => channel), positions.map(({ sequence }) => sequence)],
  );
  return rows as OutboxFacts[];
}

/** Returns whether an operator's action appended the repeatable command. */
export async function isCommandOfAct(statements: Statements, id: number): Promise<boolean> {
  const isAct = isNamedByAct('c', "jsonb_build_object('command', c.id)");
  const { rows } = await statements.query(
    `select ${isAct} as is_act from engine_commands c where c.id = $1`,
    [id],
  );
  return rows[0]?.is_act === true;
}
