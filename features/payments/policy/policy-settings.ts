// The thresholds of the withdrawal policy: defaults here, the operator's own values in one row.
// Users never see them: they would tell a thief how much to take.

import { type Statements, upsert } from '../../../infra/postgres/index.ts';

export interface PolicySettings {
  /** Of the values below, and of the thresholds of operators' acts. */
  readonly currency: string;
  /** Withdrawals of a family, or to one address, worth this much in 24 hours need one review. */
  readonly oneReviewFrom: string;
  /** And from here two. */
  readonly twoReviewsFrom: string;
  /** An address that was never paid and is not in the address book needs a review from here. */
  readonly newAddressFrom: string;
  /** A withdrawal needs a review if recent deposits are worth this much. */
  readonly freshFundsFrom: string;
  /** How long a deposit is recent. */
  readonly freshFundsHours: number;
  /** How long a device, a country or a paid address is new. */
  readonly newForHours: number;
  /** No more requests of one family are open at once. */
  readonly openMax: number;
  /** More requests of one family within an hour need a review. */
  readonly perHourMax: number;
  /** More value that leaves the exchange within an hour needs two reviews. */
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

/** The currency of all thresholds. The kit's native currency is only for display. */
export async function readPolicyCurrency(statements: Statements): Promise<string> {
  const { rows } = await statements.query('select currency from exchange_control');
  return rows[0].currency;
}

/** Replaces these values; others stay. Throws RangeError if a value is invalid. */
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
