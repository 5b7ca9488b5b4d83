// The terms of a pool as operators write them, checked completely. Percentages and amounts are
// decimals; a missing value stays as it was.

import {
  type Atoms,
  atomsFromDecimal,
  decimalFromAtoms,
  type UserId,
} from '../../../core/money/index.ts';
import { type ActContext, ActRefused } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { cautiousPrices } from '../../market-data/index.ts';
import { findStakeAsset, type PoolState, type PoolTerms, type StakeAsset } from '../pools.ts';

/** As in requests: numbers of the wire are decimal texts here. */
export type PoolInput = {
  readonly name?: string;
  readonly category?: string | null;
  readonly disclaimer?: string | null;
  readonly account_id?: number;
  readonly currency?: string;
  readonly reward_currency?: string | null;
  readonly apy?: string;
  /** Null: without an end. */
  readonly duration?: number | null;
  readonly min_amount?: string;
  readonly max_amount?: string;
  readonly early_unstake?: boolean;
  readonly slashing_principle_percentage?: string;
  readonly slashing_earning_percentage?: string;
  readonly is_automatic?: boolean;
  readonly onboarding?: boolean;
  readonly status?: PoolState;
};

/** 10,000 %: more is a mistake. */
const APY_MAX = 10_000_000_000n;
export const APY_DECIMALS = 6;
/** Of a percentage, in parts of a million. */
export const PPM_DECIMALS = 4;
const PPM_MAX = 1_000_000n;
const NAME_MAX = 256;
const DISCLAIMER_MAX = 10_000;
const DAYS_MAX = 3_650;

/** Throws ActRefused. `before` is the pool that changes; undefined for a new one. */
export async function termsOf(
  context: ActContext,
  input: PoolInput,
  before?: PoolTerms,
): Promise<PoolTerms> {
  const asset = await assetOf(context, input.currency, before?.asset);
  const rewardAsset = await assetOf(
    context,
    input.reward_currency ?? (before === undefined ? asset.symbol : undefined),
    before?.rewardAsset,
  );
  const amount = (text: string | undefined, known: Atoms | undefined, field: string) =>
    text === undefined && known !== undefined
      ? known
      : unitsOf(text, { decimals: asset.scale, max: undefined, field });
  const percent = (text: string | undefined, known: bigint | undefined, field: string) =>
    text === undefined
      ? (known ?? 0n)
      : unitsOf(text, { decimals: PPM_DECIMALS, max: PPM_MAX, field });
  const terms: PoolTerms = {
    name: input.name ?? before?.name ?? '',
    category: textOf(input.category, before?.category),
    disclaimer: textOf(input.disclaimer, before?.disclaimer),
    account: (input.account_id as UserId | undefined) ?? before?.account ?? (0 as UserId),
    asset,
    rewardAsset,
    apyMicro:
      input.apy === undefined && before !== undefined
        ? before.apyMicro
        : unitsOf(input.apy, { decimals: APY_DECIMALS, max: APY_MAX, field: 'apy' }),
    durationDays: input.duration === undefined ? (before?.durationDays ?? null) : input.duration,
    minAtoms: amount(input.min_amount, before?.minAtoms, 'min_amount'),
    maxAtoms: amount(input.max_amount, before?.maxAtoms, 'max_amount'),
    earlyUnstake: input.early_unstake ?? before?.earlyUnstake ?? false,
    principalSlashPpm: percent(
      input.slashing_principle_percentage,
      before?.principalSlashPpm,
      'slashing_principle_percentage',
    ),
    rewardSlashPpm: percent(
      input.slashing_earning_percentage,
      before?.rewardSlashPpm,
      'slashing_earning_percentage',
    ),
    isAutomatic: input.is_automatic ?? before?.isAutomatic ?? true,
    onboarding: input.onboarding ?? before?.onboarding ?? false,
    state: input.status ?? before?.state ?? 'uninitialized',
  };
  checkTerms(terms);
  await checkAccount(context, terms);
  await checkPrice(context, terms);
  return terms;
}

function checkTerms(terms: PoolTerms): void {
  const invalid = (field: string) => new ActRefused('stake_value_invalid', { field });
  const { disclaimer, durationDays, name } = terms;
  if (name.trim() === '' || name.length > NAME_MAX) throw invalid('name');
  if ((terms.category ?? '').length > NAME_MAX) throw invalid('category');
  if ((disclaimer ?? '').length > DISCLAIMER_MAX) throw invalid('disclaimer');
  const isWithin = durationDays === null || (durationDays >= 1 && durationDays <= DAYS_MAX);
  if (!isWithin || !Number.isInteger(durationDays ?? 1)) throw invalid('duration');
  if (terms.minAtoms <= 0n) throw invalid('min_amount');
  if (terms.maxAtoms <= terms.minAtoms) throw invalid('max_amount');
  const isSlashing = terms.principalSlashPpm > 0n || terms.rewardSlashPpm > 0n;
  if (durationDays === null && (terms.earlyUnstake || isSlashing)) {
    throw new ActRefused('stake_without_end');
  }
}

/** Rewards come from the account of an operator, so that nobody else can be made to pay them. */
async function checkAccount({ connection }: ActContext, { account }: PoolTerms): Promise<void> {
  const { rows } = await connection.query(
    `select role is not null and state = 'active' as may_fund from users where id = $1`,
    [account],
  );
  if (rows.length === 0) throw new ActRefused('stake_account_missing');
  if (!rows[0].may_fund) throw new ActRefused('stake_account_not_of_operator');
}

/** A reward in another coin needs its price each day. */
async function checkPrice(context: ActContext, { asset, rewardAsset }: PoolTerms): Promise<void> {
  if (asset.id === rewardAsset.id) return;
  const prices = await cautiousPrices(context.connection, {
    quote: rewardAsset.symbol,
    currencies: [asset.symbol],
    projectionSchema: context.exchange.projectionSchema,
    at: new Date(context.nowMs),
  });
  if (prices[asset.symbol] === undefined) {
    throw new ActRefused('stake_reward_without_price', { currency: rewardAsset.symbol });
  }
}

async function assetOf(
  { connection, exchange }: ActContext,
  symbol: string | undefined,
  before: StakeAsset | undefined,
): Promise<StakeAsset> {
  if (symbol === undefined && before !== undefined) return before;
  const name = (symbol ?? '').toLowerCase();
  const found = await findStakeAsset(connection, name, exchange.projectionSchema);
  if (found === undefined) throw new ActRefused('currency_invalid', { currency: name });
  return found;
}

function unitsOf(
  text: string | undefined,
  { decimals, field, max }: { decimals: number; max: bigint | undefined; field: string },
): Atoms {
  const read = text === undefined ? undefined : atomsFromDecimal(text, decimals);
  if (!read?.ok || (max !== undefined && read.value > max)) {
    throw new ActRefused('stake_value_invalid', { field });
  }
  return read.value;
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
