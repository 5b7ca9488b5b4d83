// Signs that a withdrawal does not fit its owner: far above the usual size, nearly everything soon
// after a deposit, or soon after a login from a new country. The policy reads them in the
// transaction of the request. Surveillance reads them again for past requests, with the same
// statement.

import {
  compareDecimals,
  decimalText,
  parseDecimal,
  type UserId,
} from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Prices } from '../../market-data/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import { type CurrencyAmount, totalOf } from './valued-amounts.ts';

/** Integers set by the operator. */
export interface UnusualParameters {
  /** Days of withdrawals that determine the usual size. */
  readonly days: number;
  /** Minimum number of earlier withdrawals for a usual size. */
  readonly count_min: number;
  /** Multiple of the median that is unusual. */
  readonly times_min: number;
  /** Hours for which a deposit is recent. */
  readonly deposit_hours: number;
  /** Percentage of the balance that counts as nearly everything. */
  readonly percent_min: number;
  /** Smaller withdrawals never count; in the currency of the policy. */
  readonly value_min: number;
}

export interface NewCountryParameters {
  /** Hours for which a login is recent. */
  readonly hours: number;
}

/** Surveillance rules that send a withdrawal to review; null if off. */
export interface WithdrawalRules {
  readonly unusual: UnusualParameters | null;
  readonly newCountry: NewCountryParameters | null;
}

/** Values from rows that were complete when the withdrawal was requested. */
export interface WithdrawalSigns {
  /** The family's earlier withdrawals in this currency. */
  readonly earlierCount: number;
  /** Median of the earlier withdrawals; null if there are none. */
  readonly usualAtoms: string | null;
  /** IDs of the family's recent deposits, newest first. */
  readonly deposits: readonly number[];
  /** ID of the first recent login from a new country; null if there is none. */
  readonly newCountryLogin: number | null;
}

export interface SignedWithdrawal {
  readonly requested: CurrencyAmount;
  /** Available before the request; null if unknown. */
  readonly balanceAtoms: string | null;
  readonly signs: WithdrawalSigns;
  readonly values: Prices;
  /** Currency of the values. */
  readonly currency: string;
}

export async function readWithdrawalRules(statements: Statements): Promise<WithdrawalRules> {
  const { rows } = await statements.query(
    `select rule, parameters from surveillance_rules
     where is_on and rule in ('unusual_withdrawal', 'new_country')`,
  );
  const of = (name: string) => rows.find(({ rule }) => rule === name)?.parameters ?? null;
  return { unusual: of('unusual_withdrawal'), newCountry: of('new_country') };
}

/** A past or imminent withdrawal request. */
export interface SignSubject {
  readonly user: UserId;
  readonly family: readonly UserId[];
  readonly currency: string;
  readonly asOf: Date;
}

export async function readSigns(
  statements: Statements,
  { asOf, currency, family, user }: SignSubject,
  rules: WithdrawalRules,
): Promise<WithdrawalSigns> {
  const subject = `select $1::bigint as user_id, $2::bigint[] as family, $3::text as currency,
    $4::timestamptz as at`;
  const values = [user, family, currency, asOf, ...hoursOf(rules)];
  const { rows } = await statements.query(signsStatement(subject, 5), values);
  return signsOf(rows[0]);
}

/** Returns users' requests in the order of their creation. */
export async function readSignedWithdrawals(
  statements: Statements,
  { from, limit, rules, to }: WithdrawalRange & { readonly rules: WithdrawalRules },
): Promise<RequestedWithdrawal[]> {
  const subject = `select w.id, w.user_id, w.currency, w.scale, w.amount_atoms, w.created_at as at,
      w.policy_input, array(select f.id from users u join users f
        on f.id = coalesce(u.parent_id, u.id) or f.parent_id = coalesce(u.parent_id, u.id)
        where u.id = w.user_id) as family
    from withdrawal_requests w
    where (w.created_at, w.id) > ($1::timestamptz, $2::bigint) and w.created_at <= $3
      and w.policy_input is not null
    order by w.created_at, w.id limit $4`;
  const values = [from.at, from.id, to, limit, ...hoursOf(rules)];
  const { rows } = await statements.query(
    `${signsStatement(subject, 5)} order by s.at, s.id`,
    values,
  );
  return rows.map((row) => {
    const { balanceAtoms = null, settings, values: prices } = row.policy_input;
    return {
      id: idOf<number>(row.id),
      user: idOf<UserId>(row.user_id),
      at: row.at,
      requested: { currency: row.currency, atoms: row.amount_atoms, scale: Number(row.scale) },
      balanceAtoms,
      signs: signsOf(row),
      values: prices ?? {},
      currency: settings?.currency ?? '',
    };
  });
}

export interface WithdrawalRange {
  /** Only requests after this one. */
  readonly from: { readonly at: Date; readonly id: number };
  readonly to: Date;
  readonly limit: number;
}

export interface RequestedWithdrawal extends SignedWithdrawal {
  readonly id: number;
  readonly user: UserId;
  readonly at: Date;
}

export interface UnusualSize {
  readonly isUnusual: boolean;
  readonly isLarge: boolean;
  readonly isEmptying: boolean;
  /** Percentage of the usual size; null without a usual size. */
  readonly timesPercent: number | null;
  /** Percentage of the balance; null if unknown. */
  readonly percent: number | null;
  /** Null without a price, which is above every threshold. */
  readonly value: string | null;
}

/** Decides from the signs and the parameters. Pure. */
export function judgeSize(
  { balanceAtoms, currency, requested, signs, values }: SignedWithdrawal,
  parameters: UnusualParameters,
): UnusualSize {
  const value = totalOf([requested], currency, values);
  const isWorth =
    value === undefined || compareDecimals(value, parseDecimal(`${parameters.value_min}`)) >= 0;
  const atoms = BigInt(requested.atoms);
  const usual = BigInt(signs.usualAtoms ?? 0);
  const hasUsual = signs.earlierCount >= parameters.count_min && usual > 0n;
  const isLarge = isWorth && hasUsual && atoms >= usual * BigInt(parameters.times_min);
  const balance = BigInt(balanceAtoms ?? 0);
  const isMost = balance > 0n && atoms * 100n >= balance * BigInt(parameters.percent_min);
  const isEmptying = isWorth && isMost && signs.deposits.length > 0;
  return {
    isUnusual: isLarge || isEmptying,
    isLarge,
    isEmptying,
    timesPercent: hasUsual ? ratioPercent(atoms, usual) : null,
    percent: balance > 0n ? ratioPercent(atoms, balance) : null,
    value: value === undefined ? null : decimalText(value),
  };
}

const PERCENT_MAX = 1_000_000n;

function ratioPercent(part: bigint, whole: bigint): number {
  const percent = (part * 100n) / whole;
  return Number(percent < PERCENT_MAX ? percent : PERCENT_MAX);
}

function hoursOf({ newCountry, unusual }: WithdrawalRules): [number, number, number] {
  return [unusual?.days ?? 0, unusual?.deposit_hours ?? 0, newCountry?.hours ?? 0];
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function signsOf(row: any): WithdrawalSigns {
  return {
    earlierCount: Number(row.earlier_count),
    usualAtoms: row.usual_atoms,
    deposits: row.deposits.map(Number),
    newCountryLogin: row.new_country_login === null ? null : Number(row.new_country_login),
  };
}

/** More IDs add no information. */
const IDS_MAX = 20;

/**
 * Signs for each subject (user_id, family, currency, at). `first` is the position of the first of
 * three values: days, hours of deposits, hours of logins. A completed row keeps its last change, so
 * past results do not change. Transfers within a family neither count for the usual size nor as
 * deposits.
 */
function signsStatement(subject: string, first: number): string {
  const [days, depositHours, loginHours] = [first, first + 1, first + 2].map((at) => `$${at}`);
  return `
    select s.*, e.earlier_count, e.usual_atoms,
      array(
        select d.id from deposit_requests d
        where d.user_id = any (s.family) and d.state = 'completed' and d.updated_at <= s.at
          and d.updated_at > s.at - make_interval(hours => ${depositHours}::integer)
          and not (d.kind = 'transfer' and exists (
            select from withdrawal_requests w
            where w.transaction_id = d.transaction_id and w.user_id = any (s.family)))
        order by d.updated_at desc, d.id desc limit ${IDS_MAX}
      ) as deposits,
      (
        select l.id from logins l
        where l.user_id = s.user_id and l.outcome = 'success' and l.country <> ''
          and l.created_at <= s.at
          and l.created_at > s.at - make_interval(hours => ${loginHours}::integer)
          and exists (
            select from logins o where o.user_id = s.user_id and o.outcome = 'success'
              and o.country <> '' and o.id < l.id)
          and not exists (
            select from logins o where o.user_id = s.user_id and o.outcome = 'success'
              and o.country = l.country and o.id < l.id)
        order by l.id limit 1
      ) as new_country_login
    from (${subject}) s
    cross join lateral (
      select count(*) as earlier_count,
        percentile_disc(0.5) within group (order by w.amount_atoms) as usual_atoms
      from withdrawal_requests w
      where w.user_id = any (s.family) and w.currency = s.currency and w.state = 'completed'
        and (w.kind = 'withdrawal' or w.network = '${EMAIL_NETWORK}') and w.updated_at <= s.at
        and w.updated_at > s.at - make_interval(days => ${days}::integer)
    ) e`;
}
