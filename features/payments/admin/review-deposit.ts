// An operator reviews a deposit: credits one that is pending or failed, gives one up, corrects its
// transaction, or marks it. A credit counts like any other money that an operator moves.

import { type Atoms, decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import { type ActContext, ActRefused, defineActInTwoSteps } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { cancelDepositIn, changeTransactionIn, completeDepositIn } from '../deposits/requests.ts';
import { markRequest } from '../request-lists.ts';
import type { RequestChange, RequestRefusal } from '../request-moves.ts';
import {
  type AskedRequest,
  amountOf,
  askedAt,
  balanceLines,
  personalOf,
  readAsset,
  requireWithinCap,
  textOf,
} from './money-terms.ts';

export interface ReviewDepositPayload extends JsonObject {
  readonly id: number;
  readonly decision: 'complete' | 'dismissed' | 'rejected' | null;
  /** Null keeps what the deposit has. */
  readonly transaction_id: string | null;
  readonly output: string | null;
  readonly address: string | null;
  readonly description: string | null;
  readonly processing: boolean | null;
  readonly waiting: boolean | null;
  readonly email: boolean | null;
}

export const reviewDepositAct = defineActInTwoSteps<ReviewDepositPayload, AskedRequest>({
  name: 'deposit.review',
  votePower: 'approve.money',
  personal: ['address', 'description'],

  async assess(context, { decision, id, transaction_id }) {
    const row = await readRow(context, 'deposit_requests', id);
    if (row === undefined) throw refusalOf('request_must_exist');
    const { amount, currency, state, user, version } = row;
    const asset = await readAsset(context, currency);
    const amountAtoms = amountOf(amount, asset);
    const isCredit = decision === 'complete';
    if (isCredit) requireWithinCap(amountAtoms, asset);
    const change = { user, asset, amountAtoms, direction: 'in', isFromOutside: true } as const;
    return {
      object: `deposit ${id}`,
      objectVersion: version,
      approvals: 0,
      ...(isCredit && { money: { currency, amount } }),
      beneficiaries: [user],
      shown: [
        { label: isCredit ? 'Credit' : 'Deposit', value: textOf(amountAtoms, asset) },
        { label: 'To user', value: `${user}` },
        { label: 'State', value: state },
        { label: 'Decision', value: decision ?? 'none' },
        { label: 'Transaction', value: transaction_id ?? row.transactionId },
        ...(isCredit ? await balanceLines(context, change) : []),
      ],
    };
  },

  async execute(context, payload) {
    const { connection } = context;
    const { address, decision, description, id, output, processing, waiting } = payload;
    const transactionId = payload.transaction_id ?? undefined;
    const before = await readRow(context, 'deposit_requests', id);
    if (before === undefined) throw refusalOf('request_must_exist');
    const named = { transactionId, output: output ?? undefined };
    await setMail(context, 'deposit_requests', payload);
    let changed: RequestChange = { kind: 'moved', id };
    if (decision === 'complete') {
      const notes = { address: address ?? undefined, description: description ?? undefined };
      changed = await completeDepositIn(connection, { id }, { ...named, ...notes });
    } else {
      const marks = { address, description, processing, waiting };
      await mark(context, id, marks);
      if (transactionId !== undefined || output !== null) {
        changed = await changeTransactionIn(connection, { id }, named);
      }
      if (changed.kind !== 'refused' && decision !== null) {
        changed = await cancelDepositIn(connection, { id }, decision);
      }
    }
    if (changed.kind === 'refused') throw refusalOf(changed.refusal);
    const after = await readRow(context, 'deposit_requests', id);
    return {
      result: { id, asked: changed.kind === 'requested' ? askedAt(changed.position) : null },
      subject: before.user,
      before: { state: before.state, transaction_id: before.transactionId },
      after: {
        state: after?.state ?? '',
        transaction_id: after?.transactionId ?? '',
        decision,
        processing,
        waiting,
      },
      ...personalOf({ address, description }),
      effects: { dispatcher: true },
    };
  },
});

type Marks = Pick<ReviewDepositPayload, 'address' | 'description' | 'processing' | 'waiting'>;

async function mark({ connection }: ActContext, id: number, marks: Marks): Promise<void> {
  const given = Object.entries(marks).filter(([, value]) => value !== null);
  if (given.length === 0) return;
  const name = { type: 'deposit', id } as const;
  const marked = await markRequest(connection, name, Object.fromEntries(given));
  if (marked !== 'marked') throw refusalOf(marked);
}

function refusalOf(refusal: RequestRefusal): ActRefused {
  switch (refusal) {
    case 'request_must_exist':
      return new ActRefused('deposit_not_found');
    case 'several_requests_have_this_transaction':
      return new ActRefused('transaction_id_ambiguous');
    case 'transaction_already_credited':
      return new ActRefused('transaction_id_used');
    case 'request_is_under_way':
    case 'request_has_ended':
      return new ActRefused('deposit_ended');
  }
}

export interface ReviewedRow {
  readonly user: UserId;
  readonly currency: string;
  readonly amount: string;
  readonly state: string;
  readonly transactionId: string;
  /** Changes with every change of the row. */
  readonly version: string;
}

type Table = 'deposit_requests' | 'withdrawal_requests';

export async function readRow(
  { connection }: Pick<ActContext, 'connection'>,
  table: Table,
  id: number,
): Promise<ReviewedRow | undefined> {
  const { rows } = await connection.query(
    `select user_id, currency, scale, amount_atoms, state, transaction_id,
       updated_at::text as version
     from ${table} where id = $1`,
    [id],
  );
  const [row] = rows;
  return (
    row && {
      user: Number(row.user_id) as UserId,
      currency: row.currency,
      amount: decimalFromAtoms(BigInt(row.amount_atoms) as Atoms, Number(row.scale)),
      state: row.state,
      transactionId: row.transaction_id,
      version: `${row.state} ${row.version}`,
    }
  );
}

/** Whether the user gets mails from here on; unsaid, nothing changes. */
export async function setMail(
  { connection }: ActContext,
  table: Table,
  { email, id }: Pick<ReviewDepositPayload, 'email' | 'id'>,
): Promise<void> {
  if (email === null) return;
  await connection.query(
    `update ${table} set with_mail = case when $2 then nullif(with_mail, false) else false end
     where id = $1 and with_mail is distinct from $2`,
    [id, email],
  );
}
