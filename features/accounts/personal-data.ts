// Users' personal data, sealed with the user's key. A user without data has no rows.

import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';
import {
  openWith,
  type Sealed,
  SealFault,
  sealWith,
  type Vault,
} from '../../platform/vault/index.ts';
import { createPersonalKey, type PersonalRefusal, personalKeyBound } from './personal-keys.ts';
import { documentStatusOf, listUsersWithOldTokens, tokensOf } from './personal-tokens.ts';

export type PersonalFields = Readonly<Record<string, unknown>>;

/** With wire names. */
export interface PersonalData {
  readonly fullName: string;
  /** False for male, true for female. */
  readonly gender: boolean;
  readonly nationality: string;
  /** ISO 8601. */
  readonly dob: string | null;
  readonly phoneNumber: string;
  readonly address: PersonalFields;
  readonly idData: PersonalFields;
}

/** Data of a user who has given none, or was erased. */
export const NO_PERSONAL_DATA: PersonalData = {
  fullName: '',
  gender: false,
  nationality: '',
  dob: null,
  phoneNumber: '',
  address: { city: '', address: '', country: '', postal_code: '' },
  idData: { type: '', number: '', status: 0, issued_date: null, expiration_date: null },
};

interface StoredData {
  readonly key: Sealed;
  readonly version: number;
  readonly sealed: Uint8Array;
}

const WRITE_ATTEMPTS_MAX = 10;
const RENEWED_TOGETHER = 1_000;

export async function readPersonal(
  statements: Statements,
  vault: Vault,
  user: UserId,
): Promise<PersonalData> {
  const { rows } = await statements.query(
    `select k.kek_id, k.sealed as key, d.version, d.sealed
     from personal_data d join personal_keys k using (user_id)
     where user_id = $1 and k.sealed is not null`,
    [user],
  );
  return rows.length === 0 ? NO_PERSONAL_DATA : openStored(vault, user, storedOf(rows[0]));
}

/**
 * Merges the given fields into the stored ones. Rejected after an erasure. Two concurrent writers
 * keep each other's fields.
 */
export async function writePersonal(
  statements: Statements,
  vault: Vault,
  user: UserId,
  change: Partial<PersonalData>,
  /** The operator who changes it. */
  by?: UserId,
): Promise<PersonalData | PersonalRefusal> {
  await createPersonalKey(statements, vault, user);
  for (let attempt = 1; attempt <= WRITE_ATTEMPTS_MAX; attempt++) {
    const { rows } = await statements.query(
      `select k.kek_id, k.sealed as key, coalesce(d.version, 0) as version, d.sealed
       from personal_keys k left join personal_data d using (user_id)
       where user_id = $1 and k.sealed is not null`,
      [user],
    );
    if (rows.length === 0) return 'personal_data_erased';
    const before = storedOf(rows[0]);
    const known = before.version === 0 ? NO_PERSONAL_DATA : openStored(vault, user, before);
    const after: PersonalData = { ...known, ...change };
    if (await storeData(statements, vault, { user, before, after, by })) return after;
  }
  throw new Error(
    `personal data of user ${user} changed during all ${WRITE_ATTEMPTS_MAX} attempts`,
  );
}

/**
 * Recreates tokens made with another key, or missing ones. Returns the number of users. Can be
 * repeated or killed at any point.
 */
export async function renewTokens(
  statements: Statements,
  vault: Vault,
  limit = RENEWED_TOGETHER,
): Promise<number> {
  let renewed = 0;
  for (let after = 0; ; ) {
    const users: UserId[] = await listUsersWithOldTokens(statements, vault, { after, limit });
    for (const user of users) {
      after = user;
      renewed += await renewTokensOf(statements, vault, user);
    }
    if (users.length < limit) return renewed;
  }
}

// An empty write creates the tokens. Data that does not open is left unchanged.
async function renewTokensOf(statements: Statements, vault: Vault, user: UserId): Promise<0 | 1> {
  try {
    const data = await writePersonal(statements, vault, user, {});
    return typeof data === 'string' ? 0 : 1;
  } catch (fault) {
    if (fault instanceof SealFault) return 0;
    throw fault;
  }
}

function dataBound(user: UserId, version: number): string {
  return `personal data ${user} ${version}`;
}

interface NewData {
  readonly user: UserId;
  readonly before: StoredData;
  readonly after: PersonalData;
  readonly by: UserId | undefined;
}

// Returns false if another writer was faster. The share lock waits for an erasure and then sees it.
async function storeData(
  statements: Statements,
  vault: Vault,
  { after, before, by, user }: NewData,
): Promise<boolean> {
  const version = before.version + 1;
  const key = vault.openDataKey(personalKeyBound(user), before.key);
  const sealed = sealWith(key, dataBound(user, version), JSON.stringify(after));
  const tokens = tokensOf(vault, after);
  const { rows } = await statements.query(
    `with living as (
       select user_id from personal_keys where user_id = $1 and sealed is not null for share
     ), stored as (
       insert into personal_data (user_id, version, sealed, token_kek_id, document_status,
         document_by)
       select user_id, $2, $3, $4, $5, $8 from living
       on conflict (user_id) do update set version = excluded.version, sealed = excluded.sealed,
         token_kek_id = excluded.token_kek_id, document_status = excluded.document_status,
         document_by = case when personal_data.document_status = excluded.document_status
           then personal_data.document_by else excluded.document_by end
       where personal_data.version = excluded.version - 1
       returning user_id
     ), tokens as (
       select user_id, field, token_mac
       from stored, unnest($6::text[], $7::bytea[]) as t (field, token_mac)
     ), dropped as (
       delete from personal_tokens p using stored s where p.user_id = s.user_id
         and not exists (select from tokens t where (t.field, t.token_mac) = (p.field, p.token_mac))
     ), added as (
       insert into personal_tokens select user_id, field, token_mac from tokens
       on conflict do nothing
     )
     select from stored`,
    [
      user,
      version,
      sealed,
      vault.activeId,
      documentStatusOf(after),
      tokens.map(({ field }) => field),
      tokens.map(({ mac }) => mac),
      by ?? null,
    ],
  );
  return rows.length === 1;
}

/** A row with kek_id, key, version and sealed; without a key there is no data. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function personalOf(vault: Vault, user: UserId, row: any): PersonalData {
  if (row.key === null || row.sealed === null) return NO_PERSONAL_DATA;
  return openStored(vault, user, storedOf(row));
}

function openStored(vault: Vault, user: UserId, { key, sealed, version }: StoredData) {
  const dataKey = vault.openDataKey(personalKeyBound(user), key);
  const json = openWith(dataKey, dataBound(user, version), sealed).toString();
  return { ...NO_PERSONAL_DATA, ...(JSON.parse(json) as Partial<PersonalData>) };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function storedOf(row: any): StoredData {
  return {
    key: { kekId: idOf(row.kek_id), sealed: row.key },
    version: Number(row.version),
    sealed: row.sealed,
  };
}
