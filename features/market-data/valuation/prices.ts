// Prices for limits, payments and statements: conservative ones that a thief cannot lower, cautious
// ones that cannot be raised, and closing ones for a past time. They come from the database, so
// every gateway computes the same.

import {
  decimalOfRatio,
  findRoute,
  HOUR_MS,
  ONE,
  type PricedMarket,
  priceAlong,
  type Ratio,
  ratioFromDecimal,
} from '../../../core/market-data/index.ts';
import { assertPlainName, type Statements } from '../../../infra/postgres/index.ts';

/** By currency: price of one unit in the quote currency, as a decimal. */
export type Prices = Readonly<Record<string, string>>;

export interface PriceQuestion {
  /** Currency of the prices. */
  readonly quote: string;
  /** Schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
  /** Only these currencies; absent for all. */
  readonly currencies?: readonly string[];
}

/** A week: half of it must pass at another price before the median moves. */
const WINDOW_MS = 7 * 24 * HOUR_MS;

// Median of the closing prices at all hours of the window. A close lasts until the next candle, so
// hours without trades count as well: each close is weighted by its duration.
const MEDIANS = (schema: string) => `
  select m.id, median.ticks, median.is_long
  from unnest($1::bigint[]) as m(id) left join lateral (
    select close_ticks as ticks, whole * 2 >= $3::timestamptz - $2::timestamptz as is_long from (
      select close_ticks, sum(stood) over (order by close_ticks, start) as up_to,
        sum(stood) over () as whole
      from (
        select start, close_ticks, coalesce(lead(start) over (order by start), $3)
          - greatest(start, $2) as stood
        from (
          (select start, close_ticks from ${schema}.candles
           where market_id = m.id and resolution = '1h' and start <= $2
           order by start desc limit 1)
          union all
          (select start, close_ticks from ${schema}.candles
           where market_id = m.id and resolution = '1h' and start > $2 and start < $3)
        ) within_window
      ) standing
    ) weighed where up_to * 2 >= whole order by up_to limit 1
  ) median on true`;

/**
 * For limits: the higher of the operator's highest reference price of a week and the median of that
 * week. Without a current reference the median needs half a week of history, because a few trades
 * make a short one. A currency without either is absent.
 */
export async function conservativePrices(
  statements: Statements,
  question: PriceQuestion & { readonly nowMs: number },
): Promise<Prices> {
  const { nowMs } = question;
  const window = [new Date(nowMs - WINDOW_MS), new Date(nowMs)];
  return readPrices(statements, question, {
    referencesSince: window[0],
    ticks: (schema, markets) => statements.query(MEDIANS(schema), [markets, ...window]),
    choose: ({ longMarket, market, reference }) => {
      if (reference === undefined) return longMarket;
      return market !== undefined && isHigher(market, reference) ? market : reference;
    },
  });
}

/**
 * For payments by value: the lower of the operator's reference price and the median of a week with
 * at least half of it in history. A currency without a reference is absent, because traders alone
 * would make its price.
 */
export async function cautiousPrices(
  statements: Statements,
  question: PriceQuestion & { readonly at: Date },
): Promise<Prices> {
  const { at } = question;
  const window = [new Date(at.getTime() - WINDOW_MS), at];
  return readPrices(statements, question, {
    ticks: (schema, markets) => statements.query(MEDIANS(schema), [markets, ...window]),
    choose: ({ longMarket, reference }) =>
      reference !== undefined && longMarket !== undefined && isHigher(reference, longMarket)
        ? longMarket
        : reference,
  });
}

const CLOSES = (schema: string) => `
  select m.id, (
    select close_ticks from ${schema}.candles
    where market_id = m.id and resolution = '1m' and start <= $2::timestamptz - interval '1 minute'
    order by start desc limit 1
  ) as ticks, true as is_long
  from unnest($1::bigint[]) as m(id)`;

/**
 * For statements: the last price at or before a time, to the minute, in currently active markets;
 * the operator's current reference if none has one. A currency without either is absent.
 */
export async function closingPrices(
  statements: Statements,
  question: PriceQuestion & { readonly at: Date },
): Promise<Prices> {
  return readPrices(statements, question, {
    onlyActive: true,
    ticks: (schema, markets) => statements.query(CLOSES(schema), [markets, question.at]),
    choose: ({ market, reference }) => market ?? reference,
  });
}

interface PriceSource {
  /**
   * Uses the highest reference since then: the currency's highest price over the quote's lowest.
   * Absent for the current one.
   */
  readonly referencesSince?: Date;
  /**
   * Only active markets, pairs and coins count, because others have an outdated price. Never use it
   * to assess an action: one operator can switch markets, pairs and coins off.
   */
  readonly onlyActive?: boolean;
  /** Columns id, ticks and is_long. */
  ticks(schema: string, markets: readonly number[]): ReturnType<Statements['query']>;
  choose(known: KnownPrices): Ratio | undefined;
}

interface KnownPrices {
  /** Price along markets. */
  readonly market: Ratio | undefined;
  /** Price along markets with a long history only. */
  readonly longMarket: Ratio | undefined;
  readonly reference: Ratio | undefined;
}

interface Market extends PricedMarket {
  readonly id: number;
  readonly tickMantissa: bigint;
  readonly tickScale: bigint;
}

async function readPrices(
  statements: Statements,
  { currencies, projectionSchema: schema, quote }: PriceQuestion,
  { choose, onlyActive = false, referencesSince, ticks }: PriceSource,
): Promise<Prices> {
  assertPlainName(schema);
  const references = await readReferences(statements, schema, referencesSince);
  const markets = await readMarkets(statements, schema, onlyActive);
  const asked = currencies ?? [...references.keys()];
  const useful = marketsBetween(markets, asked, quote);
  const ids = useful.map(({ id }) => id);
  const { rows } = ids.length === 0 ? { rows: [] } : await ticks(schema, ids);
  const known = new Map(rows.map((row) => [Number(row.id), row]));
  type PriceOf = (market: Market) => Ratio | undefined;
  const priceOf: PriceOf = ({ id, tickMantissa, tickScale }) => {
    const found = known.get(id)?.ticks ?? null;
    if (found === null) return undefined;
    return { over: BigInt(found) * tickMantissa, under: 10n ** tickScale };
  };
  const longPriceOf: PriceOf = (market) =>
    known.get(market.id)?.is_long === true ? priceOf(market) : undefined;
  const prices: Record<string, string> = {};
  for (const asset of new Set(asked)) {
    const price = asset === quote ? ONE : choose(knownPrices(asset));
    if (price !== undefined && price.over > 0n) prices[asset] = decimalOfRatio(price);
  }
  return prices;

  function knownPrices(asset: string): KnownPrices {
    return {
      market: alongMarkets(asset, priceOf),
      longMarket: alongMarkets(asset, longPriceOf),
      reference: reference(asset),
    };
  }

  function alongMarkets(asset: string, price: PriceOf): Ratio | undefined {
    const hasPrice = (market: Market) => price(market) !== undefined;
    const route = findRoute({ asset, quote, markets, hasPrice });
    return route && priceAlong(route, price);
  }

  // References share one unit of account, whichever the operator chose.
  function reference(asset: string): Ratio | undefined {
    const [own, other] = [references.get(asset)?.highest, references.get(quote)?.lowest];
    if (own === undefined || other === undefined) return undefined;
    return { over: own.over * other.under, under: own.under * other.over };
  }
}

interface References {
  readonly highest: Ratio | undefined;
  readonly lowest: Ratio | undefined;
}

/** Every listed or described asset; undefined without a current reference price. */
async function readReferences(
  statements: Statements,
  schema: string,
  since: Date | undefined,
): Promise<Map<string, References>> {
  const { rows } = await statements.query(
    `select coalesce(a.symbol, c.symbol) as symbol,
       greatest(c.price, past.highest)::text as highest, least(c.price, past.lowest)::text as lowest
     from ${schema}.assets a full join (
       select symbol, case when estimated_price > 0 then estimated_price end as price from coins
     ) c on c.symbol = a.symbol
     left join lateral (
       select max(p.price) as highest, min(p.price) as lowest from past_prices p
       where p.symbol = c.symbol and p.until > $1::timestamptz
     ) past on c.price is not null
     order by 1`,
    [since ?? 'infinity'],
  );
  return new Map(
    rows.map(({ highest, lowest, symbol }) => [
      symbol,
      {
        highest: highest === null ? undefined : ratioFromDecimal(highest),
        lowest: lowest === null ? undefined : ratioFromDecimal(lowest),
      },
    ]),
  );
}

async function readMarkets(
  statements: Statements,
  schema: string,
  onlyActive: boolean,
): Promise<ReadonlyMap<string, Market>> {
  const { rows } = await statements.query(
    `select m.id, m.tick_mantissa, m.tick_scale, b.symbol as base, q.symbol as quote
     from ${schema}.markets m
     join ${schema}.assets b on b.id = m.base_id join ${schema}.assets q on q.id = m.quote_id
     left join pairs p on p.symbol = m.name
     left join coins bc on bc.symbol = b.symbol left join coins qc on qc.symbol = q.symbol
     where not $1 or (m.status not in ('delisted', 'inactive')
       and coalesce(p.active, true) and coalesce(bc.active, true) and coalesce(qc.active, true))
     order by m.id`,
    [onlyActive],
  );
  return new Map(
    rows.map(({ base, id, quote, tick_mantissa, tick_scale }) => {
      const symbol = `${base}-${quote}`;
      const market: Market = {
        symbol,
        id: Number(id),
        base: { symbol: base },
        quote: { symbol: quote },
        tickMantissa: BigInt(tick_mantissa),
        tickScale: BigInt(tick_scale),
      };
      return [symbol, market];
    }),
  );
}

/** Markets of all paths from these currencies to the quote: direct ones, and over a bridge. */
function marketsBetween(
  markets: ReadonlyMap<string, Market>,
  currencies: readonly string[],
  quote: string,
): readonly Market[] {
  const between = (one: string, other: string) =>
    [markets.get(`${one}-${other}`), markets.get(`${other}-${one}`)].filter(
      (market) => market !== undefined,
    );
  const asked = new Set(currencies);
  const useful = new Set<Market>();
  for (const market of markets.values()) {
    const ends = [market.base.symbol, market.quote.symbol];
    for (const [from, to] of [ends, ends.toReversed()]) {
      if (!asked.has(from)) continue;
      const onward = between(to, quote);
      if (to !== quote && onward.length === 0) continue;
      for (const one of [market, ...onward]) useful.add(one);
    }
  }
  return [...useful];
}

function isHigher(one: Ratio, other: Ratio): boolean {
  return one.over * other.under > other.over * one.under;
}
