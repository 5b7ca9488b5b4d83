// Pays collected fees to an operator's account: everything the engine holds in each asset at
// execution time. Always requires approval from another operator.

import {
  type AssetId,
  type Atoms,
  decimalFromAtoms,
  type UserId,
} from '../../../core/money/index.ts';
import { enqueue, OUTBOX_CHANNELS } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct, type MovedMoney, valueMoney } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { lockFamily } from '../family.ts';
import { type OutboxRef, outboxRef, requireUsers } from './money-terms.ts';

interface SettlePayload extends JsonObject {
  readonly user_id: number;
}

interface Settled extends JsonObject {
  readonly asked: readonly OutboxRef[];
}

/** Fee account. */
const FEES = -2;

export const settleFeesAct = defineAct({
  name: 'fees.settle',
  votePower: 'approve.money',

  async prepare(context: ActContext, { user_id }: SettlePayload) {
    const refusal = await requireUsers(context, [user_id]);
    if (refusal !== undefined) return refusal;
    const fees = await readFees(context);
    if (fees instanceof Refused) return fees;
    const user = user_id as UserId;
    if ((await lockFamily(context.connection, user)) === undefined) {
      return new Refused('user_not_found');
    }
    return {
      object: 'fees',
      objectVersion: '',
      approvals: 1,
      money: await worthOf(context, fees),
      beneficiaries: [user],
      shown: [
        { label: 'Pay all fees to user', value: `${user}` },
        ...fees.map(({ amount, currency }) => ({
          label: 'Collected so far',
          value: `${amount} ${currency}`,
        })),
      ],

      async run() {
        const asked: OutboxRef[] = [];
        for (const { asset } of fees) {
          const command = { kind: 'SettleFees', asset, user } as const;
          const { transfers } = OUTBOX_CHANNELS;
          asked.push(outboxRef(await enqueue(context.connection, command, { channel: transfers })));
        }
        const result: Settled = { asked };
        return {
          result,
          subject: user,
          after: { user, fees: fees.map(({ amount, currency }) => `${amount} ${currency}`) },
          effects: { dispatcher: true },
        };
      },
    };
  },
});

interface CollectedFee extends MovedMoney {
  readonly asset: AssetId;
}

/** Returns at least one balance, or a rejection. */
async function readFees({
  connection,
  exchange,
}: ActContext): Promise<CollectedFee[] | Refused<'fees_account_is_empty'>> {
  const schema = exchange.projectionSchema;
  const { rows } = await connection.query(
    `select a.id, a.symbol, a.scale, b.available_atoms from ${schema}.balances b
     join ${schema}.assets a on a.id = b.asset_id
     where b.owner = ${FEES} and b.available_atoms > 0 order by a.id`,
  );
  if (rows.length === 0) return new Refused('fees_account_is_empty');
  return rows.map((row) => ({
    asset: Number(row.id) as AssetId,
    currency: row.symbol,
    amount: decimalFromAtoms(BigInt(row.available_atoms) as Atoms, Number(row.scale)),
  }));
}

/** Value in the threshold currency. A fee without a price stands for all of them. */
async function worthOf(context: ActContext, fees: readonly MovedMoney[]): Promise<MovedMoney> {
  const values: string[] = [];
  let currency = '';
  for (const fee of fees) {
    const { value, valueCurrency } = await valueMoney(context, fee);
    if (value === null) return { currency: fee.currency, amount: fee.amount };
    currency = valueCurrency;
    values.push(value);
  }
  const { rows } = await context.connection.query(
    'select trim_scale(sum(value)) as sum from unnest($1::numeric[]) as v(value)',
    [values],
  );
  return { currency, amount: rows[0].sum };
}
