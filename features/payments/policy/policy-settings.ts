// Thresholds of the withdrawal policy: defaults here, the operator's values in one row. Never shown
// to users, because they would tell a thief how much to take.

import { type Statements, upsert } from '../../../infra/postgres/index.ts';

export interface PolicySettings {
  /** Currency of the values below, and of the thresholds for operator actions. */
  readonly currency: string;
  /**
   * Value of a family's withdrawals, or of those to one address, in 24 hours that needs one review.
   */
  readonly oneReviewFrom: string;
  /** Value that needs two reviews. */
  readonly twoReviewsFrom: string;
  /**
   * Value of withdrawals in 24 hours to one address that needs a review, unless the family paid the
   * address earlier or has it in its address book.
   */
  readonly newAddressFrom: string;
  /** Value of recent deposits from which a withdrawal needs a review. */
  readonly freshFundsFrom: string;
  /** Hours for which a deposit is recent. */
  readonly freshFundsHours: number;
  /** Hours for which a device, a country or a paid address is new. */
  readonly newForHours: number;
  /** Maximum open requests per account family. */
  readonly openMax: number;
  /** Requests per account family and hour above which a review is needed. */
  readonly perHourMax: number;
  /** Value leaving the exchange per hour above which two reviews are needed. */
  readonly outflowPerHourMax: string;
}

export const DEFAULT_POLICY_SETTINGS: PolicySettings = {
  currency: 'usdt',
  oneReviewFrom: '10000',
  twoReviewsFrom: '100000',
  newAddressFrom: '1000',
  freshFundsFrom: '1000',
  freshFundsHours: 1,
  newForHours: 24,
  openMax: 20,
  perHourMax: 10,
  outflowPerHourMax: '1000000',
};

const DECIMAL = /^(?:0|[1-9]\d{0,29})(?:\.\d{1,18})?$/;
const CURRENCY = /^[a-z0-9]{1,15}$/;

export async function readPolicySettings(statements: Statements): Promise<PolicySettings> {
  const { rows } = await statements.query(
    `select c.currency, s.content
     from exchange_control c left join withdrawal_policy_settings s on true`,
  );
  const [{ content, currency }] = rows;
  return { ...DEFAULT_POLICY_SETTINGS, ...content, currency };
}

/** Returns the currency of all thresholds. The kit's native currency is for display only. */
export async function readPolicyCurrency(statements: Statements): Promise<string> {
  const { rows } = await statements.query('select currency from exchange_control');
  return rows[0].currency;
}

/** Replaces these values and keeps the others. Throws RangeError if a value is invalid. */
export async function describePolicySettings(
  statements: Statements,
  change: Partial<PolicySettings>,
): Promise<void> {
  const settings = { ...(await readPolicySettings(statements)), ...change };
  for (const [name, value] of Object.entries(settings)) {
    if (!isValid(name, value)) throw new RangeError(`invalid ${name}: ${value}`);
  }
  const { currency, ...content } = settings;
  await upsert(statements, {
    table: 'withdrawal_policy_settings',
    key: { is_only: true },
    values: { content: JSON.stringify(content) },
  });
  if (change.currency !== undefined) {
    await statements.query('update exchange_control set currency = $1, updated_at = now()', [
      currency,
    ]);
  }
}

function isValid(name: string, value: unknown): boolean {
  if (!Object.hasOwn(DEFAULT_POLICY_SETTINGS, name)) return false;
  if (name === 'currency') return typeof value === 'string' && CURRENCY.test(value);
  const usual = DEFAULT_POLICY_SETTINGS[name as keyof PolicySettings];
  if (typeof usual === 'number') return Number.isSafeInteger(value) && (value as number) >= 0;
  return typeof value === 'string' && DECIMAL.test(value);
}
