// The console's search box. The form of the text determines what it can be; only that is looked up,
// each by an index, at most a few per type. Types that the role cannot read are not queried.

import { orderIdText } from '../../../core/messages/index.ts';
import {
  type Atoms,
  decimalFromAtoms,
  type OrderNumber,
  type UserId,
} from '../../../core/money/index.ts';
import { type Connection, idOf } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { type PersonalView, usersNamed } from '../../pii-access/index.ts';
import { formsOf, SEARCH_TYPES, type SearchType, searchQueriesOf } from './search-queries.ts';

/** Types and rows that the operator can read. */
export interface SearchScope {
  readonly types: ReadonlySet<SearchType>;
  /** Approvals that the operator requested, can vote on, or audits. */
  readonly approvals: {
    readonly isAuditor: boolean;
    readonly user: UserId;
    readonly powers: readonly string[];
  };
  /** Schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
  readonly view: PersonalView;
}

export interface Found {
  readonly type: SearchType;
  readonly id: string;
  readonly user: UserId | null;
  /** Without personal values, or masked. */
  readonly title: string;
  readonly at: Date | null;
  /** Names the rows of the screen's call, for example `transaction_id`. */
  readonly reference: string | undefined;
}

const OF_EACH_TYPE_MAX = 5;
const STATEMENT_TIMEOUT_MS = 1_000;
/** A part that is common but rare among the newest users is not worth a longer wait. */
const PART_TIMEOUT_MS = 250;
const QUERY_CANCELED = '57014';

/** Returns everything that the exact text names, in the order of the types, newest first. */
export async function searchExact(
  connection: Connection,
  text: string,
  scope: SearchScope,
): Promise<Found[]> {
  const { statement, values } = exactStatement(text.trim(), scope);
  if (statement === '') return [];
  await connection.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
  const { rows } = await connection.query(statement, values);
  return firstOfEach(rows.map((row) => foundOf(row, scope.view)));
}

export interface UsersFound {
  readonly users: Found[];
  /** False if the lookup took too long and was abandoned. */
  readonly isComplete: boolean;
}

export interface UserSearch {
  readonly text: string;
  readonly isExact: boolean;
  readonly view: PersonalView;
}

/**
 * Returns users that the text names: by ID and email address, and unless `isExact` by parts of
 * email address and username, name, phone and document. Needs a separate transaction.
 */
export async function searchUsers(
  connection: Connection,
  vault: Vault,
  { isExact, text, view }: UserSearch,
): Promise<UsersFound> {
  const { isKey, order, whole } = formsOf(text.trim());
  // An order ID or an API key is not part of a name.
  const isWhole = isExact || isKey || order !== undefined;
  const named = usersNamed(vault, { text: whole, isExact: isWhole, limit: OF_EACH_TYPE_MAX });
  await connection.query(`set local statement_timeout = ${PART_TIMEOUT_MS}`);
  try {
    const { rows } = await connection.query(
      `select 'user' as type, u.id::text as id, u.id as user_id, u.created_at as at,
         jsonb_build_object('email', u.email, 'kind', u.kind, 'state', u.state) as facts
       from users u where u.id in (${named.ids})
       order by u.id desc limit ${OF_EACH_TYPE_MAX}`,
      [...named.values],
    );
    return { users: rows.map((row) => foundOf(row, view)), isComplete: true };
  } catch (fault) {
    if ((fault as { code?: string }).code !== QUERY_CANCELED) throw fault;
    return { users: [], isComplete: false };
  }
}

/** Returns the users named in a response. */
export function peopleIn(found: readonly Found[]): UserId[] {
  return [...new Set(found.flatMap(({ user }) => (user === null ? [] : [user])))];
}

/** Declares the types of values that no lookup uses. */
const VALUES = `with typed as (select $1::text, $2::bigint, $3::bigint, $4::boolean, $5::bigint,
  $6::text[])`;

function exactStatement(whole: string, { approvals, projectionSchema, types }: SearchScope) {
  const forms = formsOf(whole);
  const selects = searchQueriesOf(forms, projectionSchema)
    .filter(({ isAsked, type }) => isAsked && types.has(type))
    .map(({ select }) => `(${select} limit ${OF_EACH_TYPE_MAX})`);
  const { isAuditor, powers, user } = approvals;
  return {
    statement: selects.length === 0 ? '' : `${VALUES} ${selects.join(' union all ')}`,
    values: [whole, forms.number ?? null, forms.order ?? null, isAuditor, user, powers],
  };
}

/** A row found by several lookups is shown once. */
function firstOfEach(found: readonly Found[]): Found[] {
  const unique = new Map(found.map((one) => [`${one.type} ${one.id}`, one]));
  return SEARCH_TYPES.flatMap((type) =>
    [...unique.values()]
      .filter((one) => one.type === type)
      .sort((a, b) => (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0))
      .slice(0, OF_EACH_TYPE_MAX),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function foundOf(row: any, view: PersonalView): Found {
  const type: SearchType = row.type;
  const { facts } = row;
  return {
    type,
    id: type === 'order' ? orderIdText(Number(row.id) as OrderNumber) : row.id,
    user: row.user_id === null ? null : idOf<UserId>(row.user_id),
    title: TITLES[type](facts, view),
    at: row.at,
    reference: facts.reference,
  };
}

type Facts = Readonly<Record<string, string>>;

const TITLES: Readonly<Record<SearchType, (facts: Facts, view: PersonalView) => string>> = {
  user: ({ email, kind, state }, view) =>
    words(view.email(email), kind === 'person' ? '' : kind, state),
  order: ({ kind, market, side, state }) => words(kind, side, market, state),
  trade: ({ kind, market, side }) => words(side, market, `as ${kind}`),
  deposit: transferTitle,
  withdrawal: transferTitle,
  deposit_address: ({ currency, network, state }) => words(currency, `on ${network}`, state),
  address_book: ({ currency, label, network, state }, view) =>
    words(view.text(label), currency, `on ${network}`, state),
  api_key: ({ name, state }, view) => words(view.text(name), state),
  bank_account: ({ state }) => state,
  approval: ({ act, object, state }) => words(act, object, state),
  audit: ({ act, object }) => words(act, object),
  referral_code: ({ state }) => state,
  coin: ({ name, state }) => words(name, state),
  market: ({ name, state }) => words(name, state),
};

function transferTitle({ amount, currency, kind, scale, state }: Facts): string {
  const decimal = decimalFromAtoms(BigInt(amount) as Atoms, Number(scale));
  return words(kind, decimal, currency, state);
}

function words(...all: readonly string[]): string {
  return all.filter((word) => word !== '').join(' ');
}
