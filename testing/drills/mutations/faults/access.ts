// Faults in operator access rules: who grants which role, who gains access to which account, and
// who sends bulk email.

import type { FaultTable } from '../fault.ts';

export const ACCESS_FAULTS: FaultTable = {
  'features/auth/admin/access.ts': {
    'operators give roles with more than their own': { in: 'requireGrantable', drop: 'covers' },
    'a role with every permission is given if it has another name': {
      in: 'requireGrantable',
      remove: '|| content.permissions.includes(EVERYTHING)',
    },
    'the sessions of a user with a new role go on': {
      in: 'setRoleAct',
      drop: 'applySecurityChange',
    },
  },
  'features/approvals/target-user.ts': {
    'operators act on those who may do more': { in: 'lockTarget', drop: 'covers' },
    'two people take over the account of a voter': { in: 'guardVoter.approvals', value: '1' },
  },
  'features/approvals/powers.ts': {
    'a voter whose account changed hands votes at once': {
      in: 'restartRoleAge',
      replace: ['greatest(now()', 'least(role_since'],
    },
  },
  'features/accounts/admin/account-state.ts': {
    'the last administrator can be frozen': {
      in: 'isLastAdministrator',
      replace: ['=== 1', '=== 0'],
    },
  },
  'features/approvals/admin/roles.ts': {
    'an edited role has powers that its editor lacks': {
      in: 'exceeds',
      replace: ['beyond(own.powers, given.powers)', 'undefined'],
    },
    'people vote on the change of their own role': {
      in: 'changeRole',
      remove: 'beneficiaries: holders,',
    },
    'people with a new power vote at once': { in: 'changeRole', drop: 'isMore' },
    'the sessions of a changed role go on': { in: 'changeRole', drop: 'applySecurityChange' },
  },
  'features/messages/admin/raw-mail-sums.ts': {
    'a raw mail to many is sent in parts': {
      in: 'approvalsForReceivers',
      remove: 'Number(unapproved) +',
    },
    'a raw mail to very many is approved in parts': {
      in: 'approvalsForReceivers',
      remove: 'Number(not_twice) +',
    },
  },
  'features/exchange-config/first-administrator.ts': {
    'anybody signs up as the first administrator': {
      in: 'createFirstAdministrator',
      never: 'isSetupToken',
    },
  },
};
