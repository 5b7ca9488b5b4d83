// Search box: queries only what the role can read, counts the lookup, and responds with the call
// that shows each result.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import type { Call, Dependencies } from '../../../platform/http/index.ts';
import {
  type Routes,
  type SearchAnswer,
  type SearchResult,
  timeText,
} from '../../../protocol/index.ts';
import { isRefused, type Refused } from '../../../protocol/wire/index.ts';
import { operatorOf, readerOf } from '../../approvals/http/index.ts';
import { countOrRefuse } from '../../pii-access/http/index.ts';
import { type PersonalView, viewOf } from '../../pii-access/index.ts';
import {
  type Found,
  peopleIn,
  type SearchScope,
  searchExact,
  searchUsers,
} from '../search/admin-search.ts';
import { SEARCH_TYPES, type SearchType } from '../search/search-queries.ts';

type SearchCall = Call<Routes['search']>;

/** Call that shows a result. Results of calls that the operator cannot make are not found. */
const CALLS: Readonly<Record<SearchType, { path: string; query(found: Found): Query }>> = {
  user: { path: '/admin/users', query: ({ id }) => ({ id }) },
  order: { path: '/admin/orders', query: ({ id, user }) => ({ user_id: user, id }) },
  trade: { path: '/admin/trades', query: ({ at, user }) => ({ user_id: user, ...moment(at!) }) },
  deposit: { path: '/admin/deposits', query: byTransaction },
  withdrawal: { path: '/admin/withdrawals', query: byTransaction },
  deposit_address: {
    path: '/admin/user/wallet',
    query: ({ reference, user }) => ({ user_id: user, address: reference }),
  },
  // Shown with the withdrawals to them, because no call lists a user's book.
  address_book: { path: '/admin/withdrawals', query: ({ user }) => ({ user_id: user }) },
  api_key: { path: '/admin/users', query: ({ user }) => ({ id: user }) },
  bank_account: { path: '/admin/users', query: ({ user }) => ({ id: user }) },
  approval: { path: '/admin/approval', query: ({ id }) => ({ id }) },
  audit: { path: '/admin/audits', query: ({ id }) => ({ id }) },
  referral_code: {
    path: '/admin/user/referral/code',
    query: ({ user }) => ({ user_id: user }),
  },
  coin: { path: '/admin/coins', query: ({ id }) => ({ currency: id }) },
  market: { path: '/admin/pairs', query: ({ id }) => ({ pair: id }) },
};

type Query = Readonly<Record<string, string | number | null | undefined>>;

export async function search(
  call: SearchCall,
  dependencies: Dependencies,
): Promise<SearchAnswer | Refused<'lookup_budget_spent'>> {
  const { registry, vault } = dependencies;
  const { q: text } = call.query;
  const view = await viewOf(registry, operatorOf(call));
  const scope = scopeOf(call, dependencies, view);
  const isExact = !call.caller.powers.has('pii.search');
  const nobody = { users: [], isComplete: true };
  const inOne = <Result>(work: (connection: Connection) => Promise<Result>) =>
    withConnection(registry, (connection) =>
      inTransaction(connection, () => work(connection), { rollBackIf: isRefused }),
    );
  const [{ isComplete, users }, others] = await Promise.all([
    scope.types.has('user')
      ? inOne((connection) => searchUsers(connection, vault, { text, isExact, view }))
      : nobody,
    inOne((connection) => searchExact(connection, text, scope)),
  ]);
  const found = [...users, ...others];
  const people = peopleIn(found);
  const shown = view.isClear ? ['email'] : [];
  const spent = await inOne((connection) =>
    countPeople(connection, call, dependencies, { people, fields: shown }),
  );
  if (spent !== undefined) return spent;
  return { count: found.length, data: found.map(resultJson), is_complete: isComplete };
}

function scopeOf(call: SearchCall, { exchange }: Dependencies, view: PersonalView): SearchScope {
  const [isAuditor, user, powers] = readerOf(call);
  const types = SEARCH_TYPES.filter((type) => call.caller.mayOperate(CALLS[type].path, 'GET'));
  return {
    types: new Set(types),
    approvals: { isAuditor, user: user as UserId, powers },
    projectionSchema: exchange.projectionSchema,
    view,
  };
}

/** Counts as one list for operators who can list many users; otherwise user by user. */
async function countPeople(
  connection: Connection,
  call: SearchCall,
  dependencies: Dependencies,
  { fields, people }: { readonly people: readonly UserId[]; readonly fields: readonly string[] },
): Promise<Refused<'lookup_budget_spent'> | undefined> {
  const { powers } = operatorOf(call);
  const isOne = people.length < 2 || powers.has('pii.search');
  const subjects = isOne ? [people.length === 1 ? people[0] : undefined] : people;
  for (const subject of subjects) {
    const lookUp = { subject, fields, reason: 'search' } as const;
    const spent = await countOrRefuse(connection, call, dependencies, lookUp);
    if (spent !== undefined) return spent;
  }
  return undefined;
}

function resultJson(found: Found): SearchResult {
  const { path, query } = CALLS[found.type];
  const given = Object.entries(query(found)).filter(([, value]) => value != null && value !== '');
  const text = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, `${value}`])),
  );
  return {
    type: found.type,
    id: found.id,
    user_id: found.user,
    title: found.title,
    at: found.at === null ? null : timeText(found.at.getTime()),
    path: `/v2${path}?${text}`,
  };
}

function byTransaction({ reference, user }: Found): Query {
  return { user_id: user, transaction_id: reference };
}

/** A range of this millisecond; its end is exclusive. */
function moment(at: Date): Query {
  const end = new Date(at.getTime() + 1);
  return { start_date: at.toISOString(), end_date: end.toISOString() };
}
