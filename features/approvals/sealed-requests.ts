// Personal values in requests for approval, sealed under a key of the request. Voters see them
// opened. Erasing an affected user deletes the key; the payload hash covers the sealed bytes, so it
// stays valid.

import { createHash } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf, type Statements } from '../../infra/postgres/index.ts';
import { openWith, sealWith, type Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { canonicalJson, type JsonObject, type JsonValue } from '../audit/index.ts';
import type { Act, ShownLine } from './act.ts';

/** Content of a request: the action, and the lines for voters. */
export interface RequestContent {
  readonly payload: JsonObject;
  readonly shown: readonly ShownLine[];
}

/** Without the personal values, which are in `sealed`; null if there are none. */
export interface SealedContent extends RequestContent {
  readonly sealed: Uint8Array | null;
}

/** Runs in the request's transaction; an erasure of the subjects waits for its end. */
export async function sealContent(
  connection: Connection,
  vault: Vault,
  {
    id,
    subjects,
    ...content
  }: RequestContent & {
    readonly id: number;
    readonly act: Pick<Act, 'personal'>;
    readonly subjects: readonly UserId[];
  },
): Promise<
  (SealedContent & { readonly storeKey: () => Promise<void> }) | Refused<'user_is_erased'>
> {
  const { act, payload, shown } = content;
  const isPersonal = (name: string) => act.personal?.includes(name) === true;
  const fields = Object.entries(payload);
  const personal = fields.filter(([name, value]) => isPersonal(name) && value !== null);
  const lines = shown.filter((line) => line.isPersonal);
  if (personal.length === 0 && lines.length === 0) {
    return { payload, shown, sealed: null, storeKey: async () => {} };
  }
  if (await isAnyErased(connection, subjects)) return new Refused('user_is_erased');
  const bound = requestBound(id);
  const { kekId, key, sealed: sealedKey } = vault.createDataKey(bound);
  const values = { payload: Object.fromEntries(personal), shown: lines.map(({ value }) => value) };
  const isOpen = ([name, value]: [string, JsonValue]) => !isPersonal(name) || value === null;
  return {
    payload: Object.fromEntries(fields.filter(isOpen)),
    shown: shown.map((line) => (line.isPersonal ? { ...line, value: '' } : line)),
    sealed: sealWith(key, bound, JSON.stringify(values)),
    storeKey: async () => {
      await connection.query(
        'insert into approval_keys (request_id, kek_id, sealed) values ($1, $2, $3)',
        [id, kekId, sealedKey],
      );
    },
  };
}

/** Returns undefined if the key was deleted because a user was erased. */
export async function openContent(
  statements: Statements,
  vault: Vault,
  request: SealedContent & { readonly id: number },
): Promise<RequestContent | undefined> {
  const { id, payload, sealed, shown } = request;
  if (sealed === null) return { payload, shown };
  const { rows } = await statements.query(
    'select kek_id, sealed from approval_keys where request_id = $1',
    [id],
  );
  if (rows.length === 0) return undefined;
  const bound = requestBound(id);
  const sealedKey = { kekId: idOf<number>(rows[0].kek_id), sealed: rows[0].sealed };
  const values = JSON.parse(
    openWith(vault.openDataKey(bound, sealedKey), bound, sealed).toString(),
  );
  let next = 0;
  return {
    payload: { ...payload, ...values.payload },
    shown: shown.map((line) => (line.isPersonal ? { ...line, value: values.shown[next++] } : line)),
  };
}

/** Identifies the action and its payload: a vote is for exactly these. */
export function payloadHash(act: string, { payload, sealed }: SealedContent): Buffer {
  const sealedHash = sealed === null ? null : createHash('sha256').update(sealed).digest('hex');
  const named = { act, payload, ...(sealedHash !== null && { sealed: sealedHash }) };
  return createHash('sha256').update(canonicalJson(named)).digest();
}

/** Returns the text that a request's key and values are bound to. */
export function requestBound(id: number): string {
  return `approval ${id}`;
}

async function isAnyErased(connection: Connection, subjects: readonly UserId[]): Promise<boolean> {
  const { rows } = await connection.query(
    'select state from users where id = any($1::bigint[]) order by id for share',
    [subjects],
  );
  return rows.some(({ state }) => state === 'erased');
}
