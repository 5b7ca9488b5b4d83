// Pool terms as operators write them, fully checked. Percentages and amounts are decimals; an
// absent value keeps the current one.

import {
  type Atoms,
  atomsFromDecimal,
  decimalFromAtoms,
  type UserId,
} from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { ActContext } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { cautiousPrices } from '../../market-data/index.ts';
import { findStakeAsset, type PoolState, type PoolTerms, type StakeAsset } from '../pools.ts';

/** As in requests; numbers on the wire are decimal texts here. */
export type PoolInput = {
  readonly name?: string;
  readonly category?: string | null;
  readonly disclaimer?: string | null;
  readonly account_id?: number;
  readonly currency?: string;
  readonly reward_currency?: string | null;
  readonly apy?: string;
  /** Null for no end. */
  readonly duration?: number | null;
  readonly min_amount?: string;
  readonly max_amount?: string;
  readonly early_unstake?: boolean;
  /** False clears both percentages. */
  readonly slashing?: boolean;
  readonly slashing_principle_percentage?: string;
  readonly slashing_earning_percentage?: string;
  readonly is_automatic?: boolean;
  readonly onboarding?: boolean;
  readonly status?: PoolState;
};

/** 10,000%: more is a mistake. */
const APY_MAX = 10_000_000_000n;
export const APY_DECIMALS = 6;
/** Decimals of a percentage in parts per million. */
export const PPM_DECIMALS = 4;
const PPM_MAX = 1_000_000n;
const NAME_MAX = 256;
const DISCLAIMER_MAX = 10_000;
const DAYS_MAX = 3_650;

/** `before` is the changed pool; undefined for a new one. */
export async function termsOf(context: ActContext, input: PoolInput, before?: PoolTerms) {
  const asset = await assetOf(context, input.currency, before?.asset);
  if (asset instanceof Refused) return asset;
  const rewardAsset = await assetOf(
    context,
    input.reward_currency ?? (before === undefined ? asset.symbol : undefined),
    before?.rewardAsset,
  );
  if (rewardAsset instanceof Refused) return rewardAsset;
  const stated = input.slashing === false ? withoutSlashing(input) : input;
  const numbers = numbersOf(stated, asset, before);
  if (numbers instanceof Refused) return numbers;
  const terms: PoolTerms = {
    name: input.name ?? before?.name ?? '',
    category: textOf(input.category, before?.category),
    disclaimer: textOf(input.disclaimer, before?.disclaimer),
    account: (input.account_id as UserId | undefined) ?? before?.account ?? (0 as UserId),
    asset,
    rewardAsset,
    ...numbers,
    durationDays: input.duration === undefined ? (before?.durationDays ?? null) : input.duration,
    earlyUnstake: input.early_unstake ?? before?.earlyUnstake ?? false,
    isAutomatic: input.is_automatic ?? before?.isAutomatic ?? true,
    onboarding: input.onboarding ?? before?.onboarding ?? false,
    state: input.status ?? before?.state ?? 'uninitialized',
  };
  const refusal =
    checkTerms(terms) ?? (await checkAccount(context, terms)) ?? (await checkPrice(context, terms));
  return refusal ?? terms;
}

function withoutSlashing(input: PoolInput): PoolInput {
  const none = '0';
  return {
    ...input,
    slashing_principle_percentage: none,
    slashing_earning_percentage: none,
  };
}

/** Rates, amounts and percentages in their smallest units. */
function numbersOf(input: PoolInput, { scale }: StakeAsset, before: PoolTerms | undefined) {
  const amount = { decimals: scale, max: undefined };
  const percent = { decimals: PPM_DECIMALS, max: PPM_MAX };
  const apyMicro = unitsOf(input.apy, before?.apyMicro, {
    decimals: APY_DECIMALS,
    max: APY_MAX,
    field: 'apy',
  });
  if (apyMicro instanceof Refused) return apyMicro;
  const minAtoms = unitsOf(input.min_amount, before?.minAtoms, { ...amount, field: 'min_amount' });
  if (minAtoms instanceof Refused) return minAtoms;
  const maxAtoms = unitsOf(input.max_amount, before?.maxAtoms, { ...amount, field: 'max_amount' });
  if (maxAtoms instanceof Refused) return maxAtoms;
  const principalSlashPpm = unitsOf(
    input.slashing_principle_percentage,
    before?.principalSlashPpm ?? 0n,
    { ...percent, field: 'slashing_principle_percentage' },
  );
  if (principalSlashPpm instanceof Refused) return principalSlashPpm;
  const rewardSlashPpm = unitsOf(input.slashing_earning_percentage, before?.rewardSlashPpm ?? 0n, {
    ...percent,
    field: 'slashing_earning_percentage',
  });
  if (rewardSlashPpm instanceof Refused) return rewardSlashPpm;
  return { apyMicro, minAtoms, maxAtoms, principalSlashPpm, rewardSlashPpm };
}

function checkTerms(terms: PoolTerms) {
  const invalid = (field: string) => new Refused('stake_value_invalid', { field });
  const { disclaimer, durationDays, name } = terms;
  if (name.trim() === '' || name.length > NAME_MAX) return invalid('name');
  if ((terms.category ?? '').length > NAME_MAX) return invalid('category');
  if ((disclaimer ?? '').length > DISCLAIMER_MAX) return invalid('disclaimer');
  const isWithin = durationDays === null || (durationDays >= 1 && durationDays <= DAYS_MAX);
  if (!isWithin || !Number.isInteger(durationDays ?? 1)) return invalid('duration');
  if (terms.minAtoms <= 0n) return invalid('min_amount');
  if (terms.maxAtoms < terms.minAtoms) return invalid('max_amount');
  // Such a stake has no early end, so it would never be slashed.
  const isSlashing = terms.principalSlashPpm > 0n || terms.rewardSlashPpm > 0n;
  return durationDays === null && isSlashing ? new Refused('stake_without_end') : undefined;
}

/** Rewards must come from an operator's account, so no other user can be made to pay them. */
async function checkAccount({ connection }: ActContext, { account }: PoolTerms) {
  const { rows } = await connection.query(
    `select role is not null and state = 'active' as may_fund from users where id = $1`,
    [account],
  );
  if (rows.length === 0) return new Refused('stake_account_missing');
  return rows[0].may_fund ? undefined : new Refused('stake_account_not_of_operator');
}

/** A reward in another coin needs its price each day. */
async function checkPrice(context: ActContext, { asset, rewardAsset }: PoolTerms) {
  if (asset.id === rewardAsset.id) return undefined;
  const prices = await cautiousPrices(context.connection, {
    quote: rewardAsset.symbol,
    currencies: [asset.symbol],
    projectionSchema: context.exchange.projectionSchema,
    at: new Date(context.nowMs),
  });
  if (prices[asset.symbol] !== undefined) return undefined;
  return new Refused('stake_reward_without_price', { currency: rewardAsset.symbol });
}

async function assetOf(
  { connection, exchange }: ActContext,
  symbol: string | undefined,
  before: StakeAsset | undefined,
): Promise<StakeAsset | Refused<'currency_invalid'>> {
  if (symbol === undefined && before !== undefined) return before;
  const name = (symbol ?? '').toLowerCase();
  const found = await findStakeAsset(connection, name, exchange.projectionSchema);
  return found ?? new Refused('currency_invalid', { currency: name });
}

/** Without a text, returns the known value. */
function unitsOf<Units extends bigint>(
  text: string | undefined,
  known: Units | undefined,
  { decimals, field, max }: { decimals: number; max: bigint | undefined; field: string },
): Units | Refused<'stake_value_invalid'> {
  if (text === undefined && known !== undefined) return known;
  const read = text === undefined ? undefined : atomsFromDecimal(text, decimals);
  if (!read?.ok || (max !== undefined && read.value > max)) {
    return new Refused('stake_value_invalid', { field });
  }
  return read.value as bigint as Units;
}

function textOf(given: string | null | undefined, before: string | null | undefined) {
  return given === undefined ? (before ?? null) : given === '' ? null : given;
}

/** For the audit and for voters. */
export function termsRecord(terms: PoolTerms): JsonObject {
  const { asset, rewardAsset } = terms;
  const fraction = (units: bigint, decimals: number) => decimalFromAtoms(units as Atoms, decimals);
  return {
    name: terms.name,
    status: terms.state,
    onboarding: terms.onboarding,
    currency: asset.symbol,
    reward_currency: rewardAsset.symbol,
    account_id: terms.account,
    apy: fraction(terms.apyMicro, APY_DECIMALS),
    duration: terms.durationDays,
    min_amount: decimalFromAtoms(terms.minAtoms, asset.scale),
    max_amount: decimalFromAtoms(terms.maxAtoms, asset.scale),
    early_unstake: terms.earlyUnstake,
    slashing_principle_percentage: fraction(terms.principalSlashPpm, PPM_DECIMALS),
    slashing_earning_percentage: fraction(terms.rewardSlashPpm, PPM_DECIMALS),
    is_automatic: terms.isAutomatic,
    category: terms.category,
    disclaimer: terms.disclaimer,
  };
}
