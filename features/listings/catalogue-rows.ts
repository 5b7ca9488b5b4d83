// Tables of the catalog, some projected from the log and some in the registry: the statements that
// read their rows, and one statement that detects changes in any of them.

import type { Statements } from '../../infra/postgres/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows as the driver gives them.
export type Row = any;

/** 64-bit integers and decimals are read as strings, times as milliseconds since 1970. */
const TABLES = {
  assets: {
    schema: 'projections',
    select: `id, symbol, scale, issuance_cap_atoms, ${milliseconds('listed_at')}`,
    order: 'id',
  },
  markets: {
    schema: 'projections',
    select: `id, name, base_id, quote_id, lot_atoms, tick_mantissa, tick_scale, tick_lot_atoms,
      min_price_ticks, max_price_ticks, min_size_lots, max_size_lots, reference_ticks, band_ppm,
      slippage_ppm, status, ${milliseconds('auction_ends_at')}, ${milliseconds('listed_at')},
      ${milliseconds('updated_at')}`,
    order: 'id',
  },
  market_fees: {
    schema: 'projections',
    select: 'market_id, tier, maker_ppm, taker_ppm',
    order: 'tier, market_id',
  },
  coins: {
    schema: 'registry',
    select: `symbol, fullname, type, verified, is_public, active, allow_deposit, allow_withdrawal,
      ${decimal('withdrawal_fee')}, ${decimal('min')}, ${decimal('max')},
      ${decimal('increment_unit')}, ${decimal('estimated_price')}, description, network, standard,
      issuer, logo, meta, created_by, ${milliseconds('created_at')}, ${milliseconds('updated_at')},
      (
        -- JSON decimals would be parsed as floats: here they become strings.
        select coalesce(jsonb_object_agg(fee.key, jsonb_build_object(
          'value', fee.value ->> 'value', 'symbol', fee.value ->> 'symbol',
          'active', fee.value -> 'active', 'type', fee.value ->> 'type',
          'min', fee.value ->> 'min', 'max', fee.value ->> 'max')), '{}')
        from jsonb_each(withdrawal_fees) fee
      ) as withdrawal_fees, withdrawal_fees is not null as has_withdrawal_fees`,
    order: 'symbol',
  },
  pairs: {
    schema: 'registry',
    select: `symbol, verified, is_public, active, ${decimal('estimated_price')}, created_by,
      ${milliseconds('created_at')}, ${milliseconds('updated_at')}`,
    order: 'symbol',
  },
  tiers: {
    schema: 'registry',
    select: `id, name, icon, description, note, ${decimal('deposit_limit')},
      ${decimal('withdrawal_limit')}, native_currency_limit, ${milliseconds('created_at')},
      ${milliseconds('updated_at')}`,
    order: 'id',
  },
  kit: { schema: 'registry', select: 'content', order: 'is_only' },
  migrations: { schema: 'registry', select: milliseconds('applied_at'), order: 'number' },
  transaction_limits: {
    schema: 'registry',
    select: `id, tier, type, currency, limit_currency, ${decimal('amount')},
      ${decimal('monthly_amount')}`,
    order: 'id',
  },
  quick_trade: { schema: 'registry', select: 'symbol, type, active', order: 'symbol' },
  stops: {
    schema: 'registry',
    select: `name, object, banner, ${milliseconds('stopped_at')}`,
    order: 'name, object',
  },
  exchange_banner: {
    schema: 'registry',
    select: `kind, text, ${milliseconds('set_at')}`,
    order: 'id',
  },
} as const satisfies Record<string, Table>;

interface Table {
  readonly schema: SchemaName;
  readonly select: string;
  readonly order: string;
}

/** Written by the projector, or by operators. A connection sees one schema. */
export type SchemaName = 'projections' | 'registry';
export const SCHEMA_NAMES: readonly SchemaName[] = ['projections', 'registry'];

export type TableName = keyof typeof TABLES;
export type CatalogueRows = Readonly<Record<TableName, readonly Row[]>>;
/** For each table, a text that differs if any row differs. */
export type Fingerprints = Readonly<Partial<Record<TableName, string>>>;

export function tablesOf(schema: SchemaName): TableName[] {
  const names = Object.keys(TABLES) as TableName[];
  return names.filter((name) => TABLES[name].schema === schema);
}

/** One statement for all tables of a schema. */
export async function readFingerprints(
  statements: Statements,
  schema: SchemaName,
): Promise<Fingerprints> {
  const columns = tablesOf(schema).map(
    (name) =>
      `(select count(*) || ':' || coalesce(sum(hash_record_extended(t, 0)), 0)
        from ${name} t) as ${name}`,
  );
  return (await statements.query(`select ${columns.join(', ')}`)).rows[0];
}

export async function readRows(statements: Statements, name: TableName): Promise<readonly Row[]> {
  const { order, select } = TABLES[name];
  return (await statements.query(`select ${select} from ${name} order by ${order}`)).rows;
}

function milliseconds(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint as ${column}_ms`;
}

/** Without trailing zeros. */
function decimal(column: string): string {
  return `trim_scale(${column})::text as ${column}`;
}
