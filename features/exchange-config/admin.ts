// Changes of the kit and of the fields that users' meta has. A role writes the keys that its
// `configs` name; the administrator writes all.

import type { Statements } from '../../infra/postgres/index.ts';
import {
  type ActContext,
  ActRefused,
  type Assessment,
  defineActInTwoSteps,
  type Executed,
} from '../approvals/index.ts';
import type { JsonObject } from '../audit/index.ts';
import { isRunByClients, refuseKitValue } from './kit-keys.ts';

interface KitChange extends JsonObject {
  /** Whole values by key; null removes the operator's value, so that the default counts. */
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
/** Every client reads the kit at its start. */
const KIT_BYTES_MAX = 200_000;

/** The operator's own values, without defaults. */
export async function readKitContent(statements: Statements): Promise<JsonObject> {
  const { rows } = await statements.query('select content from kit');
  return rows[0]?.content ?? {};
}

export const changeKit = defineActInTwoSteps({
  name: 'kit.change',
  votePower: 'approve.config',

  async assess(context: ActContext, { kit }: KitChange): Promise<Assessment> {
    const names = Object.keys(kit);
    if (names.length === 0) throw new ActRefused('kit_change_empty');
    for (const [name, value] of Object.entries(kit)) {
      const refused = refuseKitValue(name, value);
      if (refused !== undefined) throw new ActRefused(refused.refusal, refused.details);
    }
    await requireWritable(context, names);
    const shown = names.map((name) => ({ label: name, value: JSON.stringify(kit[name]) }));
    const approvals = names.some(isRunByClients) ? 1 : 0;
    const objectVersion = await versionOf(context.connection);
    return { object: OBJECT, objectVersion, approvals, beneficiaries: [], shown };
  },

  async execute({ connection }: ActContext, { kit }: KitChange): Promise<Executed<JsonObject>> {
    const before = await lockKit(connection);
    const content = Object.entries({ ...before, ...kit }).filter(([, value]) => value !== null);
    await writeKit(connection, Object.fromEntries(content));
    return { result: {}, before: namedIn(before, kit), after: kit, effects: { catalogue: true } };
  },
});

export const createUserMeta = defineActInTwoSteps({
  name: 'kit.create_user_meta',
  votePower: 'approve.config',

  assess: (context: ActContext, { name, type }: NewUserMeta) => assessMeta(context, name, type),

  async execute({ connection }: ActContext, { name, ...field }: NewUserMeta) {
    if (!META_NAME.test(name)) throw new ActRefused('user_meta_name_invalid');
    const kit = await lockKit(connection);
    const fields = fieldsOf(kit);
    if (Object.hasOwn(fields, name)) throw new ActRefused('user_meta_exists', { name });
    if (Object.keys(fields).length >= META_FIELDS_MAX) {
      throw new ActRefused('user_meta_too_many', { max: META_FIELDS_MAX });
    }
    return writeMeta(connection, kit, { name, before: null, after: field });
  },
});

export const changeUserMeta = defineActInTwoSteps({
  name: 'kit.change_user_meta',
  votePower: 'approve.config',

  assess: (context: ActContext, { name, type }: UserMetaChange) =>
    assessMeta(context, name, type ?? 'as before'),

  async execute({ connection }: ActContext, { name, ...change }: UserMetaChange) {
    const kit = await lockKit(connection);
    const before = requireField(kit, name);
    const after = {
      type: change.type ?? before.type,
      required: change.required ?? before.required,
      description: change.description ?? before.description,
    };
    return writeMeta(connection, kit, { name, before, after });
  },
});

/** The values that users have under the name stay, and count no more. */
export const removeUserMeta = defineActInTwoSteps({
  name: 'kit.remove_user_meta',
  votePower: 'approve.config',

  assess: (context: ActContext, { name }: UserMetaRemoval) => assessMeta(context, name, 'removed'),

  async execute({ connection }: ActContext, { name }: UserMetaRemoval) {
    const kit = await lockKit(connection);
    const before = requireField(kit, name);
    return writeMeta(connection, kit, { name, before, after: null });
  },
});

async function assessMeta(context: ActContext, name: string, value: string): Promise<Assessment> {
  await requireWritable(context, ['user_meta']);
  const object = `user meta ${name.slice(0, 64)}`;
  const shown = [{ label: name.slice(0, 64), value }];
  return { object, objectVersion: '', approvals: 0, beneficiaries: [], shown };
}

async function writeMeta(
  statements: Statements,
  kit: JsonObject,
  changed: {
    readonly name: string;
    readonly before: UserMetaField | null;
    readonly after: UserMetaField | null;
  },
): Promise<Executed<JsonObject>> {
  const { after, before, name } = changed;
  const { [name]: _, ...others } = fieldsOf(kit);
  const fields = after === null ? others : { ...others, [name]: after };
  await writeKit(statements, { ...kit, user_meta: fields });
  return { result: fields, before, after, effects: { catalogue: true } };
}

/** The role is read again: it may have changed since the request. */
async function requireWritable(
  { connection, operator }: ActContext,
  names: readonly string[],
): Promise<void> {
  const { rows } = await connection.query(
    'select permissions, configs from roles where name = $1',
    [operator.role],
  );
  const [{ configs = [], permissions = [] } = {}] = rows;
  if (permissions.includes(EVERYTHING)) return;
  const closed = names.find((name) => !configs.includes(name));
  if (closed !== undefined) throw new ActRefused('kit_key_closed', { name: closed });
}

async function lockKit(statements: Statements): Promise<JsonObject> {
  await statements.query(`insert into kit (content) values ('{}') on conflict do nothing`);
  const { rows } = await statements.query('select content from kit for update');
  return rows[0].content;
}

async function writeKit(statements: Statements, content: JsonObject): Promise<void> {
  const text = JSON.stringify(content);
  if (Buffer.byteLength(text) > KIT_BYTES_MAX) {
    throw new ActRefused('kit_too_large', { max: KIT_BYTES_MAX });
  }
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

function requireField(kit: JsonObject, name: string): UserMetaField {
  const fields = fieldsOf(kit);
  if (!Object.hasOwn(fields, name)) throw new ActRefused('user_meta_not_found', { name });
  return fields[name];
}

function namedIn(content: JsonObject, names: JsonObject): JsonObject {
  const found = Object.keys(names).map((name) => [name, content[name] ?? null]);
  // The audit has no fractions as numbers; a tool may have written some.
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
