// Operator handler that enters a trade agreed on by two users outside the book.

import {
  type Atoms,
  atomsFromDecimal,
  type Lots,
  type MarketId,
  type OrderNumber,
  type Ticks,
  type UserId,
} from '../../../core/money/index.ts';
import {
  type Call,
  type Dependencies,
  JsonText,
  requireMarket,
  requireOutcome,
  signatureHex,
} from '../../../platform/http/index.ts';
import { operatorTradeJson, type Routes, type TradeFacts } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import { positionOf } from '../../payments/admin/index.ts';
import { directTradeAct } from '../admin/direct-trade.ts';
import { priceOf, sizeOf } from './order-request.ts';

/** Decimals of a percentage that is a whole number of millionths. */
const PERCENT_SCALE = 4;

export async function tradeDirectly(
  call: Call<Routes['tradeDirectly']>,
  dependencies: Dependencies,
) {
  const { body, caller, signature } = call;
  const { maker_id, price, side, size, taker_id } = body;
  const market = requireMarket(dependencies, body.symbol);
  if (market instanceof Refused) return market;
  const sizeLots = sizeOf(market, size);
  if (sizeLots instanceof Refused) return sizeLots;
  const priceTicks = priceOf(market, price);
  if (priceTicks instanceof Refused) return priceTicks;
  const makerFeePpm = ppmOf('maker_fee', body.maker_fee);
  if (makerFeePpm instanceof Refused) return makerFeePpm;
  const takerFeePpm = ppmOf('taker_fee', body.taker_fee);
  if (takerFeePpm instanceof Refused) return takerFeePpm;
  const payload = {
    symbol: market.symbol,
    side,
    price: `${price}`,
    size: `${size}`,
    maker_id,
    taker_id,
    maker_fee_ppm: makerFeePpm,
    taker_fee_ppm: takerFeePpm,
    signature_hash: signatureHex(caller, signature),
  };
  return answerAct(call, dependencies, directTradeAct, payload, async (asked) => {
    const position = positionOf(asked);
    if (position === undefined) return new Refused('outcome_unknown');
    const outcome = await requireOutcome(dependencies, position);
    if (outcome instanceof Refused) return outcome;
    const { frame } = outcome;
    const isProjected = await dependencies.fresh.untilFrame(frame);
    const found = isProjected ? await readTrade(dependencies, market.market, payload, frame) : null;
    if (found === null) return new Refused('outcome_unknown');
    return new JsonText(operatorTradeJson(market, found));
  });
}

function ppmOf(name: string, percent: number | string): number | Refused<'request_invalid'> {
  const ppm = atomsFromDecimal(`${percent}`, PERCENT_SCALE);
  if (ppm.ok) return Number(ppm.value);
  const detail = `${name} must be a percentage with at most ${PERCENT_SCALE} decimal places`;
  return new Refused('request_invalid', { detail });
}

// Direct trades name no order, so the frame and the users identify the trade; the time limits the
// scan.
const TRADE = `
  select * from trades
  where market_id = $1 and executed_at > now() - interval '1 hour' and frame = $2
    and maker_id = $3 and taker_id = $4 and maker_order = 0
  order by number desc limit 1`;

async function readTrade(
  { projections }: Pick<Dependencies, 'projections'>,
  market: MarketId,
  { maker_id, taker_id }: { readonly maker_id: number; readonly taker_id: number },
  frame: number,
): Promise<TradeFacts | null> {
  const [row] = (await projections.query(TRADE, [market, frame, maker_id, taker_id])).rows;
  if (row === undefined) return null;
  return {
    takerSide: row.taker_side,
    priceTicks: Number(row.price_ticks) as Ticks,
    sizeLots: Number(row.size_lots) as Lots,
    makerOrder: Number(row.maker_order) as OrderNumber,
    takerOrder: Number(row.taker_order) as OrderNumber,
    maker: Number(row.maker_id) as UserId,
    taker: Number(row.taker_id) as UserId,
    makerFeeAtoms: BigInt(row.maker_fee_atoms) as Atoms,
    takerFeeAtoms: BigInt(row.taker_fee_atoms) as Atoms,
    isQuick: row.quick,
    executedMs: row.executed_at.getTime(),
  };
}
