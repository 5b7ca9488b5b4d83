// The one search box of the console. The form of the text says what it can be; only that is looked
// up, each by an index, at most a few of each type. Types that the role may not read are not asked.

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

/** The things that the operator may read. */
export interface SearchScope {
  readonly types: ReadonlySet<SearchType>;
  /** Approvals that the operator made, may vote on, or audits. */
  readonly approvals: {
    readonly isAuditor: boolean;
    readonly user: UserId;
    readonly powers: readonly string[];
  };
  /** The schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
  readonly view: PersonalView;
}

export interface Found {
  readonly type: SearchType;
  readonly id: string;
  readonly user: UserId | null;
  /** Without personal values, or with masks. */
  readonly title: string;
  readonly at: Date | null;
  /** Names the rows of the screen's call: `transaction_id`. */
  readonly reference: string | undefined;
}

const OF_EACH_TYPE_MAX = 5;
const STATEMENT_TIMEOUT_MS = 1_000;
/** A part that many people share and few of the newest is not worth a longer wait. */
const PART_TIMEOUT_MS = 250;
const QUERY_CANCELED = '57014';

/** Everything that the whole text names, in the order of the types, newest first. */
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
  /** False: the look-up took too long and was given up. */
  readonly isComplete: boolean;
}

export interface UserSearch {
  readonly text: string;
  readonly isExact: boolean;
  readonly view: PersonalView;
}

/**
 * Users whom the text names: by number and e-mail address, and unless `isExact` by parts of e-mail
 * address and username, name, phone and document. Needs a transaction of its own.
 */
export async function searchUsers(
  connection: Connection,
  vault: Vault,
  { isExact, text, view }: UserSearch,
): Promise<UsersFound> {
  const { isKey, order, whole } = formsOf(text.trim());
  // The id of an order and an API key are no part of a name.
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

/** The people whom an answer names. */
export function peopleIn(found: readonly Found[]): UserId[] {
  return [...new Set(found.flatMap(({ user }) => (user === null ? [] : [user])))];
}

/** Names the types of values that no look-up uses. */
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

/** A row that several look-ups find is shown once. */
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
  market: ({ state }) => state,
};

function transferTitle({ amount, currency, kind, scale, state }: Facts): string {
  const decimal = decimalFromAtoms(BigInt(amount) as Atoms, Number(scale));
  return words(kind, decimal, currency, state);
}

function words(...all: readonly string[]): string {
  return all.filter((word) => word !== '').join(' ');
}
