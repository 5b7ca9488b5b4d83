// Faults in operator access rules: who grants which role, who gains access to which account, and
// who sends bulk email.

import type { FaultTable } from '../fault.ts';

export const ACCESS_FAULTS: FaultTable = {
  'features/auth/admin/access.ts': {
    'operators grant roles with more permissions than their own': {
      in: 'requireGrantable',
      drop: 'covers',
    },
    'a role with every permission is granted if it has another name': {
      in: 'requireGrantable',
      remove: '|| content.permissions.includes(EVERYTHING)',
    },
    'the sessions of a user with a new role stay valid': {
      in: 'setRoleAct',
      drop: 'applySecurityChange',
    },
  },
  'features/approvals/target-user.ts': {
    'operators change users with more permissions': { in: 'lockTarget', drop: 'covers' },
    "two operators take over a voter's account": { in: 'guardVoter.approvals', value: '1' },
  },
  'features/approvals/powers.ts': {
    'a voter whose account changed hands votes immediately': {
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
    'an edited role has permissions that its editor lacks': {
      in: 'exceeds',
      replace: ['beyond(own.powers, given.powers)', 'undefined'],
    },
    'operators vote on changes to their own role': {
      in: 'changeRole',
      remove: 'beneficiaries: holders,',
    },
    'operators with a new permission vote immediately': { in: 'changeRole', drop: 'isMore' },
    'the sessions of a changed role stay valid': { in: 'changeRole', drop: 'applySecurityChange' },
  },
  'features/messages/admin/send-mail.ts': {
    'a raw email to many users is sent in parts': {
      in: 'approvalsForReceivers',
      remove: 'Number(unapproved) +',
    },
    'a raw email to very many users is approved in parts': {
      in: 'approvalsForReceivers',
      remove: 'Number(not_twice) +',
    },
  },
  'features/exchange-config/first-administrator.ts': {
    'anyone can sign up as the first administrator': {
      in: 'createFirstAdministrator',
      never: 'isSetupToken',
    },
  },
};
