// Number of approvals for an action that moves money: by its value and the 24-hour totals of the
// requester and of each beneficiary, and for the second threshold also of the entire exchange.
// Amounts that enough operators approved are not counted again. A currency without a price is above
// every threshold.

import type { UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { conservativePrices } from '../market-data/index.ts';
import { describePolicySettings, readPolicyCurrency } from '../payments/index.ts';
import type { ActContext, MovedMoney, Operator } from './act.ts';
import type { ExchangeControl } from './control.ts';
import { type KeyGrant, readKeyGrant } from './key-grants.ts';

export interface ValuedMoney {
  /** A decimal in the currency of the withdrawal policy; null without a price. */
  readonly value: string | null;
  readonly valueCurrency: string;
}

export interface Movement {
  readonly operator: UserId;
  /** For example `key 12`. */
  readonly credential: string;
  readonly beneficiaries: readonly UserId[];
  readonly act: string;
  readonly approvals: number;
  /** Whether thresholds count it. */
  readonly isCounted: boolean;
  readonly value: string | null;
  readonly nowMs: number;
}

const WINDOW = `interval '24 hours'`;

export async function valueMoney(
  { connection, exchange, nowMs }: Pick<ActContext, 'connection' | 'exchange' | 'nowMs'>,
  { amount, currency }: MovedMoney,
): Promise<ValuedMoney> {
  const valueCurrency = await readPolicyCurrency(connection);
  if (currency === valueCurrency) return { value: amount, valueCurrency };
  const prices = await conservativePrices(connection, {
    quote: valueCurrency,
    projectionSchema: exchange.projectionSchema,
    currencies: [currency],
    nowMs,
  });
  const price = prices[currency];
  if (price === undefined || Number(price) === 0) return { value: null, valueCurrency };
  const { rows } = await connection.query('select trim_scale($1::numeric * $2::numeric) as value', [
    amount,
    price,
  ]);
  return { value: rows[0].value, valueCurrency };
}

/** Price of the thresholds' current currency in another one. */
export async function priceInCurrency(
  { connection, exchange, nowMs }: ActContext,
  { currency: present }: ExchangeControl,
  currency: string,
): Promise<string | Refused<'thresholds_currency_unknown'>> {
  const { rows } = await connection.query('select from coins where symbol = $1', [currency]);
  const prices = await conservativePrices(connection, {
    quote: currency,
    projectionSchema: exchange.projectionSchema,
    currencies: [present],
    nowMs,
  });
  const price = prices[present];
  if (rows.length === 0 || price === undefined || Number(price) === 0) {
    return new Refused('thresholds_currency_unknown', { currency, present });
  }
  return price;
}

/** Converts the 24-hour totals and the daily limits of keys to the new currency. */
export async function changeCurrency(
  { connection }: ActContext,
  { currency, price }: { readonly currency: string; readonly price: string },
): Promise<void> {
  await connection.query('update operator_movements set value = value * $1::numeric', [price]);
  await connection.query('update key_grants set daily_limit = daily_limit * $1::numeric', [price]);
  await connection.query('update exchange_control set notify_from = notify_from * $1::numeric', [
    price,
  ]);
  await describePolicySettings(connection, { currency });
}

/** 0, 1, or 2 approvals for this value, with the 24-hour totals of the same users. */
export async function approvalsForValue(
  connection: Connection,
  { oneApprovalFrom, twoApprovalsFrom }: ExchangeControl,
  movement: Pick<Movement, 'operator' | 'beneficiaries' | 'value' | 'nowMs'>,
): Promise<0 | 1 | 2> {
  const { beneficiaries, nowMs, operator, value } = movement;
  if (value === null) return 2;
  const { rows } = await connection.query(
    `with recent as (
       select operator_id, beneficiary_id, act_id, approvals, value from operator_movements
       where at > to_timestamp($1 / 1000.0) - ${WINDOW} and is_counted
     ),
     -- An act has one row for each user who gains; its value counts once in total.
     acts as (select distinct on (act_id) * from recent order by act_id),
     sums as (
       -- Null: the first threshold does not count the entire exchange.
       select null::numeric as unapproved,
         coalesce(sum(value) filter (where approvals < 2), 0) as not_twice
       from acts
       union all
       select coalesce(sum(value) filter (where approvals < 1), 0),
         coalesce(sum(value) filter (where approvals < 2), 0)
       from acts where operator_id = $2
       union all
       select coalesce(sum(value) filter (where approvals < 1), 0),
         coalesce(sum(value) filter (where approvals < 2), 0)
       from recent where beneficiary_id = any($3::bigint[]) group by beneficiary_id
     )
     select bool_or(not_twice + $4::numeric >= $6::numeric) as needs_two,
       bool_or(unapproved + $4::numeric >= $5::numeric) as needs_one
     from sums`,
    [nowMs, operator, beneficiaries, value, oneApprovalFrom, twoApprovalsFrom],
  );
  const [{ needs_one, needs_two }] = rows;
  return needs_two ? 2 : needs_one ? 1 : 0;
}

export interface KeyLimit {
  readonly dailyLimit: string;
  /** Whether the value and the key's 24-hour total without approvals are within the limit. */
  readonly isKept: boolean;
}

/** Returns undefined if the key has no limit. A value without a price exceeds every limit. */
export async function readKeyLimit(
  connection: Connection,
  { operator, value, nowMs }: { operator: Operator; value: string | null; nowMs: number },
): Promise<KeyLimit | undefined> {
  const { credential } = operator;
  const { dailyLimit = null }: Partial<KeyGrant> =
    (await readKeyGrant(connection, credential)) ?? {};
  if (dailyLimit === null) return undefined;
  const { rows } = await connection.query(
    `select coalesce(sum(value), 0) + $3::numeric <= $4::numeric as is_kept from (
       select distinct on (act_id) value from operator_movements
       where credential = $1 and approvals = 0 and at > to_timestamp($2 / 1000.0) - ${WINDOW}
       order by act_id
     ) moved`,
    [credential, nowMs, value, dailyLimit],
  );
  return { dailyLimit, isKept: rows[0].is_kept === true };
}

/** Whether the value, plus what the operator moved alone within 24 hours, is above the ceiling. */
export async function isAboveCeiling(
  connection: Connection,
  { operator, value, nowMs }: { operator: Operator; value: string | null; nowMs: number },
): Promise<boolean> {
  const { rows } = await connection.query(
    `select r.money_ceiling is not null and ($2::numeric is null or r.money_ceiling < $2::numeric
       + coalesce((select sum(value) from (
           select distinct on (act_id) value from operator_movements
           where operator_id = $3 and approvals = 0 and is_counted
             and at > to_timestamp($4 / 1000.0) - ${WINDOW}
           order by act_id
         ) alone), 0)) as is_above
     from roles r where r.name = $1`,
    [operator.role, value, operator.user, nowMs],
  );
  return rows[0]?.is_above === true;
}

/** Records the value of an action for the 24-hour totals. */
export async function recordMovement(connection: Connection, movement: Movement): Promise<void> {
  const { act, approvals, beneficiaries, credential, isCounted, nowMs, operator, value } = movement;
  await connection.query(
    `with id as (select nextval('operator_movement_acts') as act_id)
     insert into operator_movements
       (act_id, at, operator_id, beneficiary_id, act, approvals, value, credential, is_counted)
     select act_id, to_timestamp($1 / 1000.0), $2, b.id, $4, $5, $6, $7, $8
     from id, unnest($3::bigint[]) as b(id)`,
    [
      nowMs,
      operator,
      beneficiaries.length === 0 ? [null] : beneficiaries,
      act,
      approvals,
      value,
      credential,
      isCounted,
    ],
  );
}
