// Handlers for roles. The protocol defines the existing calls.

import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import {
  decimal,
  type Role as RoleJson,
  type Route,
  routes,
  timeText,
} from '../../../protocol/index.ts';
import { operatorCall, Refused } from '../../../protocol/wire/index.ts';
import {
  changeRole,
  createRole,
  findRole,
  listRoles,
  type RoleRow,
  removeRole,
} from '../admin/roles.ts';
import { answerAct } from './answer-act.ts';
import { refuseOperatorFactor } from './prove-operator.ts';

const ENDPOINTS = operatorCalls();

export const rolesRoutes: HandlersOf<'roles'> = {
  async getRoles(_call, { registry }) {
    const roles = await listRoles(registry);
    return { count: roles.length, data: roles.map(roleJson) };
  },

  async createRole(call, dependencies) {
    const { name } = call.body;
    const content = contentOf(call.body, undefined);
    if (content instanceof Refused) return content;
    const unproven = await refuseOperatorFactor(call, dependencies, call.body.otp_code);
    if (unproven !== undefined) return unproven;
    return answerAct(call, dependencies, createRole, { name, ...content }, ({ id }) =>
      answerRole(dependencies, Number(id)),
    );
  },

  async changeRole(call, dependencies) {
    const { id } = call.body;
    const before = await requireRole(dependencies, id);
    if (before instanceof Refused) return before;
    const content = contentOf(call.body, before);
    if (content instanceof Refused) return content;
    const unproven = await refuseOperatorFactor(call, dependencies, call.body.otp_code);
    if (unproven !== undefined) return unproven;
    return answerAct(call, dependencies, changeRole, { id, ...content }, () =>
      answerRole(dependencies, id),
    );
  },

  async removeRole(call, dependencies) {
    const { id } = call.body;
    const role = await requireRole(dependencies, id);
    if (role instanceof Refused) return role;
    const unproven = await refuseOperatorFactor(call, dependencies, call.body.otp_code);
    if (unproven !== undefined) return unproven;
    return answerAct(call, dependencies, removeRole, { id }, () => ({ message: 'Success' }));
  },

  getEndpoints: () => [...ENDPOINTS],
};

interface ContentIn {
  readonly description?: string;
  readonly color?: string;
  readonly permissions?: readonly string[];
  readonly configs?: readonly string[];
  readonly restrictions?: {
    readonly powers?: readonly string[];
    readonly money_ceiling?: number | string | null;
  } | null;
}

/**
 * Returns the entire content after the change. Rejects unknown calls, so none can be granted before
 * it exists.
 */
function contentOf(given: ContentIn, before: RoleRow | undefined) {
  const permissions = unique(given.permissions ?? before?.permissions ?? []);
  const unknown = permissions.find((call) => !ENDPOINTS.has(call));
  if (unknown !== undefined) return new Refused('role_call_unknown', { name: unknown });
  const { restrictions } = given;
  const ceiling = restrictions === undefined ? before?.moneyCeiling : restrictions?.money_ceiling;
  const moneyCeiling = ceiling === undefined || ceiling === null ? null : plainDecimal(ceiling);
  if (moneyCeiling instanceof Refused) return moneyCeiling;
  const powers = restrictions === undefined ? before?.powers : restrictions?.powers;
  return {
    description: given.description ?? before?.description ?? '',
    color: given.color ?? before?.color ?? '',
    permissions,
    configs: unique(given.configs ?? before?.configs ?? []),
    powers: unique(powers ?? []),
    moneyCeiling,
  };
}

async function requireRole(
  { registry }: Dependencies,
  id: number,
): Promise<RoleRow | Refused<'role_not_found'>> {
  const role = await findRole(registry, id);
  if (role === undefined) return new Refused('role_not_found');
  return role;
}

async function answerRole(dependencies: Dependencies, id: number) {
  const role = await requireRole(dependencies, id);
  return role instanceof Refused ? role : roleJson(role);
}

function roleJson(role: RoleRow): RoleJson {
  const { moneyCeiling } = role;
  return {
    id: role.id,
    name: role.name,
    description: role.description,
    color: role.color,
    permissions: [...role.permissions],
    configs: [...role.configs],
    restrictions: {
      powers: [...role.powers],
      money_ceiling: moneyCeiling === null ? null : decimal(moneyCeiling),
    },
    created_at: timeText(role.createdAt.getTime()),
    updated_at: timeText(role.updatedAt.getTime()),
  };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** A file at `/csv` needs the call of its list, so it has no separate name. */
function operatorCalls(): ReadonlySet<string> {
  const all = Object.values<Route>(routes)
    .filter(({ isFile, permission }) => permission.who === 'operator' && isFile !== true)
    .map(operatorCall);
  return new Set(all.sort());
}

const PLAIN = /^(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;

/** Thresholds and ceilings are stored as given, so only plain decimals from zero are accepted. */
export function plainDecimal(given: number | string): string | Refused<'request_invalid'> {
  const text = `${given}`;
  if (!PLAIN.test(text)) {
    return new Refused('request_invalid', { detail: `Expected a decimal, got ${text}` });
  }
  return text;
}
