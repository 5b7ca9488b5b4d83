// Handlers for users as operators find and see them, and the list of users. Each call is a lookup,
// counted in the reading transaction. Unless the operator's view is unmasked, lists and files are
// masked, and a call that names one user shows what the operator is allowed to see.

import { parseOrderId } from '../../../core/messages/index.ts';
import type { UserId } from '../../../core/money/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import {
  answerList,
  type Call,
  type Dependencies,
  type HandlersOf,
  JsonText,
  type ListAnswer,
  momentFilter,
  orderedRows,
  ROWS_REACHED_MAX,
  requireFresh,
} from '../../../platform/http/index.ts';
import { type ErrorKey, type Routes, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { readBalance } from '../../accounts/http/index.ts';
import { listWallets } from '../../accounts/index.ts';
import { operatorOf } from '../../approvals/http/index.ts';
import type { Power } from '../../approvals/index.ts';
import { statusOf } from '../../payments/http/index.ts';
import { isInReviewFor, personOf } from '../personal-record.ts';
import { viewOf } from '../personal-view.ts';
import { openReveal } from '../reveals.ts';
import { confirmsPerson, type UserFilter, type UserList, userList } from '../user-list.ts';
import { countOrRefuse } from './guard-read.ts';
import { PERSONAL_FIELDS } from './masked-user.ts';
import { operatorUserJson } from './operator-user.ts';
import { paymentRoutes } from './payment-routes.ts';
import { revealRoutes } from './reveal-routes.ts';

export const peopleRoutes: HandlersOf<'people'> = {
  getUsers: listUsers,
  getUsersFile: listUsers,
  ...revealRoutes,
  ...paymentRoutes,
};

type UsersCall = Call<Routes['getUsers']>;

const SORT_COLUMNS = {
  id: 'u.id',
  created_at: 'u.created_at',
  updated_at: 'u.updated_at',
  verification_level: 'u.verification_level',
  // As in the index. A search finds parts of addresses, so their order reveals nothing new.
  email: 'lower(u.email)',
};

export async function listUsers(
  call: UsersCall,
  dependencies: Dependencies,
): Promise<ListAnswer | Refused<ErrorKey>> {
  const { query } = call;
  const operator = operatorOf(call);
  if (query.bank_key !== undefined || query.bank_value !== undefined) {
    return new Refused('bank_search_unsupported');
  }
  const filter = filterOf(query);
  const isExact = !operator.powers.has('pii.search');
  if (isExact && !isOnlyExact(filter)) return new Refused('search_too_wide');
  const { isClear } = await viewOf(dependencies.registry, operator);
  if (!isClear && confirmsPerson(filter)) return new Refused('filter_confirms_person');
  const { projectionSchema } = dependencies.exchange;
  const list = userList(dependencies.vault, { filter, isExact, projectionSchema });
  const asked = { list, isClear, isNamed: namesOne(filter) };
  if (query.format !== undefined) return answerFile(call, dependencies, asked);
  return answerPage(call, dependencies, asked);
}

interface UsersAsked {
  readonly list: UserList;
  readonly isClear: boolean;
  readonly isNamed: boolean;
}

/** Permissions and reveals do not count: only an unmasked view puts personal data into a file. */
async function answerFile(
  call: UsersCall,
  dependencies: Dependencies,
  { isClear, list }: UsersAsked,
): Promise<ListAnswer | Refused<ErrorKey>> {
  const { clock, exchange, registry, vault } = dependencies;
  const { user } = operatorOf(call);
  const none = { powers: new Set<Power>(), permissions: new Set<string>() };
  const view = { ...none, user, nowMs: clock.nowMs(), isClear, isNamed: false };
  const fields = isClear ? PERSONAL_FIELDS : [];
  const spent = await withConnection(registry, (connection) =>
    inTransaction(connection, () =>
      countOrRefuse(connection, call, dependencies, { reason: 'file', fields }),
    ),
  );
  if (spent !== undefined) return spent;
  return answerList(call, {
    ...list,
    pool: registry,
    clock,
    sortColumns: SORT_COLUMNS,
    write: (row) => JSON.stringify(operatorUserJson(personOf(vault, row), view)),
    fileName: `${exchange.name}-users`,
  });
}

async function answerPage(
  call: UsersCall,
  dependencies: Dependencies,
  { isClear, isNamed, list }: UsersAsked,
): Promise<JsonText | Refused<ErrorKey>> {
  const { limit, page } = call.query;
  if (page * limit > ROWS_REACHED_MAX) return new Refused('too_many_rows');
  const statement = orderedRows(call.query, { ...list, sortColumns: SORT_COLUMNS });
  if (statement instanceof Refused) return statement;
  const { permissions, powers, user: operator } = operatorOf(call);
  const nowMs = dependencies.clock.nowMs();
  const found = await withConnection(dependencies.registry, (connection) =>
    inTransaction(connection, async () => {
      const { rows } = await connection.query(statement, [
        ...list.values,
        limit,
        (page - 1) * limit,
      ]);
      const counted = await connection.query(list.count, [...list.values, ROWS_REACHED_MAX]);
      const people = rows.map((row) => personOf(dependencies.vault, row));
      const one = isNamed && people.length === 1 ? people[0] : undefined;
      const open = one && (await openReveal(connection, { operator, subject: one.user.id, nowMs }));
      const revealed = open?.fields ?? new Set<string>();
      const isReviewed = one !== undefined && isInReviewFor(one, operator);
      const isEverything = isClear || (isReviewed && powers.has('pii.unmasked'));
      const spent = await countOrRefuse(connection, call, dependencies, {
        subject: one?.user.id,
        reason: one === undefined ? 'list' : reasonOf(call),
        fields: isEverything ? PERSONAL_FIELDS : [...revealed],
        reveal: open?.id,
      });
      if (spent !== undefined) return spent;
      const sight = { isClear, isNamed: one !== undefined, revealed };
      const view = { permissions, powers, user: operator, nowMs, ...sight };
      return {
        total: Number(counted.rows[0].count),
        users: people.map((person) => operatorUserJson(person, view)),
      };
    }),
  );
  if (found instanceof Refused) return found;
  const { total, users } = found;
  const texts = users.map((user) => JSON.stringify(user));
  if (isNamed && users.length > 0) {
    const first = await withMoney(dependencies, texts[0], users[0].id as UserId);
    if (first instanceof Refused) return first;
    texts[0] = first;
  }
  return new JsonText(`{"count":${total},"data":[${texts.join(',')}]}`);
}

/** The first user of a search also has balance and deposit addresses. */
async function withMoney(dependencies: Dependencies, json: string, user: UserId) {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const [wallets, balance] = await Promise.all([
    listWallets(dependencies.registry, user),
    readBalance(dependencies, user),
  ]);
  const wallet = wallets.map(({ createdAt, isValid, ...rest }) => ({
    ...rest,
    is_valid: isValid,
    created_at: timeText(createdAt.getTime()),
  }));
  return `${json.slice(0, -1)},"wallet":${JSON.stringify(wallet)},"balance":${balance}}`;
}

function reasonOf({ query: { id, user_id } }: UsersCall): 'id' | 'search' {
  return id === undefined && user_id === undefined ? 'search' : 'id';
}

/** By a value that only one user has. */
function namesOne({ email, search, user }: UserFilter): boolean {
  return user !== undefined || search !== undefined || email !== undefined;
}

/** Other filters would reveal, response by response, what the masks hide. */
function isOnlyExact({ email, search, user, ...others }: UserFilter): boolean {
  const isAlone = Object.values(others).every((value) => value === undefined);
  return isAlone && namesOne({ email, search, user });
}

function filterOf(query: UsersCall['query']): UserFilter {
  const { kyc, pending, pending_type: pendingType, search } = query;
  return {
    user: query.id ?? query.user_id,
    kind: query.type,
    search: search === undefined ? undefined : { text: search, orderNumber: parseOrderId(search) },
    email: query.email,
    username: query.username,
    name: query.full_name,
    bornFrom: momentFilter(query.dob_start_date) ?? undefined,
    bornTo: momentFilter(query.dob_end_date) ?? undefined,
    document: query.id_number,
    gender: query.gender,
    nationality: query.nationality,
    phone: query.phone_number,
    verificationLevel: query.verification_level,
    isEmailVerified: query.email_verified,
    hasOtp: query.otp_enabled,
    isActive: query.activated,
    documentStatus: kyc,
    bankStatus: query.bank === undefined ? undefined : statusOf(query.bank),
    pending: pending === true ? PENDING[pendingType ?? 'any'] : undefined,
    from: momentFilter(query.start_date) ?? undefined,
    to: momentFilter(query.end_date) ?? undefined,
  };
}

const PENDING = { id: 'document', bank: 'bank', any: 'any' } as const;
