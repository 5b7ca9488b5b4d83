// Faults in what operators see about users: masks, budgets, reveals, exports.

import type { FaultTable } from '../fault.ts';

export const PEOPLE_FAULTS: FaultTable = {
  'features/pii-access/personal-view.ts': {
    'a supervisor reads unmasked values in solo mode': {
      in: 'viewOf',
      replace: ['{ role }', "{ role: 'admin' }"],
    },
    'a key without the grant reads unmasked values in team mode': {
      in: 'viewOf',
      replace: ['true ?', "true || credential.startsWith('key') ?"],
    },
  },
  'features/pii-access/masks.ts': {
    'a mask shows four characters of a phone number': { in: 'LAST_SHOWN', value: '4' },
  },
  'features/pii-access/masked-values.ts': {
    'a mask sent back by an operator is stored': { in: 'unmaskText', drop: 'mask' },
  },
  'features/pii-access/look-ups.ts': {
    'an operator looks up one user more than the budget': {
      in: 'oldestThatCounts',
      remove: '- 1',
    },
    'support reads rows of all users': { in: 'admitRead', never: 'undefined &&' },
  },
  'features/pii-access/user-list.ts': {
    'personal filters confirm values of a named user': {
      in: 'confirmsPerson',
      replace: ['> 0 ?', '< 0 ?'],
    },
  },
  'features/pii-access/reveals.ts': {
    'a reveal never expires': {
      in: 'openReveal',
      replace: ['expires_at > $3', '$3::timestamptz is not null'],
    },
    'an unreviewed reveal has no consequence': {
      in: 'refuseReveal',
      replace: ['or (verdict is null and created_at < $2)', 'and created_at < $2'],
    },
  },
  'features/pii-access/admin.ts': {
    'a new operator reviews reveals': {
      in: 'refuseReviewer',
      replace: [', nowMs', ', nowMs: 2 * nowMs'],
    },
  },
  'features/pii-access/exports.ts': {
    'an export leaves no audit entry': {
      in: 'record',
      replace: ['await appendAudit', 'if (id > 0) return id; await appendAudit'],
    },
    'the end of an export is recorded a second time': {
      in: 'endExport',
      remove: "and state = 'sending'",
    },
    'an approved export of personal data is used twice': {
      in: 'takeUp',
      remove: 'used_at is null and',
    },
  },
  'services/gateway-http/http-exchange.ts': {
    'a broken download is recorded as complete': {
      in: 'HttpExchange.stream',
      replace: ['fault == null', 'true'],
    },
  },
  'features/reports/search/admin-search.ts': {
    'the search box finds types that the role cannot read': {
      in: 'exactStatement',
      replace: ['has(type)', 'size > 0'],
    },
    "the search box shows a user's email address": {
      in: 'TITLES',
      replace: ['view.email(email)', 'email'],
    },
  },
  'features/reports/user-timeline.ts': {
    'a timeline page loses entries at the moment where it ends': {
      in: 'selectOf',
      replace: ['$4::bigint', '0'],
    },
  },
};
