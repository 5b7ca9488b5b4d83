// Whether a user may withdraw now, and how many operators must approve it: a pure function of the
// input stored with the request, so that every decision can be reproduced and explained line by
// line. Does not check the balance: the engine's hold does.

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
  /** The limited currency; 'default' for all currencies without a limit of their own. */
  readonly limitCurrency: string;
  /** The currency of the two amounts: decimals, 0 for unlimited, -1 for disabled. */
  readonly currency: string;
  readonly amount: string;
  readonly monthlyAmount: string;
}

/** How it was authorised. `key`: by an API key that may withdraw. `earlier`: when it was stored. */
export type WithdrawalProof = 'second_factor' | 'key' | 'earlier' | 'none';

/** Plain data: stored as JSON with the request. */
export interface PolicyInput {
  readonly nowMs: number;
  readonly account: {
    readonly state: string;
    /** The state began after the request was made: the account may have been frozen between. */
    readonly isStateNewer: boolean;
    readonly kind: AccountKind;
    readonly verificationLevel: number;
    /** 0 for no hold. */
    readonly blockedUntilMs: number;
    readonly isBookOnly: boolean;
    readonly createdMs: number;
  };
  readonly proof: WithdrawalProof;
  /** The key that asked. */
  readonly key: {
    /** It may withdraw, and is neither suspended, revoked nor expired. */
    readonly isGranted: boolean;
    /** It works only from listed IP addresses. */
    readonly hasAddressList: boolean;
    readonly isBookOnly: boolean;
  } | null;
  /** The session that asked; null for a key. */
  readonly session: {
    /** When its device was first seen; null if unknown. */
    readonly deviceSinceMs: number | null;
    /** Two letters; '' if unknown. */
    readonly country: string;
    /** Countries of earlier logins, without recent ones. */
    readonly knownCountries: readonly string[];
  } | null;
  /** As operators describe it now; null if it is not described. */
  readonly coin: {
    readonly isOpen: boolean;
    readonly isFiat: boolean;
    /** Whether the requested network exists, or none is needed. */
    readonly hasNetwork: boolean;
    readonly isNetworkOpen: boolean;
    /** Decimals; null for no bound, as is a `max` of 0. */
    readonly min: string | null;
    readonly max: string | null;
  } | null;
  readonly network: string | null;
  readonly address: {
    readonly isValid: boolean;
    /** A deposit address of the same family. */
    readonly isOwn: boolean;
    /** When its entry in the address book is active; null if it has none. */
    readonly bookActiveMs: number | null;
    /** The family was paid there before; recent payments do not count. */
    readonly isKnown: boolean;
  };
  readonly requested: CurrencyAmount;
  readonly fee: CurrencyAmount;
  readonly limit: WithdrawalLimit | null;
  /** Currencies with a limit of their own. */
  readonly ownLimits: readonly string[];
  /** Withdrawals of the family, completed or under way, before this request: by currency. */
  readonly withinDay: readonly CurrencyAmount[];
  readonly withinMonth: readonly CurrencyAmount[];
  /** Requests of the family that have not ended, before this one. */
  readonly openBefore: number;
  /** Requests of the family within an hour, before this one. */
  readonly countWithinHour: number;
  /** Withdrawals of all users to the same address within a day, before this request. */
  readonly toAddressWithinDay: readonly CurrencyAmount[];
  /** Withdrawals of all users within an hour, before this request. */
  readonly outflowWithinHour: readonly CurrencyAmount[];
  /** The same of the requested currency, within a day. */
  readonly outflowWithinDay: readonly CurrencyAmount[];
  /** The most of the currency that leaves without a review, in units of it; null for no bound. */
  readonly ceiling: WithdrawalCeiling | null;
  /** Recent deposits of the family. */
  readonly freshFunds: readonly CurrencyAmount[];
  /** Available in the requested currency before the request; null if it is not known. */
  readonly balanceAtoms: string | null;
  /** How it fits its owner, for the rules of surveillance that ask for a review. */
  readonly signs: WithdrawalSigns;
  readonly watched: WithdrawalRules;
  /** The price of one unit of each currency in the limit's currency. */
  readonly prices: Prices;
  /** The same in the currency of the settings. */
  readonly values: Prices;
  readonly screening: 'pass' | 'hold' | 'refuse';
  /** With the currency that counts. */
  readonly settings: PolicySettings;
}

export type PolicyRule = (typeof RULES)[number]['rule'] | typeof OF_REVIEWS;
/** The rules that refuse; the others ask for reviews. */
export type RefusingRule =
  | Extract<(typeof RULES)[number], { weight: 'refuse' }>['rule']
  | typeof OF_REVIEWS;
export type Told = 'reason' | 'end_time' | 'under_review' | 'contact_support';
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

export interface PolicyLine {
  readonly rule: PolicyRule;
  readonly result: 'pass' | 'review' | 'refuse';
  /** How many operators must approve it because of this line. */
  readonly reviews: 0 | 1 | 2;
  /** For operators. `untilMs` is the end of a refusal that ends by itself. */
  readonly facts: Facts;
  /** The part that its user may know if it does not pass. */
  readonly tellUser: Told;
}

type PolicyVerdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'review'; readonly reviews: 1 | 2 }
  /** By the first line that refuses. */
  | { readonly kind: 'refuse'; readonly rule: RefusingRule };

export interface PolicyDecision {
  readonly verdict: PolicyVerdict;
  /** One for each rule, in order. */
  readonly lines: readonly PolicyLine[];
}

/** All rules run. Refusals win; otherwise the largest number of reviews counts. */
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

/** A transfer by e-mail is executed at once, so nobody could review it: it is refused instead. */
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

/** 0 if nobody must approve it. */
export function reviewsOf(verdict: PolicyVerdict): 0 | 1 | 2 {
  return verdict.kind === 'review' ? verdict.reviews : 0;
}

export interface ToldLine {
  readonly rule: PolicyRule | 'under_review' | 'contact_support';
  readonly result: 'review' | 'refuse';
  /** When the refusal ends by itself. */
  readonly untilMs?: number;
}

/** The user's view of the lines: nothing that would help a thief to pass. */
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
/** The rule about the reviews that the other rules ask for. */
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
 * The grant of a key is its factor: it needed the second factor and a code by mail. The key must
 * still have it when the policy runs again.
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

/** Fiat goes to a bank account, nothing else does; both may go to another user. */
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
 * A key needs an address list or the book. A bank account is not in the book: an operator has
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

/** Only a limit that counts needs prices. */
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

/** With the request itself: the amounts of the currencies that share its limit. */
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

/** The engine has room for so many withdrawals of all users. */
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

/** Of the session that asks, and of every recent login: a key asks from nowhere. */
function isCountryKnown({ session, signs, watched }: PolicyInput): Check {
  const { country = '', knownCountries = [] } = session ?? {};
  const isNew = country !== '' && knownCountries.length > 0 && !knownCountries.includes(country);
  const login = watched.newCountry === null ? null : signs.newCountryLogin;
  const facts = { country, known: knownCountries.join(' '), login };
  return { passes: !isNew && login === null, facts };
}

/** As surveillance judges it. */
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

/** Rolling sums, so that splitting does not help: of the family, and to the address. */
function isBelowSize(input: PolicyInput, from: string): Check {
  const ofFamily = compareValue(input, input.withinDay, from);
  const toAddress = compareValue(input, input.toAddressWithinDay, from);
  const facts = { value: ofFamily.value, toAddress: toAddress.value, from };
  return { passes: ofFamily.isBelow && toAddress.isBelow, facts };
}

/** With the request. Without a price the value is above every threshold. */
function compareValue(
  { requested, settings, values }: PolicyInput,
  before: readonly CurrencyAmount[],
  from: string,
): { readonly isBelow: boolean; readonly value: string | null } {
  const value = totalOf([...before, requested], settings.currency, values);
  return { isBelow: isLess(value, from), value: textOf(value) };
}

/**
 * Amounts without a price are left out: one coin without a price would hold up everybody. Its own
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

/** Without prices: in units of the currency itself. */
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
