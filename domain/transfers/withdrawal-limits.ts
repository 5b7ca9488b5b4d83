// Whether a user may withdraw now: holds and limits, as a pure function of the input stored with
// the request, so that the verdict can be reproduced from the row. Does not check the balance: the
// engine's hold does.

export type WithdrawalRefusal =
  | 'user_must_exist'
  | 'account_is_deactivated'
  | 'verification_level_too_low'
  | 'withdrawals_are_blocked'
  /** The key or the account withdraws only to the address book. */
  | 'address_must_be_in_book'
  | 'amount_must_be_positive'
  /** No row of limits covers the user's tier and the currency. */
  | 'no_limit_is_set'
  | 'withdrawals_are_disabled'
  /** A limit over several currencies needs a price for each. */
  | 'price_is_missing'
  | 'day_limit_exceeded'
  | 'month_limit_exceeded';

export interface CurrencyAmount {
  readonly currency: string;
  /** A string, as in every JSON of the registry. */
  readonly atoms: string;
  readonly scale: number;
}

export interface WithdrawalLimit {
  /** The limited currency; 'default' for all currencies without a limit of their own. */
  readonly limitCurrency: string;
  /** The currency of the two amounts: decimals, 0 for unlimited, -1 for disabled. */
  readonly currency: string;
  readonly amount: string;
  readonly monthlyAmount: string;
}

/** Plain data: stored as JSON with the request. */
export interface VerdictInput {
  readonly nowMs: number;
  readonly isActivated: boolean;
  readonly verificationLevel: number;
  /** 0 for no hold. */
  readonly blockedUntilMs: number;
  /**
   * Only addresses of the address book are allowed. There is no address book yet, so none is.
   * Absent in older rows.
   */
  readonly isBookOnly?: boolean;
  readonly requested: CurrencyAmount;
  readonly limit: WithdrawalLimit | null;
  /** Amounts that already count towards the limit, by currency. */
  readonly withinDay: readonly CurrencyAmount[];
  readonly withinMonth: readonly CurrencyAmount[];
  /** The price of one unit of each currency in the limit's currency, as decimals. */
  readonly prices: Readonly<Record<string, string>>;
}

const LEVEL_MIN = 1;

export function withdrawalVerdict(input: VerdictInput): 'allowed' | WithdrawalRefusal {
  const { limit, requested } = input;
  if (!input.isActivated) return 'account_is_deactivated';
  if (input.verificationLevel < LEVEL_MIN) return 'verification_level_too_low';
  if (input.blockedUntilMs > input.nowMs) return 'withdrawals_are_blocked';
  if (input.isBookOnly === true) return 'address_must_be_in_book';
  if (BigInt(requested.atoms) <= 0n) return 'amount_must_be_positive';
  if (limit === null) return 'no_limit_is_set';
  const day = decimalOf(limit.amount);
  const month = decimalOf(limit.monthlyAmount);
  if (day.mantissa < 0n || month.mantissa < 0n) return 'withdrawals_are_disabled';
  for (const [most, before, refusal] of [
    [day, input.withinDay, 'day_limit_exceeded'],
    [month, input.withinMonth, 'month_limit_exceeded'],
  ] as const) {
    if (most.mantissa === 0n) continue;
    const sum = valueIn([...before, requested], limit.currency, input.prices);
    if (sum === undefined) return 'price_is_missing';
    if (isMore(sum, most)) return refusal;
  }
  return 'allowed';
}

/** Exactly mantissa × 10^-scale. */
interface Decimal {
  readonly mantissa: bigint;
  readonly scale: number;
}

const ONE: Decimal = { mantissa: 1n, scale: 0 };
const ZERO: Decimal = { mantissa: 0n, scale: 0 };

/** Undefined if a price is missing. */
function valueIn(
  amounts: readonly CurrencyAmount[],
  inCurrency: string,
  prices: VerdictInput['prices'],
): Decimal | undefined {
  let sum = ZERO;
  for (const { atoms, currency, scale } of amounts) {
    const isKnown = currency === inCurrency || Object.hasOwn(prices, currency);
    if (!isKnown) return undefined;
    const price = currency === inCurrency ? ONE : decimalOf(prices[currency]);
    // A price of zero would exempt any amount.
    if (price.mantissa <= 0n) return undefined;
    sum = plus(sum, { mantissa: BigInt(atoms) * price.mantissa, scale: scale + price.scale });
  }
  return sum;
}

function plus(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { mantissa: atScale(one, scale) + atScale(other, scale), scale };
}

function isMore(one: Decimal, other: Decimal): boolean {
  const scale = Math.max(one.scale, other.scale);
  return atScale(one, scale) > atScale(other, scale);
}

function atScale({ mantissa, scale }: Decimal, wanted: number): bigint {
  return mantissa * 10n ** BigInt(wanted - scale);
}

// NOTE: limits and prices are operators' decimals of any size and precision, as PostgreSQL prints
// them. They are only compared, and never become amounts, which are atoms.
function decimalOf(text: string): Decimal {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`expected a decimal, got '${text}'`);
  return { mantissa: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}
