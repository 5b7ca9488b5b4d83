// API calls by area, and which role has each. Built from the exchange's own lists, so a new call
// appears automatically.

import type { Role } from '../../../client/index.ts';

export interface MatrixRow {
  /** For example `/admin/users:get`. */
  readonly call: string;
  readonly has: readonly boolean[];
}

export interface MatrixArea {
  readonly area: string;
  readonly rows: readonly MatrixRow[];
}

const EVERYTHING = '*';

export function matrixOf(
  endpoints: readonly string[],
  roles: readonly Pick<Role, 'permissions'>[],
  filter = '',
): MatrixArea[] {
  const areas = new Map<string, MatrixRow[]>();
  for (const call of endpoints.toSorted()) {
    if (!call.includes(filter.trim().toLowerCase())) continue;
    const area = areaOf(call);
    const has = roles.map(
      ({ permissions }) => permissions.includes(EVERYTHING) || permissions.includes(call),
    );
    areas.set(area, [...(areas.get(area) ?? []), { call, has }]);
  }
  return [...areas].map(([area, rows]) => ({ area, rows }));
}

/** Returns the first word after `/admin/`, such as `user` for `/admin/user/note:put`. */
function areaOf(call: string): string {
  return /^\/admin\/([a-z]+)/.exec(call)?.[1] ?? call;
}

/** Returns all powers that any role has, sorted. */
export function powersOf(roles: readonly Pick<Role, 'restrictions'>[]): string[] {
  return [...new Set(roles.flatMap(({ restrictions }) => restrictions.powers))].toSorted();
}

/** Returns the list with the value added, or without it. */
export function toggled(list: readonly string[], value: string): readonly string[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
}

/** Returns the calls and powers that a role does not have yet. */
export function grantedBy(
  role: Pick<Role, 'permissions' | 'restrictions'> | undefined,
  {
    permissions,
    powers,
  }: { readonly permissions: readonly string[]; readonly powers: readonly string[] },
): readonly string[] {
  const held = [...(role?.permissions ?? []), ...(role?.restrictions.powers ?? [])];
  return [...permissions, ...powers].filter((one) => !held.includes(one));
}
