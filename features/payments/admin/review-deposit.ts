// Operator review of a deposit: credits a pending or failed one, gives one up, corrects its
// transaction, or marks it. A credit is assessed like any other money moved by an operator.

import { type Atoms, decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { cancelDepositIn, changeTransactionIn, completeDepositIn } from '../deposits/requests.ts';
import { DEPOSITS } from '../deposits/states.ts';
import { markRequest } from '../request-lists.ts';
import type { RequestChange } from '../request-moves.ts';
import {
  balanceLines,
  outboxRef,
  parseAmount,
  personalOf,
  type RequestRef,
  readAsset,
  textOf,
} from './money-terms.ts';

export interface ReviewDepositPayload extends JsonObject {
  readonly id: number;
  readonly decision: 'complete' | 'dismissed' | 'rejected' | null;
  /** Null keeps the current value. */
  readonly transaction_id: string | null;
  readonly output: string | null;
  readonly address: string | null;
  readonly description: string | null;
  readonly processing: boolean | null;
  readonly waiting: boolean | null;
  readonly email: boolean | null;
}

export const reviewDepositAct = defineAct({
  name: 'deposit.review',
  votePower: 'approve.money',
  personal: ['address', 'description'],

  async prepare(context: ActContext, payload: ReviewDepositPayload) {
    const { address, decision, description, id, processing, waiting } = payload;
    const row = await readRow(context, 'deposit_requests', id);
    if (row === undefined) return new Refused(DEPOSITS.refusals.missing);
    const { amount, currency, state, user } = row;
    const asset = await readAsset(context, currency);
    if (asset instanceof Refused) return asset;
    const amountAtoms = parseAmount(amount, asset);
    if (amountAtoms instanceof Refused) return amountAtoms;
    const isCredit = decision === 'complete';
    if (isCredit && amountAtoms > asset.capAtoms) return new Refused('issuance_cap_exceeded');
    const change = { user, asset, amountAtoms, direction: 'in', isFromOutside: true } as const;
    return {
      object: `deposit ${id}`,
      objectVersion: row.version,
      approvals: 0,
      ...(isCredit && { money: { currency, amount } }),
      beneficiaries: [user],
      shown: [
        { label: isCredit ? 'Credit' : 'Deposit', value: textOf(amountAtoms, asset) },
        { label: 'To user', value: `${user}` },
        { label: 'State', value: state },
        { label: 'Decision', value: decision ?? 'none' },
        { label: 'Transaction', value: payload.transaction_id ?? row.transactionId },
        ...(isCredit ? await balanceLines(context, change) : []),
      ],

      async run() {
        const changed = await decide(context, payload);
        if (changed instanceof Refused) return changed;
        const after = await readRow(context, 'deposit_requests', id);
        const asked = changed.kind === 'requested' ? outboxRef(changed.position) : null;
        const result: RequestRef = { id, asked };
        return {
          result,
          subject: user,
          before: { state, transaction_id: row.transactionId },
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
    };
  },
});

async function decide(context: ActContext, payload: ReviewDepositPayload): Promise<RequestChange> {
  const { connection } = context;
  const { address, decision, description, id, output, processing, waiting } = payload;
  const named = {
    transactionId: payload.transaction_id ?? undefined,
    output: output ?? undefined,
  };
  await setMail(context, 'deposit_requests', payload);
  if (decision === 'complete') {
    const notes = { address: address ?? undefined, description: description ?? undefined };
    return completeDepositIn(connection, { id }, { ...named, ...notes });
  }
  const marked = await mark(context, id, { address, description, processing, waiting });
  if (marked instanceof Refused) return marked;
  let changed: RequestChange = { kind: 'moved', id };
  if (named.transactionId !== undefined || output !== null) {
    changed = await changeTransactionIn(connection, { id }, named);
  }
  if (changed instanceof Refused || decision === null) return changed;
  return cancelDepositIn(connection, { id }, decision);
}

type Marks = Pick<ReviewDepositPayload, 'address' | 'description' | 'processing' | 'waiting'>;

async function mark({ connection }: ActContext, id: number, marks: Marks) {
  const given = Object.entries(marks).filter(([, value]) => value !== null);
  if (given.length === 0) return undefined;
  const name = { type: 'deposit', id } as const;
  return markRequest(connection, name, Object.fromEntries(given));
}

export interface ReviewedRow {
  readonly kind: string;
  readonly user: UserId;
  readonly currency: string;
  readonly amount: string;
  readonly state: string;
  readonly transactionId: string;
  /** Changes with every change to the row. */
  readonly version: string;
}

type Table = 'deposit_requests' | 'withdrawal_requests';

export async function readRow(
  { connection }: Pick<ActContext, 'connection'>,
  table: Table,
  id: number,
): Promise<ReviewedRow | undefined> {
  const { rows } = await connection.query(
    `select kind, user_id, currency, scale, amount_atoms, state, transaction_id,
       updated_at::text as version
     from ${table} where id = $1`,
    [id],
  );
  const [row] = rows;
  return (
    row && {
      kind: row.kind,
      user: Number(row.user_id) as UserId,
      currency: row.currency,
      amount: decimalFromAtoms(BigInt(row.amount_atoms) as Atoms, Number(row.scale)),
      state: row.state,
      transactionId: row.transaction_id,
      version: `${row.state} ${row.version}`,
    }
  );
}

/** Sets whether the user gets emails about this request; undefined changes nothing. */
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
