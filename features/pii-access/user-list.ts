// User list for operators: its filters as statements. Personal values stay sealed; users are found
// by tokens. Each kind of search has an index.

import { assertPlainName } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import {
  birthTokens,
  documentTokens,
  genderTokens,
  nameTokens,
  nationalityTokens,
  normalEmail,
  phoneTokens,
} from '../accounts/index.ts';
import type { VerificationStatus } from '../payments/index.ts';

/** Undefined fields do not filter. */
export interface UserFilter {
  readonly user?: number | undefined;
  /** Undefined for every kind except `house`. */
  readonly kind?: string | undefined;
  readonly search?: UserSearch | undefined;
  readonly email?: string | undefined;
  readonly username?: string | undefined;
  readonly name?: string | undefined;
  /** Birth dates, both inclusive. */
  readonly bornFrom?: Date | undefined;
  readonly bornTo?: Date | undefined;
  readonly document?: string | undefined;
  readonly gender?: boolean | undefined;
  readonly nationality?: string | undefined;
  readonly phone?: string | undefined;
  readonly verificationLevel?: number | undefined;
  readonly isEmailVerified?: boolean | undefined;
  readonly hasOtp?: boolean | undefined;
  readonly isActive?: boolean | undefined;
  /** 0 empty, 1 pending, 2 rejected, 3 completed. */
  readonly documentStatus?: number | undefined;
  readonly bankStatus?: VerificationStatus | undefined;
  /** A document or a bank account pending review. */
  readonly pending?: 'document' | 'bank' | 'any' | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface UserSearch {
  readonly text: string;
  /** If the text is an order ID. */
  readonly orderNumber?: number | undefined;
}

export interface UserListOptions {
  readonly filter: UserFilter;
  /** Only by exact IDs, addresses and numbers, not by parts of them. */
  readonly isExact: boolean;
  /** Schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
}

export interface UserList {
  /** Statement in the given order; its last two values are limit and offset. */
  rows(order: string): string;
  /** Its last value is the maximum count. */
  readonly count: string;
  readonly values: readonly unknown[];
  readonly defaultSort: readonly string[];
}

/** A part found in more users finds the newest of them. */
const FOUND_BY_PART_MAX = 1_000;
/** A part found in fewer of these users is rare overall. */
const NEWEST_READ = 20_000;
const PART_LENGTH_MIN = 3;
const USER_ID_MAX = 2 ** 31 - 1;
/** The index is on this text. */
const PART_TEXT = `lower(u.email || ' ' || u.username)`;
const HAS_OTP = `exists (
  select from totp_secrets t where t.user_id = u.id and t.state = 'active')`;
/** Sets of IDs, each from its index, because an `or` of conditions would read every user. */
const DOCUMENT_PENDING = 'select user_id from personal_data where document_status = 1';
const BANK_PENDING = `select user_id from bank_accounts
  where removed_at is null and status = 'pending'`;
/** All account holders were born in these years, so a range has few tokens. */
const BIRTHS = { from: Date.parse('1850-01-01'), to: Date.parse('2099-12-31') };

/**
 * Whether the result would confirm a masked value of a user: a personal filter together with one
 * that can identify a user. Registration dates can identify one too. Email address and username are
 * both: a part is personal, and the full value identifies a user.
 */
export function confirmsPerson(filter: UserFilter): boolean {
  const { bornFrom, bornTo, document, gender, name, nationality, phone } = filter;
  const { email, from, search, to, user, username } = filter;
  const personal = [bornFrom, bornTo, document, gender, name, nationality, phone].filter(isGiven);
  const parts = [email, username].filter(isGiven);
  const naming = [from, search, to, user].filter(isGiven);
  if (parts.length > 1) return true;
  return personal.length > 0 ? parts.length + naming.length > 0 : parts.length * naming.length > 0;
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

/** Collects conditions and their values. */
class Conditions {
  readonly texts: string[] = [];
  readonly values: unknown[] = [];

  /** Returns the value's placeholder in the statement. */
  place(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Adds no condition if the value is undefined. */
  add<Value>(value: Value | undefined, condition: (value: Value) => string): void {
    if (value !== undefined) this.texts.push(condition(value));
  }
}

/** Names in `order by` are columns of `u`. */
export function userList(vault: Vault, options: UserListOptions): UserList {
  const { filter, isExact } = options;
  const all = new Conditions();
  const is = (column: string) => (value: unknown) => `${column} = ${all.place(value)}`;
  all.add(filter.user, is('u.id'));
  all.add(filter.kind, is('u.kind'));
  if (isWithoutHouse(filter)) all.texts.push(`u.kind <> 'house'`);
  all.add(filter.verificationLevel, is('u.verification_level'));
  all.add(filter.email, (text) =>
    isExact ? is('lower(u.email)')(normalEmail(text)) : containsPart(all, 'u.email', text),
  );
  all.add(filter.username, (text) =>
    isExact ? is('lower(u.username)')(text.toLowerCase()) : containsPart(all, 'u.username', text),
  );
  all.add(filter.isEmailVerified, (yes) => `u.state ${yes ? '<>' : '='} 'unverified'`);
  all.add(filter.isActive, (yes) => `u.state ${yes ? '=' : '<>'} 'active'`);
  all.add(filter.hasOtp, (yes) => (yes ? HAS_OTP : `not ${HAS_OTP}`));
  all.add(filter.bankStatus, (status) =>
    status === 'empty'
      ? `not exists (
          select from bank_accounts b where b.user_id = u.id and b.removed_at is null)`
      : bankWith(all.place(status)),
  );
  all.add(filter.pending, pendingCondition);
  all.add(filter.from, (from) => `u.created_at >= ${all.place(from)}`);
  all.add(filter.to, (to) => `u.created_at < ${all.place(to)}`);
  addPersonal(all, vault, filter);
  all.add(filter.search, (search) => searchCondition(all, vault, search, options));
  return statementsOf(all, filter);
}

function statementsOf({ texts, values }: Conditions, { from, to }: UserFilter): UserList {
  const matches = texts.length === 0 ? '' : `where ${texts.join(' and ')}`;
  const [limit, offset] = [`$${values.length + 1}`, `$${values.length + 2}`];
  // IDs increase with time, but only an index on time limits the scan of a time range.
  const isByTime = from !== undefined || to !== undefined;
  const defaultSort = isByTime ? ['u.created_at', 'u.id'] : ['u.id'];
  const newestFirst = `order by ${defaultSort.map((column) => `${column} desc`).join(', ')}`;
  return {
    defaultSort,
    values,
    count: `select count(*) from (
      select from users u ${matches} ${newestFirst} limit ${limit}) counted`,
    rows: (order) => `
      select u.*, ${HAS_OTP} as otp_enabled, k.kek_id, k.sealed as key, d.version, d.sealed,
        coalesce(d.document_status, 0) as document_status, d.document_by, (
          select json_agg(json_build_object('id', b.id, 'status', b.status, 'message', b.message,
            'entered_by', b.entered_by, 'decided_by', b.decided_by,
            'sealed', encode(b.sealed, 'hex')) order by b.created_at, b.id)
          from bank_accounts b where b.user_id = u.id and b.removed_at is null
        ) as banks, (
          select json_object_agg(w.currency, w.address) from (
            select distinct on (currency) currency, address from wallets
            where user_id = u.id and is_valid order by currency, id) w
        ) as addresses
      from (select u.* from users u ${matches} ${order} limit ${limit} offset ${offset}) u
        left join personal_keys k on k.user_id = u.id
        left join personal_data d on d.user_id = u.id
      ${order}`,
  };
}

function addPersonal(all: Conditions, vault: Vault, filter: UserFilter): void {
  const has = (field: string, macs: readonly Buffer[]) => `exists (
    select from personal_tokens t where t.user_id = u.id and t.field = '${field}'
      and t.token_mac = any(${all.place(macs)}))`;
  all.add(filter.name, (name) =>
    nobodyIfEmpty(nameTokens(vault, name).map((macs) => has('name', macs))),
  );
  all.add(filter.document, (number) => has('document', documentTokens(vault, number) ?? []));
  all.add(filter.phone, (number) => has('phone', phoneTokens(vault, number) ?? []));
  all.add(filter.nationality, (text) => has('nationality', nationalityTokens(vault, text)));
  all.add(filter.gender, (yes) => `${yes ? '' : 'not '}${has('gender', genderTokens(vault))}`);
  all.add(birthRange(filter), (range) => has('birth', birthTokens(vault, range)));
  all.add(filter.documentStatus, (status) =>
    status === 0
      ? `not exists (
          select from personal_data d where d.user_id = u.id and d.document_status <> 0)`
      : `exists (
          select from personal_data d
          where d.user_id = u.id and d.document_status = ${all.place(status)})`,
  );
}

/** Stake pool accounts are listed only by their kind or ID. */
function isWithoutHouse({ kind, user }: UserFilter): boolean {
  return kind === undefined && user === undefined;
}

function birthRange({ bornFrom, bornTo }: UserFilter): { from: Date; to: Date } | undefined {
  if (bornFrom === undefined && bornTo === undefined) return undefined;
  const from = Math.max(bornFrom?.getTime() ?? BIRTHS.from, BIRTHS.from);
  const to = Math.min(bornTo?.getTime() ?? BIRTHS.to, BIRTHS.to);
  return { from: new Date(from), to: new Date(to) };
}

/**
 * Returns the IDs of users that the text itself names, not what they own; the newest of those with
 * a part. IDs might not exist.
 */
export function usersNamed(
  vault: Vault,
  { isExact, limit, text }: { readonly text: string; readonly isExact: boolean; limit: number },
): { readonly ids: string; readonly values: readonly unknown[] } {
  const all = new Conditions();
  const ways = [
    `select id from users where lower(email) = ${all.place(normalEmail(text))}`,
    ...idWay(all, text),
    ...(isExact ? [] : partWays(all, vault, text, limit)),
  ];
  return { ids: ways.join(' union '), values: all.values };
}

/** IDs of all users found by any kind of search. */
function searchCondition(
  all: Conditions,
  vault: Vault,
  search: UserSearch,
  { isExact, projectionSchema }: UserListOptions,
): string {
  const ways = exactWays(all, search, projectionSchema);
  if (!isExact) ways.push(...partWays(all, vault, search.text, FOUND_BY_PART_MAX));
  return `u.id in (${ways.join(' union ')})`;
}

function exactWays(
  all: Conditions,
  { orderNumber, text }: UserSearch,
  projectionSchema: string,
): string[] {
  assertPlainName(projectionSchema);
  const whole = all.place(text.trim());
  const ways = [
    `select id from users where lower(email) = ${all.place(normalEmail(text))}`,
    `select user_id from wallets where address = ${whole}`,
    `select user_id from api_keys where public_key = ${whole}`,
    ...['deposit_requests', 'withdrawal_requests'].flatMap((table) => [
      `select user_id from ${table} where transaction_id = ${whole}`,
      `select user_id from ${table} where address = ${whole} and network is distinct from 'email'`,
    ]),
  ];
  ways.push(...idWay(all, text));
  if (orderNumber !== undefined) {
    const number = all.place(orderNumber);
    ways.push(`select user_id from ${projectionSchema}.orders where number = ${number}`);
  }
  return ways;
}

function idWay(all: Conditions, text: string): string[] {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return id <= USER_ID_MAX ? [`select ${all.place(id)}::bigint`] : [];
}

/**
 * A common part is searched in the newest users without the index, which would read every user that
 * has it. Only a part that few of the newest have is looked up in the index.
 */
function byPart(all: Conditions, part: string, limit: number): string {
  const pattern = all.place(patternOf(part));
  const order = `order by u.id desc limit ${limit}`;
  return `(with newest as materialized (
      select u.id from users u where u.id > (select max(id) from users) - ${NEWEST_READ}
        and ${PART_TEXT} like ${pattern} ${order})
    select id from newest union all
    (select u.id from users u where (select count(*) from newest) < ${limit}
      and ${partCondition(all, PART_TEXT, part)} ${order}))`;
}

function partWays(all: Conditions, vault: Vault, text: string, limit: number): string[] {
  const ways: string[] = [];
  const part = text.trim().toLowerCase();
  if (part.length >= PART_LENGTH_MIN && !part.includes(' ')) {
    ways.push(byPart(all, part, limit));
  } else if (part !== '') {
    ways.push(`select id from users where lower(username) = ${all.place(part)}`);
  }
  const byToken = (field: string, macs: readonly Buffer[]) =>
    `select user_id from personal_tokens
     where field = '${field}' and token_mac = any(${all.place(macs)})`;
  const words = nameTokens(vault, text).map((macs) => byToken('name', macs));
  if (words.length > 0) {
    ways.push(`(select user_id from (${words.join(' intersect ')}) named
      order by user_id desc limit ${limit})`);
  }
  const phone = phoneTokens(vault, text);
  if (phone !== undefined && !/\p{L}/u.test(text)) ways.push(byToken('phone', phone));
  const document = documentTokens(vault, text);
  if (document !== undefined) ways.push(byToken('document', document));
  return ways;
}

/** A part too short for the index must be the full value. */
function containsPart(all: Conditions, column: string, text: string): string {
  const part = text.trim().toLowerCase();
  if (part.length < PART_LENGTH_MIN) return `lower(${column}) = ${all.place(part)}`;
  return partCondition(all, `lower(${column})`, part);
}

function partCondition(all: Conditions, text: string, part: string): string {
  return `trigrams(${PART_TEXT}) @> trigrams(${all.place(part)}::text)
    and ${text} like ${all.place(patternOf(part))}`;
}

function patternOf(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

function pendingCondition(pending: 'document' | 'bank' | 'any'): string {
  const either = `${DOCUMENT_PENDING} union ${BANK_PENDING}`;
  return `u.id in (${{ document: DOCUMENT_PENDING, bank: BANK_PENDING, any: either }[pending]})`;
}

function bankWith(status: string): string {
  return `exists (select from bank_accounts b
    where b.user_id = u.id and b.removed_at is null and b.status = ${status})`;
}

function nobodyIfEmpty(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : conditions.join(' and ');
}
