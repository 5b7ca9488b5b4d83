// Roles: lists of calls, writable keys of the kit, permissions and a ceiling for money. Editors can
// grant only what their own role has; no one can grant everything. An edit ends the sessions of
// operators with the role. They cannot vote on it, and after an edit that grants more they cannot
// vote on other requests for a day.

import type { UserId } from '../../../core/money/index.ts';
import { compareDecimals, parseDecimal } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { applySecurityChange } from '../../auth/index.ts';
import { type ActContext, type Assessment, defineAct } from '../act.ts';
import { EVERYTHING } from '../perform-act.ts';
import { isPower, isVoter, restartRoleAge } from '../powers.ts';

export interface RoleRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly color: string;
  /** `path:method`; `*` is everything. */
  readonly permissions: readonly string[];
  /** Keys of the kit that the role can write. */
  readonly configs: readonly string[];
  readonly powers: readonly string[];
  /**
   * A money action above this value needs approval from another operator; null for the exchange's
   * threshold.
   */
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

/** A change has the entire content. */
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

type Granted = Pick<RoleContent, 'permissions' | 'configs' | 'powers' | 'moneyCeiling'>;

/** Returns the first call, kit key, permission or ceiling that cannot be passed on. */
export function exceeds(own: Granted, given: Granted): string | undefined {
  const hasAll = own.permissions.includes(EVERYTHING);
  const beyond = (held: readonly string[], wanted: readonly string[]) =>
    wanted.find((one) => !held.includes(one));
  return (
    given.permissions.find((one) => one === EVERYTHING) ??
    (hasAll ? undefined : beyond(own.permissions, given.permissions)) ??
    (hasAll ? undefined : beyond(own.configs, given.configs)) ??
    beyond(own.powers, given.powers) ??
    (isHigher(given.moneyCeiling, own.moneyCeiling) ? 'money_ceiling' : undefined)
  );
}

/** Null means no ceiling, which is above every other one. */
function isHigher(given: string | null, own: string | null): boolean {
  if (own === null) return false;
  return given === null || compareDecimals(parseDecimal(given), parseDecimal(own)) > 0;
}

export const createRole = defineAct({
  name: 'role.create',
  votePower: 'approve.access',

  async prepare(context: ActContext, role: NewRole) {
    const { connection } = context;
    if (!NAME.test(role.name) || RESERVED.includes(role.name)) {
      return new Refused('role_name_invalid', { name: role.name });
    }
    const beyond = await refuseBeyondOwn(context, role);
    if (beyond !== undefined) return beyond;
    const roles = await listRoles(connection);
    if (roles.some(({ name }) => name === role.name)) {
      return new Refused('role_name_taken', { name: role.name });
    }
    if (roles.length >= ROLES_MAX) return new Refused('roles_too_many', { max: ROLES_MAX });
    return {
      ...assessment(`role ${role.name}`, '', { approvals: 1, shown: shownOf(role) }),
      async run() {
        const { rows } = await connection.query(
          `insert into roles (name, description, color, permissions, configs, powers, money_ceiling)
           values ($1, $2, $3, $4, $5, $6, $7) returning *`,
          [role.name, ...columnsOf(role)],
        );
        const made = roleOf(rows[0]);
        const effects = { roles: true } as const;
        return { result: { id: made.id }, after: contentOf(made), effects };
      },
    };
  },
});

export const changeRole = defineAct({
  name: 'role.change',
  votePower: 'approve.access',

  async prepare(context: ActContext, change: RoleChange) {
    const { connection } = context;
    const before = await lockRole(connection, change.id);
    if (before instanceof Refused) return before;
    const beyond = await refuseBeyondOwn(context, change);
    if (beyond !== undefined) return beyond;
    const lost = before.powers.filter((power) => !change.powers.includes(power));
    const holders = await listHolders(connection, before.name);
    return {
      ...assessment(`role ${before.name}`, versionOf(before), {
        approvals: isVoter({ powers: lost }) ? 2 : 1,
        shown: [...shownOf(change), ...linesOf('Powers removed', lost)],
      }),
      beneficiaries: holders,
      async run() {
        const { rows } = await connection.query(
          `update roles set description = $2, color = $3, permissions = $4, configs = $5,
             powers = $6, money_ceiling = $7, updated_at = now() where id = $1 returning *`,
          [change.id, ...columnsOf(change)],
        );
        const after = roleOf(rows[0]);
        for (const user of holders) {
          await applySecurityChange(connection, { user, reason: 'role_changed', holdMs: 0 });
        }
        if (isMore(before, after)) await restartRoleAge(context, holders);
        return {
          result: { id: change.id },
          before: contentOf(before),
          after: contentOf(after),
          effects: { roles: true as const, accessOf: holders },
        };
      },
    };
  },
});

export const removeRole = defineAct({
  name: 'role.remove',
  votePower: 'approve.access',

  async prepare({ connection }: ActContext, { id }: RoleRemoval) {
    const role = await lockRole(connection, id);
    if (role instanceof Refused) return role;
    const { length: count } = await listHolders(connection, role.name);
    if (count > 0) return new Refused('role_in_use', { count });
    return {
      ...assessment(`role ${role.name}`, versionOf(role), {
        approvals: isVoter(role) ? 2 : 1,
        shown: [{ label: 'Role', value: role.name }],
      }),
      async run() {
        await connection.query('delete from roles where id = $1', [id]);
        return { result: { id }, before: contentOf(role), effects: { roles: true as const } };
      },
    };
  },
});

function assessment(
  object: string,
  objectVersion: string,
  { approvals, shown }: Pick<Assessment, 'approvals' | 'shown'>,
): Assessment {
  return { object, objectVersion, approvals, beneficiaries: [], shown };
}

async function lockRole(statements: Statements, id: number) {
  const { rows } = await statements.query('select * from roles where id = $1 for update', [id]);
  if (rows.length === 0) return new Refused('role_not_found');
  const role = roleOf(rows[0]);
  return role.name === PROTECTED ? new Refused('role_protected') : role;
}

/** Reads the requester's role again, because it might have changed since the request. */
async function refuseBeyondOwn({ connection, operator }: ActContext, given: RoleContent) {
  const unknown = given.powers.find((power) => !isPower(power));
  if (unknown !== undefined) return new Refused('role_power_unknown', { name: unknown });
  const { rows } = await connection.query('select * from roles where name = $1', [operator.role]);
  const beyond = rows.length === 0 ? operator.role : exceeds(roleOf(rows[0]), given);
  return beyond === undefined ? undefined : new Refused('role_beyond_own', { name: beyond });
}

async function listHolders(statements: Statements, role: string): Promise<UserId[]> {
  const { rows } = await statements.query('select id from users where role = $1 order by id', [
    role,
  ]);
  return rows.map(({ id }) => idOf<UserId>(id));
}

/** Whether the new content has anything that the old one lacks, or a higher ceiling. */
function isMore(before: RoleRow, after: RoleRow): boolean {
  return (
    (['permissions', 'configs', 'powers'] as const).some((list) =>
      after[list].some((one) => !before[list].includes(one)),
    ) || isHigher(after.moneyCeiling, before.moneyCeiling)
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
    { label: 'Approval threshold', value: role.moneyCeiling ?? 'none' },
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
