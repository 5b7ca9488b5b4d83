// Enters a trade that two users agreed on outside the book. Assessed by the more valuable side,
// because a price far from the market moves value from one user to the other.

import {
  type Atoms,
  baseAtoms,
  type DecimalResult,
  decimalFromAtoms,
  type Lots,
  lotsFromDecimal,
  type MarketId,
  type Ppm,
  quoteAtoms,
  type Ticks,
  ticksFromDecimal,
  type UserId,
} from '../../../core/money/index.ts';
import { assertPlainName } from '../../../infra/postgres/index.ts';
import { enqueue, OUTBOX_CHANNELS } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct, type MovedMoney } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { bytesOf, largerOf, outboxRef, requireUsers } from '../../payments/admin/index.ts';
import { lockFamilies } from '../../payments/index.ts';

export interface DirectTradePayload extends JsonObject {
  readonly symbol: string;
  /** Side of the taker. */
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
  readonly maker_id: number;
  readonly taker_id: number;
  readonly maker_fee_ppm: number;
  readonly taker_fee_ppm: number;
  /** Hex; null without a signature. One signed request creates one trade. */
  readonly signature_hash: string | null;
}

export const directTradeAct = defineAct({
  name: 'trade.create',
  votePower: 'approve.money',

  async prepare(context: ActContext, payload: DirectTradePayload) {
    const [maker, taker] = [payload.maker_id as UserId, payload.taker_id as UserId];
    if (maker === taker) return new Refused('users_must_be_different');
    const terms = await readTrade(context, payload);
    if (terms instanceof Refused) return terms;
    const { base, quote } = terms;
    const refused = await requireUsers(context, [maker, taker]);
    if (refused !== undefined) return refused;
    const areLocked = await lockFamilies(context.connection, [maker, taker]);
    if (!areLocked) return new Refused('user_not_found');
    const money = await largerOf(context, [base, quote]);
    return {
      object: `market ${payload.symbol}`,
      objectVersion: '',
      approvals: 0,
      money,
      beneficiaries: [maker, taker],
      shown: [
        { label: 'Trade', value: `${base.amount} ${base.currency}` },
        { label: 'For', value: `${quote.amount} ${quote.currency}` },
        { label: 'Taker', value: `user ${taker} ${payload.side}s` },
        { label: 'Maker', value: `user ${maker}` },
        { label: 'Fees', value: feesText(payload) },
      ],
      run: () => enterTrade(context, payload, terms),
    };
  },
});

async function enterTrade(
  { connection, nowMs, operator }: ActContext,
  payload: DirectTradePayload,
  { market, priceTicks, sizeLots }: TradeTerms,
) {
  const [maker, taker] = [payload.maker_id as UserId, payload.taker_id as UserId];
  const { price, side, size, symbol } = payload;
  const { rows } = await connection.query(
    `insert into direct_trades
       (operator_id, maker_id, taker_id, symbol, signature_hash, created_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (signature_hash) do nothing returning id`,
    [operator.user, maker, taker, symbol, bytesOf(payload.signature_hash), new Date(nowMs)],
  );
  if (rows.length === 0) return new Refused('signature_replayed');
  const position = await enqueue(
    connection,
    {
      kind: 'TradeDirectly',
      market,
      maker,
      taker,
      takerSide: side,
      priceTicks,
      sizeLots,
      makerFeePpm: payload.maker_fee_ppm as Ppm,
      takerFeePpm: payload.taker_fee_ppm as Ppm,
    },
    { channel: OUTBOX_CHANNELS.transfers },
  );
  return {
    result: { id: Number(rows[0].id), asked: outboxRef(position) },
    subject: taker,
    after: { symbol, side, price, size, maker, taker, fees: feesText(payload) },
    effects: { dispatcher: true as const },
  };
}

function feesText({ maker_fee_ppm, taker_fee_ppm }: DirectTradePayload): string {
  return `maker ${maker_fee_ppm} ppm, taker ${taker_fee_ppm} ppm`;
}

export interface TradeTerms {
  readonly market: MarketId;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly base: MovedMoney;
  readonly quote: MovedMoney;
}

/** Returns price and size in the market's units, and the amounts of both sides. */
export async function readTrade(
  { connection, exchange }: Pick<ActContext, 'connection' | 'exchange'>,
  { price, size, symbol }: Pick<DirectTradePayload, 'price' | 'size' | 'symbol'>,
): Promise<TradeTerms | Refused<'price_invalid' | 'size_invalid' | 'symbol_invalid'>> {
  const schema = exchange.projectionSchema;
  assertPlainName(schema);
  const { rows } = await connection.query(
    `select m.id, m.lot_atoms, m.tick_mantissa, m.tick_scale, m.tick_lot_atoms,
       b.symbol as base, b.scale as base_scale, q.symbol as quote, q.scale as quote_scale
     from ${schema}.markets m join ${schema}.assets b on b.id = m.base_id
     join ${schema}.assets q on q.id = m.quote_id where m.name = $1`,
    [symbol],
  );
  const [row] = rows;
  if (row === undefined) return new Refused('symbol_invalid', { symbol });
  const lotAtoms = BigInt(row.lot_atoms) as Atoms;
  const sizeLots = wholeOf(
    lotsFromDecimal(size, { atoms: lotAtoms, scale: Number(row.base_scale) }),
    'size_invalid',
  );
  if (sizeLots instanceof Refused) return sizeLots;
  const tick = { mantissa: Number(row.tick_mantissa), scale: Number(row.tick_scale) };
  const priceTicks = wholeOf(ticksFromDecimal(price, tick), 'price_invalid');
  if (priceTicks instanceof Refused) return priceTicks;
  const quote = quoteAtoms(BigInt(row.tick_lot_atoms) as Atoms, priceTicks, sizeLots);
  return {
    market: Number(row.id) as MarketId,
    priceTicks,
    sizeLots,
    base: {
      currency: row.base,
      amount: decimalFromAtoms(baseAtoms(lotAtoms, sizeLots), Number(row.base_scale)),
    },
    quote: { currency: row.quote, amount: decimalFromAtoms(quote, Number(row.quote_scale)) },
  };
}

function wholeOf<Value, Key extends string>(
  result: DecimalResult<Value>,
  key: Key,
): Value | Refused<Key> {
  if (result.ok) return result.value;
  return new Refused(key, { problem: result.problem.replaceAll('_', ' ') });
}
