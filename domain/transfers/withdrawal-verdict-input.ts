// Reads the input of the verdict about a withdrawal behind a lock on the user's row: of two
// withdrawals of one user, the second sees the first.

import type { Atoms, KeyId, UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import type { CurrencyAmount, VerdictInput, WithdrawalLimit } from './withdrawal-limits.ts';
import { WITHDRAWALS } from './withdrawal-states.ts';

/** The fields of a withdrawal request that the verdict depends on. */
export interface VerdictRequest {
  readonly user: UserId;
  /** The key that asks; 0 or absent without one. */
  readonly key?: KeyId;
  readonly asset: { readonly currency: string; readonly scale: number };
  readonly amountAtoms: Atoms;
  /** The price of one unit of each currency in this currency, as decimals. */
  pricesIn?(currency: string): Readonly<Record<string, string>>;
}

/** The limit of every currency without a row of its own. */
const ANY_CURRENCY = 'default';

// The clock is read after the lock is taken: now() is the start of the transaction.
const USER = `
  select state = 'active' as activated, verification_level,
    (extract(epoch from withdrawal_blocked_until) * 1000)::bigint as blocked_until_ms,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
    book_only or exists (
      select from api_keys k where k.id = $2 and k.user_id = users.id and k.book_only
    ) as book_only
  from users where id = $1 for no key update`;

const LIMITS = `
  select limit_currency, currency, amount::text as amount,
    coalesce(monthly_amount, 0)::text as monthly_amount
  from transaction_limits where tier = $1 and type = 'withdrawal'`;

// Rolling windows. Failed withdrawals do not count.
const WITHDRAWN = `
  select currency, scale, sum(amount_atoms)::text as month,
    coalesce(sum(amount_atoms) filter (where created_at > now() - interval '24 hours'), 0)::text
      as day
  from withdrawal_requests
  where user_id = $1 and created_at > now() - interval '1 month' and kind <> 'transfer'
    and state <> all ($2)
  group by currency, scale order by currency`;

/** Undefined if the user does not exist. */
export async function readVerdictInput(
  connection: Connection,
  { amountAtoms, asset, key = 0 as KeyId, pricesIn, user }: VerdictRequest,
): Promise<VerdictInput | undefined> {
  const [found] = (await connection.query(USER, [user, key])).rows;
  if (found === undefined) return undefined;
  const limits = (await connection.query(LIMITS, [found.verification_level])).rows;
  const limit = limitFor(limits, asset.currency);
  const withOwnLimit = new Set(limits.map((row) => row.limit_currency));
  const withdrawn = (
    await connection.query(WITHDRAWN, [user, WITHDRAWALS.failedStates])
  ).rows.filter(({ currency }) =>
    limit?.limitCurrency === ANY_CURRENCY
      ? !withOwnLimit.has(currency)
      : currency === asset.currency,
  );
  const amounts = (window: 'day' | 'month'): CurrencyAmount[] =>
    withdrawn.map((row) => {
      return { currency: row.currency, atoms: row[window], scale: Number(row.scale) };
    });
  const { currency, scale } = asset;
  return {
    nowMs: Number(found.now_ms),
    isActivated: found.activated,
    verificationLevel: Number(found.verification_level),
    blockedUntilMs: Number(found.blocked_until_ms ?? 0),
    isBookOnly: found.book_only,
    requested: { currency, atoms: amountAtoms.toString(), scale },
    limit,
    withinDay: amounts('day'),
    withinMonth: amounts('month'),
    prices: pricesFor([...withdrawn, asset], limit, pricesIn),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: rows as the driver gives them.
function limitFor(limits: readonly any[], currency: string): WithdrawalLimit | null {
  const own = limits.find((row) => row.limit_currency === currency);
  const row = own ?? limits.find(({ limit_currency }) => limit_currency === ANY_CURRENCY);
  if (row === undefined) return null;
  return {
    limitCurrency: row.limit_currency,
    currency: row.currency,
    amount: row.amount,
    monthlyAmount: row.monthly_amount,
  };
}

/** Only the prices that the verdict needs are stored. */
function pricesFor(
  amounts: readonly { readonly currency: string }[],
  limit: WithdrawalLimit | null,
  pricesIn: VerdictRequest['pricesIn'],
): Record<string, string> {
  if (limit === null || pricesIn === undefined) return {};
  const all = pricesIn(limit.currency);
  const needed = amounts.map(({ currency }) => currency).filter((one) => Object.hasOwn(all, one));
  return Object.fromEntries(needed.map((currency) => [currency, all[currency]]));
}
