// Operator actions on coins: list one in the engine, describe it, and raise or lower its issuance
// cap.

import { ATOMS_MAX, type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type ActContext,
  type Assessment,
  defineAct,
  type ShownLine,
} from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { type CoinDescription, describeCoin } from '../coins.ts';
import { atomsOf, checkPrice, type FieldRefused, invalidField } from './decimals.ts';
import { findAsset, type ListedAsset, requireAsset } from './listed.ts';

export type WithdrawalFeeFields = {
  readonly value: string;
  readonly symbol: string;
  readonly active: boolean;
  readonly type: string;
  readonly min: string | null;
  readonly max: string | null;
};

/** Description of a coin; absent fields keep their values. Decimals are texts. */
export type CoinFields = {
  readonly fullname?: string;
  readonly type?: 'blockchain' | 'fiat' | 'other';
  readonly active?: boolean;
  readonly is_public?: boolean;
  readonly allow_deposit?: boolean;
  readonly allow_withdrawal?: boolean;
  readonly withdrawal_fee?: string;
  readonly withdrawal_fees?: { readonly [network: string]: WithdrawalFeeFields } | null;
  readonly min?: string;
  readonly max?: string;
  readonly increment_unit?: string;
  readonly estimated_price?: string | null;
  readonly description?: string | null;
  readonly network?: string | null;
  readonly standard?: string | null;
  readonly logo?: string | null;
  readonly meta?: JsonObject;
};

export type NewCoin = CoinFields & {
  readonly symbol: string;
  readonly fullname: string;
  /** Decimals of an amount. */
  readonly decimals: number;
  /** The engine never issues more. */
  readonly issuance_cap: string;
};

export type CoinChange = CoinFields & {
  readonly symbol: string;
  readonly issuance_cap?: string;
};

/** Queued commands that the engine must accept before the action takes effect. */
export type ListingResult = { readonly symbol: string; readonly commands: readonly number[] };

const SYMBOL = /^[a-z0-9]{1,15}$/;
const SCALE_MAX = 18;

export const CREATE_COIN = defineAct({
  name: 'coin.create',
  votePower: 'approve.config',
  async prepare(context: ActContext, coin: NewCoin) {
    const cap = await checkNewCoin(context, coin);
    if (cap instanceof Refused) return cap;
    const { decimals, fullname, issuance_cap, symbol } = coin;
    return {
      object: `coin ${symbol}`,
      objectVersion: '',
      approvals: 1,
      beneficiaries: [],
      shown: [
        { label: 'Coin', value: `${symbol} (${fullname})` },
        { label: 'Decimals', value: `${decimals}` },
        { label: 'Issuance cap', value: `${issuance_cap} ${symbol}` },
        ...linesOf(coin, ['fullname']),
      ],

      async run() {
        const { connection, operator } = context;
        const description = descriptionOf(symbol, fullname, coin);
        await describeCoin(connection, { ...description, createdBy: operator.user });
        const command = await enqueue(connection, {
          kind: 'ListAsset',
          symbol,
          scale: decimals,
          issuanceCapAtoms: cap,
        });
        const result: ListingResult = { symbol, commands: [command] };
        return { result, after: { ...coin }, effects: { dispatcher: true, catalogue: true } };
      },
    };
  },
});

export const CHANGE_COIN = defineAct({
  name: 'coin.change',
  votePower: 'approve.config',
  async prepare(context: ActContext, change: CoinChange) {
    const checked = await checkChange(context, change);
    if (checked instanceof Refused) return checked;
    const { asset, cap, row } = checked;
    const dayAgo = await capADayAgo(context, asset);
    if (dayAgo instanceof Refused) return dayAgo;
    const { symbol } = change;
    const reprices = await isRepriced(context, change);
    return {
      object: `coin ${symbol}`,
      objectVersion: `${row?.updated_at?.toISOString() ?? ''} ${asset.issuanceCapAtoms}`,
      approvals: approvalsOf(change, cap, dayAgo),
      ...(reprices && REPRICING),
      beneficiaries: [],
      shown: [{ label: 'Coin', value: symbol }, ...capLine(asset, change), ...linesOf(change, [])],

      async run() {
        const { connection } = context;
        const { issuance_cap: _, symbol, ...fields } = change;
        const fullname = change.fullname ?? row?.fullname ?? symbol.toUpperCase();
        if (Object.keys(fields).length > 0) {
          await describeCoin(connection, descriptionOf(symbol, fullname, fields));
        }
        await forgetStops(context, change);
        const commands: number[] = [];
        const before: { [name: string]: string } = {};
        if (cap !== undefined) {
          before.issuance_cap = decimalFromAtoms(asset.issuanceCapAtoms, asset.scale);
          const set = { asset: asset.asset, issuanceCapAtoms: cap };
          commands.push(await enqueue(connection, { kind: 'SetIssuanceCap', ...set }));
        }
        const result: ListingResult = { symbol, commands };
        return {
          result,
          before: { ...before, ...rowBefore(row, fields) },
          after: { ...change },
          effects: { dispatcher: true, catalogue: true },
        };
      },
    };
  },
});

/** Returns its issuance cap. */
async function checkNewCoin(context: ActContext, coin: NewCoin) {
  const { decimals, issuance_cap, symbol } = coin;
  if (!SYMBOL.test(symbol))
    return invalidField('symbol', 'expected 1 to 15 lowercase letters and digits');
  if ((await findAsset(context, symbol)) !== undefined) {
    return new Refused('coin_exists', { currency: symbol });
  }
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > SCALE_MAX) {
    return invalidField('decimals', `expected a number from 0 to ${SCALE_MAX}`);
  }
  const cap = capOf(issuance_cap, decimals);
  if (cap instanceof Refused) return cap;
  return (await checkFields(context, coin, { symbol, scale: decimals })) ?? cap;
}

/** Also returns the new issuance cap, if it changes. */
async function checkChange(context: ActContext, change: CoinChange) {
  const { connection } = context;
  const { issuance_cap, symbol } = change;
  const asset = await requireAsset(context, symbol);
  if (asset instanceof Refused) return asset;
  const { rows } = await connection.query('select * from coins where symbol = $1', [symbol]);
  const cap = issuance_cap === undefined ? undefined : capOf(issuance_cap, asset.scale);
  if (cap instanceof Refused) return cap;
  return (await checkFields(context, change, asset)) ?? { asset, cap, row: rows[0] };
}

function capOf(text: string, scale: number): Atoms | FieldRefused {
  const cap = atomsOf('issuance_cap', text, scale);
  if (cap instanceof Refused) return cap;
  return cap < 1n || cap > ATOMS_MAX
    ? invalidField('issuance_cap', 'must be greater than zero')
    : cap;
}

async function checkFields(
  context: ActContext,
  fields: CoinFields,
  { scale, symbol }: Pick<ListedAsset, 'scale' | 'symbol'>,
) {
  for (const name of ['withdrawal_fee', 'min', 'max', 'increment_unit'] as const) {
    const text = fields[name];
    const atoms = text === undefined ? undefined : atomsOf(name, text, scale);
    if (atoms instanceof Refused) return atoms;
    if (name === 'increment_unit' && atoms === 0n)
      return invalidField(name, 'must be greater than zero');
  }
  const refusal = checkPrice('estimated_price', fields.estimated_price);
  if (refusal !== undefined) return refusal;
  for (const [network, fee] of Object.entries(fields.withdrawal_fees ?? {})) {
    const asset = fee.symbol === symbol ? { scale } : await requireAsset(context, fee.symbol);
    if (asset instanceof Refused) return asset;
    const name = `withdrawal_fees.${network}`;
    const parts = [
      atomsOf(`${name}.value`, fee.value, asset.scale),
      fee.min === null ? undefined : atomsOf(`${name}.min`, fee.min, scale),
      fee.max === null ? undefined : atomsOf(`${name}.max`, fee.max, scale),
    ];
    const refused = parts.find((part) => part instanceof Refused);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Fields that only describe; they need no approval. */
const DESCRIBING: ReadonlySet<string> = new Set([
  'symbol',
  'fullname',
  'is_public',
  'description',
  'standard',
  'logo',
  'meta',
]);
/** Switching these off stops something, which needs no approval. */
const SWITCHES: ReadonlySet<string> = new Set(['active', 'allow_deposit', 'allow_withdrawal']);

/** A cap raised by more than this factor within a day needs two approvals. */
const CAP_FACTOR = 10n;

/** Cap before the first change within 24 hours, so small increments count together. */
async function capADayAgo(
  { connection, nowMs }: ActContext,
  asset: ListedAsset,
): Promise<Atoms | FieldRefused> {
  const { rows } = await connection.query(
    `select before ->> 'issuance_cap' as cap from audit_entries
     where object = $1 and act = $2 and before ? 'issuance_cap'
       and at > to_timestamp($3 / 1000.0) - interval '24 hours'
     order by seq limit 1`,
    [`coin ${asset.symbol}`, CHANGE_COIN.name, nowMs],
  );
  return rows.length === 0 ? asset.issuanceCapAtoms : capOf(rows[0].cap, asset.scale);
}

/** A price that moves by more than this factor within a week, in either direction. */
const PRICE_FACTOR = 2;

/**
 * Whether the reference price is the first one, or moves far. Thresholds are values, so the price
 * moves them: a lower price moves those of the coin, a higher one those of all others if it is
 * their currency.
 */
async function isRepriced(
  { connection, nowMs }: ActContext,
  { estimated_price: price, symbol }: CoinChange,
): Promise<boolean> {
  // Without a price, a coin is above every threshold.
  if (price === undefined || price === null) return false;
  const { rows } = await connection.query(
    `select from (
       select estimated_price as price from coins where symbol = $1 and estimated_price > 0
       union all
       select price from past_prices
       where symbol = $1 and until > to_timestamp($3 / 1000.0) - interval '7 days'
     ) prices
     having coalesce(max(price) <= $2::numeric * ${PRICE_FACTOR}
       and min(price) * ${PRICE_FACTOR} >= $2::numeric, false)`,
    [symbol, price, nowMs],
  );
  return rows.length === 0;
}

/** A new price needs the same approval as the money that it values. */
const REPRICING = { approvals: 2, votePower: 'approve.money' } as const;

function approvalsOf(
  change: CoinChange,
  cap: Atoms | undefined,
  capBefore: Atoms,
): Assessment['approvals'] {
  if (cap !== undefined && cap > capBefore * CAP_FACTOR) return 2;
  const isLight = Object.entries(change).every(
    ([name, value]) => DESCRIBING.has(name) || (SWITCHES.has(name) && value === false),
  );
  return isLight ? 0 : 1;
}

function capLine(asset: ListedAsset, { issuance_cap, symbol }: CoinChange): ShownLine[] {
  if (issuance_cap === undefined) return [];
  const now = decimalFromAtoms(asset.issuanceCapAtoms, asset.scale);
  return [{ label: 'Issuance cap', value: `${now} ${symbol} → ${issuance_cap} ${symbol}` }];
}

function linesOf(fields: CoinFields, without: readonly string[]): ShownLine[] {
  const hidden = new Set([...without, 'symbol', 'decimals', 'issuance_cap']);
  return Object.entries(fields)
    .filter(([name]) => !hidden.has(name))
    .map(([label, value]) => ({
      label,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    }));
}

function descriptionOf(symbol: string, fullname: string, fields: CoinFields): CoinDescription {
  const described = {
    type: fields.type,
    active: fields.active,
    isPublic: fields.is_public,
    allowDeposit: fields.allow_deposit,
    allowWithdrawal: fields.allow_withdrawal,
    withdrawalFee: fields.withdrawal_fee,
    withdrawalFees: fields.withdrawal_fees,
    min: fields.min,
    max: fields.max,
    incrementUnit: fields.increment_unit,
    estimatedPrice: fields.estimated_price,
    description: fields.description,
    network: fields.network,
    standard: fields.standard,
    logo: fields.logo,
    meta: fields.meta,
  };
  const given = Object.entries(described).filter(([, value]) => value !== undefined);
  return { symbol, fullname, ...Object.fromEntries(given) };
}

/** The operator's decision replaces the switch's. */
async function forgetStops(
  { connection }: ActContext,
  { allow_deposit, allow_withdrawal, symbol }: CoinChange,
): Promise<void> {
  const names = [
    ...(allow_deposit === undefined ? [] : ['deposits']),
    ...(allow_withdrawal === undefined ? [] : ['withdrawals']),
  ];
  await connection.query('delete from stops where object = $1 and name = any($2)', [symbol, names]);
}

/** Values of the changed columns; numbers are texts. */
function rowBefore(row: JsonObject | undefined, fields: CoinFields): JsonObject {
  if (row === undefined) return {};
  return Object.fromEntries(Object.keys(fields).map((name) => [name, row[name] ?? null]));
}
