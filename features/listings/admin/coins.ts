// Coins: an operator lists one in the engine, describes it, and raises or lowers its issuance cap.

import { ATOMS_MAX, type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import {
  type Act,
  type ActContext,
  ActRefused,
  type Assessment,
  defineActInTwoSteps,
  type ShownLine,
} from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { type CoinDescription, describeCoin } from '../coins.ts';
import { atomsOf, checkPrice, invalidField } from './decimals.ts';
import { findAsset, type ListedAsset, requireAsset } from './listed.ts';

export type WithdrawalFeeFields = {
  readonly value: string;
  readonly symbol: string;
  readonly active: boolean;
  readonly type: string;
  readonly min: string | null;
  readonly max: string | null;
};

/** The description of a coin; absent fields keep their values. Decimals are texts. */
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
  /** Digits after the point of an amount. */
  readonly decimals: number;
  /** The engine never issues more. */
  readonly issuance_cap: string;
};

export type CoinChange = CoinFields & {
  readonly symbol: string;
  readonly issuance_cap?: string;
};

/** Commands of the queue that the engine must accept before the act has its effect. */
export type ListingResult = { readonly symbol: string; readonly commands: readonly number[] };

const SYMBOL = /^[a-z0-9]{1,15}$/;
const SCALE_MAX = 18;

export const CREATE_COIN: Act<NewCoin, ListingResult> = defineActInTwoSteps({
  name: 'coin.create',
  votePower: 'approve.config',
  async assess(context, coin) {
    await checkNewCoin(context, coin);
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
    };
  },
  async execute(context, coin) {
    await checkNewCoin(context, coin);
    const { connection, operator } = context;
    const { decimals, issuance_cap, symbol } = coin;
    const description = descriptionOf(symbol, coin.fullname, coin);
    await describeCoin(connection, { ...description, createdBy: operator.user });
    const command = await enqueue(connection, {
      kind: 'ListAsset',
      symbol,
      scale: decimals,
      issuanceCapAtoms: capOf(issuance_cap, decimals),
    });
    const result = { symbol, commands: [command] };
    return { result, after: { ...coin }, effects: { dispatcher: true, catalogue: true } };
  },
});

export const CHANGE_COIN: Act<CoinChange, ListingResult> = defineActInTwoSteps({
  name: 'coin.change',
  votePower: 'approve.config',
  async assess(context, change) {
    const { asset, row } = await checkChange(context, change);
    const { symbol } = change;
    const cap = capLine(asset, change);
    return {
      object: `coin ${symbol}`,
      objectVersion: `${row?.updated_at?.toISOString() ?? ''} ${asset.issuanceCapAtoms}`,
      approvals: approvalsOf(await capADayAgo(context, asset), change),
      beneficiaries: [],
      shown: [{ label: 'Coin', value: symbol }, ...cap, ...linesOf(change, [])],
    };
  },
  async execute(context, change) {
    const { asset, row } = await checkChange(context, change);
    const { connection } = context;
    const { issuance_cap, symbol, ...fields } = change;
    const fullname = change.fullname ?? row?.fullname ?? symbol.toUpperCase();
    if (Object.keys(fields).length > 0) {
      await describeCoin(connection, descriptionOf(symbol, fullname, fields));
    }
    await forgetStops(context, change);
    const commands: number[] = [];
    const before: { [name: string]: string } = {};
    if (issuance_cap !== undefined) {
      before.issuance_cap = decimalFromAtoms(asset.issuanceCapAtoms, asset.scale);
      commands.push(
        await enqueue(connection, {
          kind: 'SetIssuanceCap',
          asset: asset.asset,
          issuanceCapAtoms: capOf(issuance_cap, asset.scale),
        }),
      );
    }
    return {
      result: { symbol, commands },
      before: { ...before, ...rowBefore(row, fields) },
      after: { ...change },
      effects: { dispatcher: true, catalogue: true },
    };
  },
});

async function checkNewCoin(context: ActContext, coin: NewCoin): Promise<void> {
  const { decimals, issuance_cap, symbol } = coin;
  if (!SYMBOL.test(symbol)) {
    throw invalidField('symbol', 'not 1 to 15 small letters and digits');
  }
  if ((await findAsset(context, symbol)) !== undefined) {
    throw new ActRefused('coin_exists', { currency: symbol });
  }
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > SCALE_MAX) {
    throw invalidField('decimals', `not within 0 and ${SCALE_MAX}`);
  }
  capOf(issuance_cap, decimals);
  await checkFields(context, coin, { symbol, scale: decimals });
}

async function checkChange(context: ActContext, change: CoinChange) {
  const { connection } = context;
  const asset = await requireAsset(context, change.symbol);
  const { rows } = await connection.query('select * from coins where symbol = $1', [change.symbol]);
  if (change.issuance_cap !== undefined) capOf(change.issuance_cap, asset.scale);
  await checkFields(context, change, asset);
  return { asset, row: rows[0] };
}

function capOf(text: string, scale: number): Atoms {
  const cap = atomsOf('issuance_cap', text, scale);
  if (cap < 1n || cap > ATOMS_MAX) throw invalidField('issuance_cap', 'not above zero');
  return cap;
}

async function checkFields(
  context: ActContext,
  fields: CoinFields,
  { scale, symbol }: Pick<ListedAsset, 'scale' | 'symbol'>,
): Promise<void> {
  for (const name of ['withdrawal_fee', 'min', 'max', 'increment_unit'] as const) {
    const text = fields[name];
    if (text !== undefined) atomsOf(name, text, scale);
  }
  if (fields.increment_unit !== undefined && atomsOf('', fields.increment_unit, scale) === 0n) {
    throw invalidField('increment_unit', 'not above zero');
  }
  checkPrice('estimated_price', fields.estimated_price);
  for (const [network, fee] of Object.entries(fields.withdrawal_fees ?? {})) {
    const isOwn = fee.symbol === symbol;
    const feeScale = isOwn ? scale : (await requireAsset(context, fee.symbol)).scale;
    const name = `withdrawal_fees.${network}`;
    atomsOf(`${name}.value`, fee.value, feeScale);
    if (fee.min !== null) atomsOf(`${name}.min`, fee.min, scale);
    if (fee.max !== null) atomsOf(`${name}.max`, fee.max, scale);
  }
}

/** Fields that only describe: one person suffices. */
const DESCRIBING: ReadonlySet<string> = new Set([
  'symbol',
  'fullname',
  'is_public',
  'description',
  'standard',
  'logo',
  'meta',
]);
/** Switching these off stops something, for which one person suffices. */
const SWITCHES: ReadonlySet<string> = new Set(['active', 'allow_deposit', 'allow_withdrawal']);

/** A cap that is raised by more than this factor within a day needs two people. */
const CAP_FACTOR = 10n;

/** The cap before the first change within 24 hours: steps of less count together. */
async function capADayAgo(
  { connection, nowMs }: ActContext,
  asset: ListedAsset,
): Promise<ListedAsset> {
  const { rows } = await connection.query(
    `select before ->> 'issuance_cap' as cap from audit_entries
     where object = $1 and act = $2 and before ? 'issuance_cap'
       and at > to_timestamp($3 / 1000.0) - interval '24 hours'
     order by seq limit 1`,
    [`coin ${asset.symbol}`, CHANGE_COIN.name, nowMs],
  );
  if (rows.length === 0) return asset;
  return { ...asset, issuanceCapAtoms: capOf(rows[0].cap, asset.scale) };
}

function approvalsOf(before: ListedAsset, change: CoinChange): Assessment['approvals'] {
  const { issuance_cap } = change;
  if (issuance_cap !== undefined) {
    const cap = capOf(issuance_cap, before.scale);
    if (cap > before.issuanceCapAtoms * CAP_FACTOR) return 2;
  }
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

/** An operator decides, and no longer a switch. */
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

/** The values of the changed columns; numbers are texts. */
function rowBefore(row: JsonObject | undefined, fields: CoinFields): JsonObject {
  if (row === undefined) return {};
  return Object.fromEntries(Object.keys(fields).map((name) => [name, row[name] ?? null]));
}
