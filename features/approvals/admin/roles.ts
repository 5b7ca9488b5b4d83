// Roles: lists of calls, writable keys of the kit, powers and a ceiling for money. Editors grant
// only what their own role has; nobody grants everything. An edit ends the sessions of the people
// who have the role; they do not vote on it, and after one that gives more not on others for a day.

import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { applySecurityChange } from '../../auth/index.ts';
import {
  type ActContext,
  ActRefused,
  type Assessment,
  defineActInTwoSteps,
  type Executed,
} from '../act.ts';
import { EVERYTHING } from '../perform-act.ts';
import { isPower } from '../powers.ts';
import { isVoter, restartRoleAge } from '../role-age.ts';

export interface RoleRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly color: string;
  /** As `path:method`; `*` is everything. */
  readonly permissions: readonly string[];
  /** Keys of the kit that the role may write. */
  readonly configs: readonly string[];
  readonly powers: readonly string[];
  /** A money act that is worth more needs another person; null: as the exchange says. */
  readonly moneyCeiling: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** As in payloads: plain JSON. */
interface RoleContent extends JsonObject {
  readonly description: string;
  readonly color: string;
  readonly permissions: readonly string[];
  readonly configs: readonly string[];
  readonly powers: readonly string[];
  readonly moneyCeiling: string | null;
}

interface NewRole extends RoleContent {
  readonly name: string;
}

/** A change gives the whole content. */
interface RoleChange extends RoleContent {
  readonly id: number;
}

interface RoleRemoval extends JsonObject {
  readonly id: number;
}

const PROTECTED = 'admin';
const NAME = /^[a-z][a-z0-9_-]{0,47}$/;
const RESERVED = ['user', PROTECTED];
const ROLES_MAX = 100;

export async function listRoles(statements: Statements): Promise<RoleRow[]> {
  const { rows } = await statements.query('select * from roles order by id');
  return rows.map(roleOf);
}

export async function findRole(statements: Statements, id: number): Promise<RoleRow | undefined> {
  const { rows } = await statements.query('select * from roles where id = $1', [id]);
  return rows.map(roleOf)[0];
}

/** Decides whether a call, a key of the kit or a power may be given on. */
export function exceeds(
  own: Pick<RoleRow, 'permissions' | 'configs' | 'powers'>,
  given: Pick<RoleContent, 'permissions' | 'configs' | 'powers'>,
): string | undefined {
  const hasAll = own.permissions.includes(EVERYTHING);
  const beyond = (held: readonly string[], wanted: readonly string[]) =>
    wanted.find((one) => !held.includes(one));
  return (
    given.permissions.find((one) => one === EVERYTHING) ??
    (hasAll ? undefined : beyond(own.permissions, given.permissions)) ??
    (hasAll ? undefined : beyond(own.configs, given.configs)) ??
    beyond(own.powers, given.powers)
  );
}

export const createRole = defineActInTwoSteps({
  name: 'role.create',
  votePower: 'approve.access',

  async assess(context: ActContext, role: NewRole): Promise<Assessment> {
    if (!NAME.test(role.name) || RESERVED.includes(role.name)) {
      throw new ActRefused('role_name_invalid', { name: role.name });
    }
    await requireOwn(context, role);
    const roles = await listRoles(context.connection);
    if (roles.some(({ name }) => name === role.name)) {
      throw new ActRefused('role_name_taken', { name: role.name });
    }
    if (roles.length >= ROLES_MAX) throw new ActRefused('roles_too_many', { max: ROLES_MAX });
    return assessment(`role ${role.name}`, '', { approvals: 1, shown: shownOf(role) });
  },

  async execute({ connection }: ActContext, role: NewRole): Promise<Executed<JsonObject>> {
    const { rows } = await connection.query(
      `insert into roles (name, description, color, permissions, configs, powers, money_ceiling)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (name) do nothing returning *`,
      [role.name, ...columnsOf(role)],
    );
    if (rows.length === 0) throw new ActRefused('role_name_taken', { name: role.name });
    const made = roleOf(rows[0]);
    return { result: { id: made.id }, after: contentOf(made), effects: { roles: true } };
  },
});

export const changeRole = defineActInTwoSteps({
  name: 'role.change',
  votePower: 'approve.access',

  async assess(context: ActContext, change: RoleChange): Promise<Assessment> {
    const before = await requireRole(context.connection, change.id);
    await requireOwn(context, change);
    const lost = before.powers.filter((power) => !change.powers.includes(power));
    return {
      ...assessment(`role ${before.name}`, versionOf(before), {
        approvals: isVoter({ powers: lost }) ? 2 : 1,
        shown: [...shownOf(change), ...linesOf('Powers removed', lost)],
      }),
      beneficiaries: await listHolders(context.connection, before.name),
    };
  },

  async execute(context: ActContext, change: RoleChange): Promise<Executed<JsonObject>> {
    const { connection } = context;
    const before = await requireRole(connection, change.id, 'for update');
    const { rows } = await connection.query(
      `update roles set description = $2, color = $3, permissions = $4, configs = $5, powers = $6,
         money_ceiling = $7, updated_at = now() where id = $1 returning *`,
      [change.id, ...columnsOf(change)],
    );
    const after = roleOf(rows[0]);
    const holders = await listHolders(connection, before.name);
    for (const user of holders) {
      await applySecurityChange(connection, { user, reason: 'role_changed', holdMs: 0 });
    }
    if (isMore(before, after)) await restartRoleAge(context, holders);
    return {
      result: { id: change.id },
      before: contentOf(before),
      after: contentOf(after),
      effects: { roles: true, accessOf: holders },
    };
  },
});

export const removeRole = defineActInTwoSteps({
  name: 'role.remove',
  votePower: 'approve.access',

  async assess({ connection }: ActContext, { id }: RoleRemoval): Promise<Assessment> {
    const role = await requireRole(connection, id);
    await requireUnused(connection, role.name);
    return assessment(`role ${role.name}`, versionOf(role), {
      approvals: isVoter(role) ? 2 : 1,
      shown: [{ label: 'Role', value: role.name }],
    });
  },

  async execute({ connection }: ActContext, { id }: RoleRemoval): Promise<Executed<JsonObject>> {
    const role = await requireRole(connection, id, 'for update');
    await requireUnused(connection, role.name);
    await connection.query('delete from roles where id = $1', [id]);
    return { result: { id }, before: contentOf(role), effects: { roles: true } };
  },
});

function assessment(
  object: string,
  objectVersion: string,
  { approvals, shown }: Pick<Assessment, 'approvals' | 'shown'>,
): Assessment {
  return { object, objectVersion, approvals, beneficiaries: [], shown };
}

async function requireRole(
  statements: Statements,
  id: number,
  lock: '' | 'for update' = '',
): Promise<RoleRow> {
  const { rows } = await statements.query(`select * from roles where id = $1 ${lock}`, [id]);
  if (rows.length === 0) throw new ActRefused('role_not_found');
  const role = roleOf(rows[0]);
  if (role.name === PROTECTED) throw new ActRefused('role_protected');
  return role;
}

/** The role of the requester is read again: it may have changed since the request. */
async function requireOwn({ connection, operator }: ActContext, given: RoleContent): Promise<void> {
  const unknown = given.powers.find((power) => !isPower(power));
  if (unknown !== undefined) throw new ActRefused('role_power_unknown', { name: unknown });
  const { rows } = await connection.query('select * from roles where name = $1', [operator.role]);
  const beyond = rows.length === 0 ? operator.role : exceeds(roleOf(rows[0]), given);
  if (beyond !== undefined) throw new ActRefused('role_beyond_own', { name: beyond });
}

async function requireUnused(statements: Statements, role: string): Promise<void> {
  const { rows } = await statements.query('select count(*) as count from users where role = $1', [
    role,
  ]);
  const count = Number(rows[0].count);
  if (count > 0) throw new ActRefused('role_in_use', { count });
}

async function listHolders(statements: Statements, role: string): Promise<UserId[]> {
  const { rows } = await statements.query('select id from users where role = $1 order by id', [
    role,
  ]);
  return rows.map(({ id }) => idOf<UserId>(id));
}

/** Whether the new content has a call, a key of the kit or a power that the old one lacks. */
function isMore(before: RoleRow, after: RoleRow): boolean {
  return (['permissions', 'configs', 'powers'] as const).some((list) =>
    after[list].some((one) => !before[list].includes(one)),
  );
}

function versionOf({ updatedAt }: RoleRow): string {
  return updatedAt.toISOString();
}

function shownOf(role: RoleContent) {
  return [
    ...linesOf('Calls', role.permissions),
    ...linesOf('Keys of the kit', role.configs),
    ...linesOf('Powers', role.powers),
    { label: 'Money ceiling', value: role.moneyCeiling ?? 'none' },
  ];
}

function linesOf(label: string, names: readonly string[]) {
  return names.length === 0 ? [] : [{ label, value: names.join(', ') }];
}

function columnsOf(role: RoleContent): unknown[] {
  const { color, configs, description, moneyCeiling, permissions, powers } = role;
  return [description, color, permissions, configs, powers, moneyCeiling];
}

function contentOf(role: RoleRow): JsonObject {
  const { color, configs, description, moneyCeiling, name, permissions, powers } = role;
  return { name, description, color, permissions, configs, powers, moneyCeiling };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function roleOf(row: any): RoleRow {
  return {
    id: idOf(row.id),
    name: row.name,
    description: row.description,
    color: row.color,
    permissions: row.permissions,
    configs: row.configs,
    powers: row.powers,
    moneyCeiling: row.money_ceiling,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
