// The default roles that a new database must have: the calls that the routes declare, additional
// permissions and kit keys.

import { type Route, routes } from '../../protocol/index.ts';
import { DEFAULT_ROLES, type DefaultRole, operatorCall } from '../../protocol/wire/index.ts';

/** Permissions in addition to the calls. */
export const POWERS_OF: Readonly<Record<DefaultRole, readonly string[]>> = {
  supervisor: [
    'approve.money',
    'approve.access',
    'switch.stop',
    'switch.resume',
    'break_glass',
    'pii.search',
  ],
  manager: ['switch.stop', 'pii.search'],
  support: [],
  kyc: ['pii.unmasked', 'pii.search'],
  communicator: [],
  announcer: [],
  auditor: ['export', 'pii.search'],
};

/** Writable kit keys. */
export const CONFIGS_OF: Readonly<Record<DefaultRole, readonly string[]>> = {
  supervisor: [],
  manager: [],
  support: [],
  kyc: [],
  communicator: ['title', 'description', 'links', 'strings'],
  announcer: [],
  auditor: [],
};

/** Returns sorted calls in the stored form of roles. */
export function callsOf(role: DefaultRole): string[] {
  return Object.values<Route>(routes)
    .filter(({ isFile, roles }) => isFile !== true && roles?.includes(role))
    .map(operatorCall)
    .sort();
}

/** Returns statements for a new migration if stored roles differ from the routes. */
export function missingMigration(stored: ReadonlyMap<string, readonly string[]>): string[] {
  return DEFAULT_ROLES.flatMap((role) => {
    const [declared, held] = [new Set(callsOf(role)), new Set(stored.get(role))];
    const added = [...declared.difference(held)].map(
      (call) => `update roles set permissions = permissions || '{${call}}' where name = '${role}';`,
    );
    const removed = [...held.difference(declared)].map(
      (call) =>
        `update roles set permissions = array_remove(permissions, '${call}') ` +
        `where name = '${role}';`,
    );
    return [...added, ...removed];
  });
}
