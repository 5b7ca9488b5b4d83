// Lookups of the search box: for each type the statements that an index serves, and the forms of
// text for which each makes sense.

import { parseOrderId } from '../../../core/messages/index.ts';
import type { OrderNumber } from '../../../core/money/index.ts';
import { assertPlainName } from '../../../infra/postgres/index.ts';

export const SEARCH_TYPES = [
  'user',
  'order',
  'trade',
  'deposit',
  'withdrawal',
  'deposit_address',
  'address_book',
  'api_key',
  'bank_account',
  'approval',
  'audit',
  'referral_code',
  'coin',
  'market',
] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** Forms that a text has; undefined ones are not queried. */
export interface Forms {
  readonly whole: string;
  readonly number: number | undefined;
  readonly order: OrderNumber | undefined;
  readonly isKey: boolean;
  readonly isBankAccount: boolean;
  readonly isCode: boolean;
  readonly isCoin: boolean;
  readonly isMarket: boolean;
  /** An address, a transaction, a bank's reference, or a client's ID. */
  readonly isReference: boolean;
}

const REFERENCE_LENGTH_MIN = 3;
const CLIENT_ORDER_ID = /^[\x20-\x7e]{1,36}$/;

export function formsOf(whole: string): Forms {
  const number = /^[1-9]\d{0,14}$/.test(whole) ? Number(whole) : undefined;
  return {
    whole,
    number,
    order: parseOrderId(whole.toLowerCase()),
    isKey: /^[0-9a-fA-F]{40}$/.test(whole),
    isBankAccount: /^[0-9a-fA-F]{16}$/.test(whole),
    isCode: /^[A-Za-z0-9]{6}$/.test(whole),
    isCoin: /^[A-Za-z0-9]{1,15}$/.test(whole) && number === undefined,
    isMarket: /^[A-Za-z0-9]{1,15}-[A-Za-z0-9]{1,15}$/.test(whole),
    isReference: whole.length >= REFERENCE_LENGTH_MIN && !/^[^\s@]+@[^\s@]+$/.test(whole),
  };
}

export interface SearchQuery {
  readonly type: SearchType;
  readonly isAsked: boolean;
  /**
   * `$1` is the full text, `$2` the number, `$3` the order number; `$4`, `$5` and `$6` are for
   * approvals: whether the reader audits all, its user ID, and its permissions.
   */
  readonly select: string;
}

/** Maximum fills of the user read to find those of one order. */
const FILLS_READ_MAX = 1_000;

export function searchQueriesOf(forms: Forms, projectionSchema: string): SearchQuery[] {
  return [
    ...tradingQueries(forms, projectionSchema),
    ...moneyQueries(forms),
    ...addressQueries(forms),
    ...credentialQueries(forms),
    ...operatorQueries(forms),
    ...catalogueQueries(forms),
  ];
}

interface Columns {
  readonly id: string;
  /** `null` if it belongs to no user. */
  readonly user: string;
  readonly at: string;
  /** Arguments of jsonb_build_object. */
  readonly facts: string;
}

/** The same columns for every type. */
function columns(type: SearchType, { at, facts, id, user }: Columns): string {
  return `select '${type}' as type, ${id}::text as id, ${user}::bigint as user_id, ${at} as at,
    jsonb_build_object(${facts}) as facts`;
}

function tradingQueries(forms: Forms, schema: string): SearchQuery[] {
  assertPlainName(schema);
  const isClientId = CLIENT_ORDER_ID.test(forms.whole) && forms.order === undefined;
  const order = `${columns('order', {
    id: 'o.number',
    user: 'o.user_id',
    at: 'o.created_at',
    facts: `'market', m.name, 'side', o.side, 'kind', o.type, 'state', o.status`,
  })} from ${schema}.orders o join ${schema}.markets m on m.id = o.market_id`;
  return [
    { type: 'order', isAsked: forms.order !== undefined, select: `${order} where o.number = $3` },
    {
      type: 'order',
      isAsked: isClientId,
      select: `${order} where o.client_order_id = $1 and o.client_order_id <> ''`,
    },
    {
      // The index of fills is by user and time, so the newest of the order's lifetime are read.
      type: 'trade',
      isAsked: forms.order !== undefined,
      select: `${columns('trade', {
        id: 't.trade',
        user: 't.user_id',
        at: 't.executed_at',
        facts: `'market', m.name, 'side', t.side, 'kind', t.liquidity, 'order', t.order_number`,
      })} from ${schema}.orders o cross join lateral (
          select f.* from ${schema}.fills f where f.user_id = o.user_id
            and f.executed_at between o.created_at and o.updated_at
          order by f.executed_at desc limit ${FILLS_READ_MAX}) t
        join ${schema}.markets m on m.id = t.market_id
        where o.number = $3 and o.filled_lots > 0 and t.order_number = o.number`,
    },
  ];
}

function moneyQueries({ isReference, number }: Forms): SearchQuery[] {
  return (['deposit', 'withdrawal'] as const).flatMap((type) => {
    const select = `${columns(type, {
      id: 'r.id',
      user: 'r.user_id',
      at: 'r.created_at',
      facts: `'kind', r.kind, 'state', r.state, 'amount', r.amount_atoms::text, 'scale', r.scale,
        'currency', r.currency, 'reference', r.transaction_id`,
    })} from ${type}_requests r where`;
    return [
      { type, isAsked: number !== undefined, select: `${select} r.id = $2` },
      { type, isAsked: isReference, select: `${select} r.transaction_id = $1` },
      {
        type,
        isAsked: isReference,
        // A payment to another user has an email address there.
        select: `${select} r.address = $1 and r.network is distinct from 'email'
          order by r.id desc`,
      },
      {
        type,
        isAsked: isReference,
        select: `${select} r.description = $1 and r.description <> '' order by r.id desc`,
      },
    ];
  });
}

function addressQueries({ isReference: isAsked }: Forms): SearchQuery[] {
  const place = `'currency', t.currency, 'network', t.network`;
  const of = { id: 't.id', user: 't.user_id', at: 't.created_at' };
  const wallet = `${place}, 'reference', t.address,
    'state', case when t.is_valid then 'in use' else 'old' end`;
  const entry = `${place}, 'label', t.label,
    'state', case when t.removed_at is null then 'in use' else 'removed' end`;
  return [
    {
      type: 'deposit_address',
      isAsked,
      select: `${columns('deposit_address', { ...of, facts: wallet })}
        from wallets t where t.address = $1 order by t.id desc`,
    },
    {
      type: 'address_book',
      isAsked,
      select: `${columns('address_book', { ...of, facts: entry })}
        from address_book t where t.address = $1 order by t.id desc`,
    },
  ];
}

function credentialQueries({ isBankAccount, isCode, isKey }: Forms): SearchQuery[] {
  const of = { id: 't.id', user: 't.user_id', at: 't.created_at' };
  const key = `'name', t.name, 'state',
    case when t.revoked then 'revoked' when t.active then 'active' else 'inactive' end`;
  const bank = `'state', case when t.removed_at is null then t.status else 'removed' end`;
  const code = { ...of, id: 't.code', facts: `'state', t.uses || ' uses'` };
  const own = { ...of, id: 't.affiliation_code', user: 't.id', facts: `'state', 'of the account'` };
  return [
    {
      type: 'api_key',
      isAsked: isKey,
      select: `${columns('api_key', { ...of, facts: key })}
        from api_keys t where t.public_key = lower($1)`,
    },
    {
      type: 'bank_account',
      isAsked: isBankAccount,
      select: `${columns('bank_account', { ...of, facts: bank })}
        from bank_accounts t where t.id = lower($1)`,
    },
    {
      type: 'referral_code',
      isAsked: isCode,
      select: `${columns('referral_code', code)}
        from referral_codes t where upper(t.code) = upper($1)`,
    },
    {
      type: 'referral_code',
      isAsked: isCode,
      select: `${columns('referral_code', own)}
        from users t where t.affiliation_code = upper($1)`,
    },
  ];
}

function operatorQueries({ number }: Forms): SearchQuery[] {
  const isAsked = number !== undefined;
  const act = `'act', t.act, 'object', t.object`;
  const request = {
    id: 't.id',
    user: 'null',
    at: 't.created_at',
    facts: `${act}, 'state', t.state`,
  };
  const entry = { id: 't.seq', user: 't.subject_id', at: 't.at', facts: act };
  return [
    {
      type: 'approval',
      isAsked,
      select: `${columns('approval', request)} from approval_requests t
        where t.id = $2 and ($4 or t.requester_id = $5 or t.vote_power = any($6))`,
    },
    {
      type: 'audit',
      isAsked,
      select: `${columns('audit', entry)} from audit_entries t where t.seq = $2`,
    },
  ];
}

function catalogueQueries({ isCoin, isMarket }: Forms): SearchQuery[] {
  const state = `'state', case when t.active then 'active' else 'inactive' end`;
  const of = { id: 't.symbol', user: 'null', at: 't.created_at' };
  return [
    {
      type: 'coin',
      isAsked: isCoin,
      select: `${columns('coin', { ...of, facts: `'name', t.fullname, ${state}` })}
        from coins t where t.symbol = lower($1)`,
    },
    {
      type: 'market',
      isAsked: isMarket,
      select: `${columns('market', { ...of, facts: `'name', t.symbol, ${state}` })}
        from pairs t where t.symbol = lower($1)`,
    },
  ];
}
