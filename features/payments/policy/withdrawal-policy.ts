// Decides whether a user can withdraw now, and how many operators must approve it. A pure function
// of the input stored with the request, so every decision can be reproduced and explained line by
// line. Never checks the balance: the engine's hold does.

import { HOUR_MS } from '../../../core/market-data/index.ts';
import {
  compareDecimals,
  type Decimal,
  decimalText,
  parseDecimal,
} from '../../../core/money/index.ts';
import type { Prices } from '../../market-data/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import type { AccountKind } from '../family.ts';
import type { PolicySettings } from './policy-settings.ts';
import { type CurrencyAmount, priceOf, totalOf } from './valued-amounts.ts';
import type { WithdrawalCeiling } from './withdrawal-ceilings.ts';
import { judgeSize, type WithdrawalRules, type WithdrawalSigns } from './withdrawal-signs.ts';

export interface WithdrawalLimit {
  /** Limited currency; 'default' for all currencies without their own limit. */
  readonly limitCurrency: string;
  /** Currency of the two amounts, which are decimals; 0 for unlimited, -1 for disabled. */
  readonly currency: string;
  readonly amount: string;
  readonly monthlyAmount: string;
}

/**
 * How the request was authorized. `key`: by an API key with the withdraw permission. `earlier`:
 * before the request was stored.
 */
export type WithdrawalProof = 'second_factor' | 'key' | 'earlier' | 'none';

/** Plain data, stored as JSON with the request. */
export interface PolicyInput {
  readonly nowMs: number;
  readonly account: {
    readonly state: string;
    /** The state began after the request, so the account might have been frozen in between. */
    readonly isStateNewer: boolean;
    readonly kind: AccountKind;
    readonly verificationLevel: number;
    /** 0 if there is no hold. */
    readonly blockedUntilMs: number;
    readonly isBookOnly: boolean;
    readonly createdMs: number;
  };
  readonly proof: WithdrawalProof;
  /** Requesting key. */
  readonly key: {
    /** Has the withdraw permission and is neither suspended, revoked nor expired. */
    readonly isGranted: boolean;
    /** Restricted to listed IP addresses. */
    readonly hasAddressList: boolean;
    readonly isBookOnly: boolean;
  } | null;
  /** Requesting session; null for a key. */
  readonly session: {
    /** When its device was first seen; null if unknown. */
    readonly deviceSinceMs: number | null;
    /** Two letters; '' if unknown. */
    readonly country: string;
    /** Countries of earlier logins, excluding recent ones. */
    readonly knownCountries: readonly string[];
  } | null;
  /** As currently described by operators; null if not described. */
  readonly coin: {
    readonly isOpen: boolean;
    readonly isFiat: boolean;
    /** Whether the requested network exists, or none is needed. */
    readonly hasNetwork: boolean;
    readonly isNetworkOpen: boolean;
    /** Decimals; null for no limit. A `max` of 0 also means no limit. */
    readonly min: string | null;
    readonly max: string | null;
  } | null;
  readonly network: string | null;
  readonly address: {
    readonly isValid: boolean;
    /** A deposit address of the same family. */
    readonly isOwn: boolean;
    /** When its address book entry becomes active; null if it has none. */
    readonly bookActiveMs: number | null;
    /** The family paid this address before; recent payments do not count. */
    readonly isKnown: boolean;
  };
  readonly requested: CurrencyAmount;
  readonly fee: CurrencyAmount;
  readonly limit: WithdrawalLimit | null;
  /** Currencies with their own limit. */
  readonly ownLimits: readonly string[];
  /** The family's earlier withdrawals, completed or in progress, by currency. */
  readonly withinDay: readonly CurrencyAmount[];
  readonly withinMonth: readonly CurrencyAmount[];
  /** The family's earlier requests that have not ended. */
  readonly openBefore: number;
  /** The family's earlier requests within an hour. */
  readonly countWithinHour: number;
  /** All users' earlier withdrawals to the same address within a day. */
  readonly toAddressWithinDay: readonly CurrencyAmount[];
  /** All users' earlier withdrawals within an hour. */
  readonly outflowWithinHour: readonly CurrencyAmount[];
  /** All users' earlier withdrawals in the requested currency within a day. */
  readonly outflowWithinDay: readonly CurrencyAmount[];
  /** Maximum that leaves without a review, in units of the currency; null for no limit. */
  readonly ceiling: WithdrawalCeiling | null;
  /** The family's recent deposits. */
  readonly freshFunds: readonly CurrencyAmount[];
  /** Available in the requested currency before the request; null if unknown. */
  readonly balanceAtoms: string | null;
  /** How well it fits its owner, for the surveillance rules that require a review. */
  readonly signs: WithdrawalSigns;
  readonly watched: WithdrawalRules;
  /** Price of one unit of each currency in the limit's currency. */
  readonly prices: Prices;
  /** Price of one unit of each currency in the currency of the settings. */
  readonly values: Prices;
  readonly screening: 'pass' | 'hold' | 'refuse';
  /** Including the currency of the thresholds. */
  readonly settings: PolicySettings;
}

export type PolicyRule = (typeof RULES)[number]['rule'] | typeof OF_REVIEWS;
/** Rules that reject; the others require reviews. */
export type RefusingRule =
  | Extract<(typeof RULES)[number], { weight: 'refuse' }>['rule']
  | typeof OF_REVIEWS;
export type Told = 'reason' | 'end_time' | 'under_review' | 'contact_support';
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

export interface PolicyLine {
  readonly rule: PolicyRule;
  readonly result: 'pass' | 'review' | 'refuse';
  /** Number of approvals required by this line. */
  readonly reviews: 0 | 1 | 2;
  /** For operators. `untilMs` is when a temporary rejection ends. */
  readonly facts: Facts;
  /** The part that the user can see if it does not pass. */
  readonly tellUser: Told;
}

type PolicyVerdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'review'; readonly reviews: 1 | 2 }
  /** Rejected by the first rejecting line. */
  | { readonly kind: 'refuse'; readonly rule: RefusingRule };

export interface PolicyDecision {
  readonly verdict: PolicyVerdict;
  /** One per rule, in order. */
  readonly lines: readonly PolicyLine[];
}

/** Runs all rules. Rejections win; otherwise the maximum number of reviews counts. */
export function withdrawalPolicy(input: PolicyInput): PolicyDecision {
  const lines = RULES.map(({ check, rule, tellUser, weight }): PolicyLine => {
    const { facts, passes } = check(input);
    const result = passes ? 'pass' : weight === 'refuse' ? 'refuse' : 'review';
    const reviews = passes || weight === 'refuse' ? 0 : weight;
    return { rule, result, reviews, facts, tellUser };
  });
  const all = [...lines, lineOfReviews(input, lines)];
  return { verdict: verdictOf(all), lines: all };
}

/** A transfer by email executes immediately and cannot be reviewed, so it is rejected instead. */
function lineOfReviews({ network }: PolicyInput, lines: readonly PolicyLine[]): PolicyLine {
  const reviews = mostReviews(lines);
  const result = network === EMAIL_NETWORK && reviews > 0 ? 'refuse' : 'pass';
  return { rule: OF_REVIEWS, result, reviews: 0, facts: { reviews }, tellUser: 'reason' };
}

function verdictOf(lines: readonly PolicyLine[]): PolicyVerdict {
  const refusal = lines.find(({ result }) => result === 'refuse');
  if (refusal !== undefined) return { kind: 'refuse', rule: refusal.rule as RefusingRule };
  const reviews = mostReviews(lines);
  return reviews === 0 ? { kind: 'allow' } : { kind: 'review', reviews };
}

function mostReviews(lines: readonly PolicyLine[]): 0 | 1 | 2 {
  return Math.max(...lines.map((line) => line.reviews)) as 0 | 1 | 2;
}

/** Returns 0 if no approval is needed. */
export function reviewsOf(verdict: PolicyVerdict): 0 | 1 | 2 {
  return verdict.kind === 'review' ? verdict.reviews : 0;
}

export interface ToldLine {
  readonly rule: PolicyRule | 'under_review' | 'contact_support';
  readonly result: 'review' | 'refuse';
  /** When a temporary rejection ends. */
  readonly untilMs?: number;
}

/** Returns the user's view of the lines, without anything that would help a thief to pass. */
export function toldLines(lines: readonly PolicyLine[]): readonly ToldLine[] {
  const told = new Map<string, ToldLine>();
  for (const { facts, result, rule, tellUser } of lines) {
    if (result === 'pass') continue;
    const name = tellUser === 'under_review' || tellUser === 'contact_support' ? tellUser : rule;
    const { untilMs } = facts;
    const end = tellUser === 'end_time' && typeof untilMs === 'number' ? { untilMs } : {};
    told.set(name, { rule: name, result, ...end });
  }
  return [...told.values()];
}

interface Check {
  readonly passes: boolean;
  readonly facts: Facts;
}

const LEVEL_MIN = 1;
/** Withdrawals to a bank account. */
export const FIAT_NETWORK = 'fiat';
/** Rule about the reviews required by the other rules. */
const OF_REVIEWS = 'transfer_needs_review';

// biome-ignore format: a table
const RULES = [
  { rule: 'account_active', weight: 'refuse', tellUser: 'reason', check: isAccountActive },
  { rule: 'not_sub_account', weight: 'refuse', tellUser: 'reason', check: isNoSubAccount },
  { rule: 'level', weight: 'refuse', tellUser: 'reason', check: isLevelEnough },
  { rule: 'factor_proven', weight: 'refuse', tellUser: 'reason', check: isProven },
  { rule: 'credential_hold', weight: 'refuse', tellUser: 'end_time', check: isNotHeld },
  { rule: 'asset_open', weight: 'refuse', tellUser: 'reason', check: isAssetOpen },
  { rule: 'network', weight: 'refuse', tellUser: 'reason', check: isNetworkOpen },
  { rule: 'fiat_to_bank', weight: 'refuse', tellUser: 'reason', check: isFiatToBank },
  { rule: 'address', weight: 'refuse', tellUser: 'reason', check: isAddressValid },
  { rule: 'own_deposit_address', weight: 'refuse', tellUser: 'reason', check: isNotOwnAddress },
  { rule: 'book_only', weight: 'refuse', tellUser: 'reason', check: isInBook },
  { rule: 'address_not_active', weight: 'refuse', tellUser: 'end_time', check: isBookEntryActive },
  { rule: 'min_max', weight: 'refuse', tellUser: 'reason', check: isWithinBounds },
  { rule: 'no_limit_set', weight: 'refuse', tellUser: 'reason', check: hasLimit },
  { rule: 'limit_is_off', weight: 'refuse', tellUser: 'reason', check: isLimitOn },
  { rule: 'price_missing', weight: 'refuse', tellUser: 'reason', check: hasPrices },
  { rule: 'day_limit', weight: 'refuse', tellUser: 'reason', check: isWithinDayLimit },
  { rule: 'month_limit', weight: 'refuse', tellUser: 'reason', check: isWithinMonthLimit },
  { rule: 'open_requests', weight: 'refuse', tellUser: 'reason', check: areFewOpen },
  { rule: 'screening_refuse', weight: 'refuse', tellUser: 'contact_support', check: isNotRefused },
  { rule: 'new_address_large', weight: 1, tellUser: 'under_review', check: isKnownOrSmall },
  { rule: 'new_device', weight: 1, tellUser: 'under_review', check: isDeviceKnown },
  { rule: 'new_country', weight: 1, tellUser: 'under_review', check: isCountryKnown },
  { rule: 'unusual_withdrawal', weight: 1, tellUser: 'under_review', check: isUsual },
  { rule: 'velocity', weight: 1, tellUser: 'under_review', check: isSlow },
  { rule: 'fresh_funds', weight: 1, tellUser: 'under_review', check: areFundsOld },
  { rule: 'size_t1', weight: 1, tellUser: 'under_review', check: isBelowFirstSize },
  { rule: 'size_t2', weight: 2, tellUser: 'under_review', check: isBelowSecondSize },
  { rule: 'outflow_cap', weight: 2, tellUser: 'under_review', check: isWithinOutflow },
  { rule: 'asset_ceiling', weight: 2, tellUser: 'under_review', check: isWithinCeiling },
  { rule: 'screening_hold', weight: 2, tellUser: 'under_review', check: isNotHeldByScreening },
] as const satisfies readonly {
  readonly rule: string;
  readonly weight: 'refuse' | 1 | 2;
  readonly tellUser: Told;
  readonly check: (input: PolicyInput) => Check;
}[];

function isAccountActive({ account: { isStateNewer, state } }: PolicyInput): Check {
  return { passes: state === 'active' && !isStateNewer, facts: { state, isStateNewer } };
}

function isNoSubAccount({ account: { kind } }: PolicyInput): Check {
  return { passes: kind !== 'sub' && kind !== 'virtual', facts: { kind } };
}

function isLevelEnough({ account: { verificationLevel: level } }: PolicyInput): Check {
  return { passes: level >= LEVEL_MIN, facts: { level, min: LEVEL_MIN } };
}

/**
 * A key's grant is its factor, because granting it needed the second factor and an emailed code.
 * The key must still have it when the policy runs again.
 */
function isProven({ key, proof }: PolicyInput): Check {
  const isGranted = key?.isGranted === true;
  const isByKey = proof === 'key' || (proof === 'earlier' && key !== null);
  const passes = isByKey ? isGranted : proof !== 'none';
  return { passes, facts: { proof, ...(isByKey && { isGranted }) } };
}

function isNotHeld({ account: { blockedUntilMs: untilMs }, nowMs }: PolicyInput): Check {
  return { passes: untilMs <= nowMs, facts: { untilMs } };
}

function isAssetOpen({ coin, requested: { currency } }: PolicyInput): Check {
  return { passes: coin?.isOpen === true, facts: { currency } };
}

function isNetworkOpen({ coin, network }: PolicyInput): Check {
  return { passes: coin?.hasNetwork === true && coin.isNetworkOpen, facts: { network } };
}

/** Fiat can go only to a bank account, and no other coin can. Both can go to another user. */
function isFiatToBank({ coin, network }: PolicyInput): Check {
  const isFiat = coin?.isFiat === true;
  const passes = network === EMAIL_NETWORK || isFiat === (network === FIAT_NETWORK);
  return { passes, facts: { isFiat, network } };
}

function isAddressValid({ address: { isValid } }: PolicyInput): Check {
  return { passes: isValid, facts: { isValid } };
}

function isNotOwnAddress({ address: { isOwn } }: PolicyInput): Check {
  return { passes: !isOwn, facts: { isOwn } };
}

function isInBook(input: PolicyInput): Check {
  const isRequired = isBookRequired(input);
  const isEntry = input.address.bookActiveMs !== null;
  return { passes: !isRequired || isEntry, facts: { isRequired, isEntry } };
}

function isBookEntryActive(input: PolicyInput): Check {
  const isRequired = isBookRequired(input);
  const untilMs = input.address.bookActiveMs ?? 0;
  return { passes: !isRequired || untilMs <= input.nowMs, facts: { isRequired, untilMs } };
}

/**
 * A key needs an address list or the book. A bank account is not in the book, because an operator
 * verified it.
 */
function isBookRequired({ account, key, network }: PolicyInput): boolean {
  if (network === FIAT_NETWORK) return false;
  return account.isBookOnly || (key !== null && (key.isBookOnly || !key.hasAddressList));
}

function isWithinBounds({ coin, requested }: PolicyInput): Check {
  const amount = decimalOfAmount(requested);
  const [min, max] = [coin?.min ?? '0', coin?.max ?? '0'];
  const isEnough = amount.mantissa > 0n && compareDecimals(amount, parseDecimal(min)) >= 0;
  const isUnbounded = parseDecimal(max).mantissa === 0n;
  const passes = isEnough && (isUnbounded || compareDecimals(amount, parseDecimal(max)) <= 0);
  return { passes, facts: { amount: decimalText(amount), min, max } };
}

function hasLimit({ limit }: PolicyInput): Check {
  return { passes: limit !== null, facts: { limit: limit?.limitCurrency ?? null } };
}

function isLimitOn({ limit }: PolicyInput): Check {
  const isOff = limit !== null && [limit.amount, limit.monthlyAmount].some(isBelowZero);
  return { passes: !isOff, facts: {} };
}

/** Only an applicable limit needs prices. */
function hasPrices(input: PolicyInput): Check {
  const { limit, prices } = input;
  if (limit === null || [limit.amount, limit.monthlyAmount].every(isUnlimited)) {
    return { passes: true, facts: { missing: '' } };
  }
  const missing = countedFor(input, [...input.withinMonth, ...input.withinDay])
    .map(({ currency }) => currency)
    .filter((currency) => priceOf(currency, limit.currency, prices) === undefined);
  return { passes: missing.length === 0, facts: { missing: [...new Set(missing)].join(' ') } };
}

function isWithinDayLimit(input: PolicyInput): Check {
  return isWithinLimit(input, input.limit?.amount, input.withinDay);
}

function isWithinMonthLimit(input: PolicyInput): Check {
  return isWithinLimit(input, input.limit?.monthlyAmount, input.withinMonth);
}

function isWithinLimit(
  input: PolicyInput,
  max: string | undefined,
  before: readonly CurrencyAmount[],
): Check {
  const { limit, prices } = input;
  if (limit === null || max === undefined || isUnlimited(max) || isBelowZero(max)) {
    return { passes: true, facts: { max: max ?? null } };
  }
  const sum = totalOf(countedFor(input, before), limit.currency, prices);
  const facts = { max, currency: limit.currency, sum: sum === undefined ? null : decimalText(sum) };
  return { passes: sum === undefined || compareDecimals(sum, parseDecimal(max)) <= 0, facts };
}

/** Amounts in the currencies that share the request's limit, including the request itself. */
function countedFor(
  { limit, ownLimits, requested }: PolicyInput,
  before: readonly CurrencyAmount[],
): readonly CurrencyAmount[] {
  const isShared = ({ currency }: CurrencyAmount) =>
    limit?.limitCurrency === 'default'
      ? !ownLimits.includes(currency)
      : currency === requested.currency;
  return [...before.filter(isShared), requested];
}

/** The engine has limited room for all users' withdrawals. */
function areFewOpen({ openBefore, settings: { openMax: max } }: PolicyInput): Check {
  const count = openBefore + 1;
  return { passes: count <= max, facts: { count, max } };
}

function isKnownOrSmall(input: PolicyInput): Check {
  const { address, nowMs, settings } = input;
  const isInBook = address.bookActiveMs !== null && address.bookActiveMs <= nowMs;
  const isKnown = address.isKnown || isInBook;
  const { isBelow, value } = compareValue(input, input.toAddressWithinDay, settings.newAddressFrom);
  return { passes: isKnown || isBelow, facts: { isKnown, value, from: settings.newAddressFrom } };
}

/** Everything is new to a new account. */
function isDeviceKnown({ account, nowMs, session, settings }: PolicyInput): Check {
  const newSinceMs = nowMs - settings.newForHours * HOUR_MS;
  const sinceMs = session?.deviceSinceMs ?? null;
  const isNew = sinceMs !== null && sinceMs > newSinceMs && account.createdMs <= newSinceMs;
  return { passes: !isNew, facts: { sinceMs } };
}

/** Country of the requesting session and of every recent login, because a key has no country. */
function isCountryKnown({ session, signs, watched }: PolicyInput): Check {
  const { country = '', knownCountries = [] } = session ?? {};
  const isNew = country !== '' && knownCountries.length > 0 && !knownCountries.includes(country);
  const login = watched.newCountry === null ? null : signs.newCountryLogin;
  const facts = { country, known: knownCountries.join(' '), login };
  return { passes: !isNew && login === null, facts };
}

/** Uses the rules of surveillance. */
function isUsual(input: PolicyInput): Check {
  const { settings, watched } = input;
  if (watched.unusual === null) return { passes: true, facts: {} };
  const judged = judgeSize({ ...input, currency: settings.currency }, watched.unusual);
  const { isEmptying, isLarge, isUnusual, percent, timesPercent, value } = judged;
  return { passes: !isUnusual, facts: { isLarge, isEmptying, timesPercent, percent, value } };
}

function isSlow({ countWithinHour, settings: { perHourMax: max } }: PolicyInput): Check {
  const count = countWithinHour + 1;
  return { passes: count <= max, facts: { count, max } };
}

function areFundsOld(input: PolicyInput): Check {
  const { freshFunds, settings, values } = input;
  const received = totalOf(freshFunds, settings.currency, values);
  const isBelow = isLess(received, settings.freshFundsFrom);
  const passes = freshFunds.length === 0 || isBelow;
  return { passes, facts: { value: textOf(received), from: settings.freshFundsFrom } };
}

function isBelowFirstSize(input: PolicyInput): Check {
  return isBelowSize(input, input.settings.oneReviewFrom);
}

function isBelowSecondSize(input: PolicyInput): Check {
  return isBelowSize(input, input.settings.twoReviewsFrom);
}

/** Rolling totals for the family and for the address, so splitting does not help. */
function isBelowSize(input: PolicyInput, from: string): Check {
  const ofFamily = compareValue(input, input.withinDay, from);
  const toAddress = compareValue(input, input.toAddressWithinDay, from);
  const facts = { value: ofFamily.value, toAddress: toAddress.value, from };
  return { passes: ofFamily.isBelow && toAddress.isBelow, facts };
}

/** Includes the request. Without a price the value is above every threshold. */
function compareValue(
  { requested, settings, values }: PolicyInput,
  before: readonly CurrencyAmount[],
  from: string,
): { readonly isBelow: boolean; readonly value: string | null } {
  const value = totalOf([...before, requested], settings.currency, values);
  return { isBelow: isLess(value, from), value: textOf(value) };
}

/**
 * Ignores amounts without a price, because one unpriced coin would block all users. Its own
 * withdrawals are reviewed for their size.
 */
function isWithinOutflow(input: PolicyInput): Check {
  const { outflowWithinHour, requested, settings, values } = input;
  const { currency, outflowPerHourMax: max } = settings;
  const priced = [...outflowWithinHour, requested].filter(
    (amount) => priceOf(amount.currency, currency, values) !== undefined,
  );
  const value = totalOf(priced, currency, values);
  const passes = value !== undefined && compareDecimals(value, parseDecimal(max)) <= 0;
  return { passes, facts: { value: textOf(value), max } };
}

/** Uses units of the currency itself, so it needs no prices. */
function isWithinCeiling(input: PolicyInput): Check {
  const { ceiling, network, outflowWithinDay, outflowWithinHour, requested } = input;
  const { currency } = requested;
  if (ceiling === null || network === EMAIL_NETWORK) return { passes: true, facts: { currency } };
  const sumWith = (before: readonly CurrencyAmount[]) =>
    totalOf([...before.filter((one) => one.currency === currency), requested], currency, {});
  const [hour, day] = [sumWith(outflowWithinHour), sumWith(outflowWithinDay)];
  const isBelow = (sum: Decimal | undefined, max: string | null) =>
    max === null || (sum !== undefined && compareDecimals(sum, parseDecimal(max)) <= 0);
  const passes = isBelow(hour, ceiling.hourly) && isBelow(day, ceiling.daily);
  return { passes, facts: { currency, hour: textOf(hour), day: textOf(day), ...ceiling } };
}

function isNotHeldByScreening({ screening }: PolicyInput): Check {
  return { passes: screening !== 'hold', facts: { screening } };
}

function isNotRefused({ screening }: PolicyInput): Check {
  return { passes: screening !== 'refuse', facts: { screening } };
}

function isLess(value: Decimal | undefined, from: string): boolean {
  return value !== undefined && compareDecimals(value, parseDecimal(from)) < 0;
}

function textOf(value: Decimal | undefined): string | null {
  return value === undefined ? null : decimalText(value);
}

function decimalOfAmount({ atoms, scale }: CurrencyAmount): Decimal {
  return { mantissa: BigInt(atoms), scale };
}

function isUnlimited(limit: string): boolean {
  return parseDecimal(limit).mantissa === 0n;
}

function isBelowZero(limit: string): boolean {
  return parseDecimal(limit).mantissa < 0n;
}
