// Operator actions on the kit and on the fields of users' meta. A role writes the keys listed in
// its `configs`; the administrator writes all.

import type { Statements } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type ActContext, defineAct, type Executed, type Prepared } from '../approvals/index.ts';
import type { JsonObject } from '../audit/index.ts';
import { isRunByClients, refuseKitValue } from './kit-keys.ts';

interface KitChange extends JsonObject {
  /** Full values by key; null removes the operator's value and restores the default. */
  readonly kit: JsonObject;
}

export const USER_META_TYPES = ['string', 'number', 'boolean', 'date-time'] as const;

export interface UserMetaField extends JsonObject {
  readonly type: (typeof USER_META_TYPES)[number];
  readonly required: boolean;
  readonly description: string;
}

interface NewUserMeta extends UserMetaField {
  readonly name: string;
}

interface UserMetaChange extends JsonObject {
  readonly name: string;
  readonly type: UserMetaField['type'] | null;
  readonly required: boolean | null;
  readonly description: string | null;
}

interface UserMetaRemoval extends JsonObject {
  readonly name: string;
}

const EVERYTHING = '*';
const OBJECT = 'kit';
const META_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
const META_FIELDS_MAX = 100;
/** Every client reads the kit when it starts. */
const KIT_BYTES_MAX = 200_000;

/** Returns the operator's own values, without defaults. */
export async function readKitContent(statements: Statements): Promise<JsonObject> {
  const { rows } = await statements.query('select content from kit');
  return rows[0]?.content ?? {};
}

export const changeKit = defineAct({
  name: 'kit.change',
  votePower: 'approve.config',

  async prepare(context: ActContext, { kit }: KitChange) {
    const { connection } = context;
    const names = Object.keys(kit);
    if (names.length === 0) return new Refused('kit_change_empty');
    for (const [name, value] of Object.entries(kit)) {
      const refused = refuseKitValue(name, value);
      if (refused !== undefined) return refused;
    }
    const closed = await refuseClosedKeys(context, names);
    if (closed !== undefined) return closed;
    const before = await lockKit(connection);
    const content = Object.entries({ ...before, ...kit }).filter(([, value]) => value !== null);
    const after = kitText(Object.fromEntries(content));
    if (after instanceof Refused) return after;
    return {
      object: OBJECT,
      objectVersion: await versionOf(connection),
      approvals: names.some(isRunByClients) ? 1 : 0,
      beneficiaries: [],
      shown: names.map((name) => ({ label: name, value: JSON.stringify(kit[name]) })),
      async run(): Promise<Executed<JsonObject>> {
        await writeKit(connection, after);
        const effects = { catalogue: true } as const;
        return { result: {}, before: namedIn(before, kit), after: kit, effects };
      },
    };
  },
});

export const createUserMeta = defineAct({
  name: 'kit.create_user_meta',
  votePower: 'approve.config',

  async prepare(context: ActContext, { name, ...after }: NewUserMeta) {
    const closed = await refuseClosedKeys(context, ['user_meta']);
    if (closed !== undefined) return closed;
    if (!META_NAME.test(name)) return new Refused('user_meta_name_invalid');
    const kit = await lockKit(context.connection);
    const fields = fieldsOf(kit);
    if (Object.hasOwn(fields, name)) return new Refused('user_meta_exists', { name });
    if (Object.keys(fields).length >= META_FIELDS_MAX) {
      return new Refused('user_meta_too_many', { max: META_FIELDS_MAX });
    }
    return metaChange(context, kit, { name, shown: after.type, before: null, after });
  },
});

export const changeUserMeta = defineAct({
  name: 'kit.change_user_meta',
  votePower: 'approve.config',

  async prepare(context: ActContext, { name, ...change }: UserMetaChange) {
    const closed = await refuseClosedKeys(context, ['user_meta']);
    if (closed !== undefined) return closed;
    const kit = await lockKit(context.connection);
    const before = requireField(kit, name);
    if (before instanceof Refused) return before;
    const after = {
      type: change.type ?? before.type,
      required: change.required ?? before.required,
      description: change.description ?? before.description,
    };
    return metaChange(context, kit, { name, shown: change.type ?? 'as before', before, after });
  },
});

/** Keeps users' values under the name, but they no longer count. */
export const removeUserMeta = defineAct({
  name: 'kit.remove_user_meta',
  votePower: 'approve.config',

  async prepare(context: ActContext, { name }: UserMetaRemoval) {
    const closed = await refuseClosedKeys(context, ['user_meta']);
    if (closed !== undefined) return closed;
    const kit = await lockKit(context.connection);
    const before = requireField(kit, name);
    if (before instanceof Refused) return before;
    return metaChange(context, kit, { name, shown: 'removed', before, after: null });
  },
});

interface MetaChange {
  readonly name: string;
  /** Shown to voters. */
  readonly shown: string;
  readonly before: UserMetaField | null;
  readonly after: UserMetaField | null;
}

function metaChange(
  { connection }: ActContext,
  kit: JsonObject,
  { after, before, name, shown }: MetaChange,
) {
  const { [name]: _, ...others } = fieldsOf(kit);
  const fields = after === null ? others : { ...others, [name]: after };
  const content = kitText({ ...kit, user_meta: fields });
  if (content instanceof Refused) return content;
  const prepared: Prepared<JsonObject, never> = {
    object: `user meta ${name.slice(0, 64)}`,
    objectVersion: '',
    approvals: 0,
    beneficiaries: [],
    shown: [{ label: name.slice(0, 64), value: shown }],
    async run() {
      await writeKit(connection, content);
      return { result: fields, before, after, effects: { catalogue: true } };
    },
  };
  return prepared;
}

/** Reads the role again: it might have changed since the request. */
async function refuseClosedKeys(
  { connection, operator }: ActContext,
  names: readonly string[],
): Promise<Refused<'kit_key_closed'> | undefined> {
  const { rows } = await connection.query(
    'select permissions, configs from roles where name = $1',
    [operator.role],
  );
  const [{ configs = [], permissions = [] } = {}] = rows;
  if (permissions.includes(EVERYTHING)) return undefined;
  const closed = names.find((name) => !configs.includes(name));
  return closed === undefined ? undefined : new Refused('kit_key_closed', { name: closed });
}

async function lockKit(statements: Statements): Promise<JsonObject> {
  const { rows } = await statements.query('select content from kit for update');
  return rows[0]?.content ?? {};
}

function kitText(content: JsonObject): string | Refused<'kit_too_large'> {
  const text = JSON.stringify(content);
  return Buffer.byteLength(text) > KIT_BYTES_MAX
    ? new Refused('kit_too_large', { max: KIT_BYTES_MAX })
    : text;
}

async function writeKit(statements: Statements, text: string): Promise<void> {
  await statements.query(`insert into kit (content) values ('{}') on conflict do nothing`);
  await statements.query('update kit set content = $1, updated_at = now()', [text]);
}

async function versionOf(statements: Statements): Promise<string> {
  const { rows } = await statements.query('select updated_at from kit');
  return rows[0]?.updated_at.toISOString() ?? '';
}

function fieldsOf(kit: JsonObject): Readonly<Record<string, UserMetaField>> {
  const { user_meta: fields } = kit;
  const isMap = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
  return isMap ? (fields as Readonly<Record<string, UserMetaField>>) : {};
}

function requireField(
  kit: JsonObject,
  name: string,
): UserMetaField | Refused<'user_meta_not_found'> {
  const fields = fieldsOf(kit);
  return Object.hasOwn(fields, name) ? fields[name] : new Refused('user_meta_not_found', { name });
}

function namedIn(content: JsonObject, names: JsonObject): JsonObject {
  const found = Object.keys(names).map((name) => [name, content[name] ?? null]);
  // The audit log has no fractions as numbers, but a tool might have written some.
  const isFraction = (value: unknown) => typeof value === 'number' && !Number.isSafeInteger(value);
  return JSON.parse(JSON.stringify(Object.fromEntries(found)), (_, value) =>
    isFraction(value) ? `${value}` : value,
  );
}

export const EXCHANGE_CONFIG_ACTS = [
  changeKit,
  createUserMeta,
  changeUserMeta,
  removeUserMeta,
] as const;
