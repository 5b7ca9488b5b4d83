// Faults in the rules of operators' access: who gives which role, who gets hold of which account,
// and who sends mails to many.

import type { Fault } from '../fault.ts';

const ACCESS = 'features/auth/admin/access.ts';
const TARGET = 'features/approvals/target-user.ts';
const STATES = 'features/accounts/admin/account-state.ts';
const ROLES = 'features/approvals/admin/roles.ts';
const RAW_MAILS = 'features/messages/admin/raw-mail-sums.ts';
const FIRST = 'features/exchange-config/first-administrator.ts';
const ROLE_AGE = 'features/approvals/powers.ts';

export const ACCESS_FAULTS: readonly Fault[] = [
  {
    name: 'operators give roles with more than their own',
    file: ACCESS,
    find: "  if (!covers(operator, content)) return new Refused('role_exceeds_own');\n",
    replace: '',
  },
  {
    name: 'a role with every permission is given if it has another name',
    file: ACCESS,
    find: "if (role === 'admin' || content.permissions.includes(EVERYTHING)) {",
    replace: "if (role === 'admin') {",
  },
  {
    name: 'the sessions of a user with a new role go on',
    file: ACCESS,
    find: "await applySecurityChange(connection, { user: id, reason: 'role_changed', holdMs: 0 });",
    replace: '',
  },
  {
    name: 'operators act on those who may do more',
    file: TARGET,
    find: "if (!covers(operator, target.roleContent)) return new Refused('act_on_higher_role');",
    replace: '',
  },
  {
    name: 'two people take over the account of a voter',
    file: TARGET,
    find: '{ ...assessment, approvals: 2 }',
    replace: '{ ...assessment, approvals: 1 }',
  },
  {
    name: 'a voter whose account changed hands votes at once',
    file: ROLE_AGE,
    find: 'set role_since = greatest(now(), to_timestamp($2 / 1000.0))',
    replace: 'set role_since = least(role_since, to_timestamp($2 / 1000.0))',
  },
  {
    name: 'the last administrator can be frozen',
    file: STATES,
    find: 'return ids.includes(user) && ids.length === 1;',
    replace: 'return ids.includes(user) && ids.length === 0;',
  },
  {
    name: 'an edited role has powers that its editor lacks',
    file: ROLES,
    find: 'beyond(own.powers, given.powers)',
    replace: 'undefined',
  },
  {
    name: 'people vote on the change of their own role',
    file: ROLES,
    find: '      beneficiaries: holders,\n',
    replace: '',
  },
  {
    name: 'people with a new power vote at once',
    file: ROLES,
    find: '    if (isMore(before, after)) await restartRoleAge(context, holders);\n',
    replace: '',
  },
  {
    name: 'the sessions of a changed role go on',
    file: ROLES,
    find: "await applySecurityChange(connection, { user, reason: 'role_changed', holdMs: 0 });",
    replace: '',
  },
  {
    name: 'a raw mail to many is sent in parts',
    file: RAW_MAILS,
    find: 'Number(unapproved) + receivers',
    replace: 'receivers',
  },
  {
    name: 'a raw mail to very many is approved in parts',
    file: RAW_MAILS,
    find: 'Number(not_twice) + receivers',
    replace: 'receivers',
  },
  {
    name: 'anybody signs up as the first administrator',
    file: FIRST,
    find: '!(await isSetupToken(connection, token))',
    replace: 'false',
  },
];
