// Faults in what operators see of people: masks, budgets, reveals, exports.

import type { Fault } from '../fault.ts';

const CONSOLE_SEARCH = 'features/reports/search/admin-search.ts';
const CONSOLE_TIMELINE = 'features/reports/user-timeline.ts';
const EXPORTS = 'features/pii-access/exports.ts';
const LOOK_UPS = 'features/pii-access/look-ups.ts';
const MASKED_VALUES = 'features/pii-access/masked-values.ts';
const MASKS = 'features/pii-access/masks.ts';
const PERSONAL_VIEW = 'features/pii-access/personal-view.ts';
const REVEALS = 'features/pii-access/reveals.ts';
const USER_LIST = 'features/pii-access/user-list.ts';

export const PEOPLE_FAULTS: readonly Fault[] = [
  {
    name: 'a supervisor reads clear text in solo mode',
    file: PERSONAL_VIEW,
    find: 'if (await actsAlone(statements, { role })) return CLEAR;',
    replace: "if (await actsAlone(statements, { role: 'admin' })) return CLEAR;",
  },
  {
    name: 'a key without the grant reads clear text in team mode',
    file: PERSONAL_VIEW,
    find: 'grant?.mayReadPersonal === true ? CLEAR : MASKED',
    replace: "grant?.mayReadPersonal === true || credential.startsWith('key') ? CLEAR : MASKED",
  },
  {
    name: 'a mask shows four characters of a phone number',
    file: MASKS,
    find: 'const LAST_SHOWN = 2;',
    replace: 'const LAST_SHOWN = 4;',
  },
  {
    name: 'a mask that an operator sends back is stored',
    file: MASKED_VALUES,
    find: "  if (present !== '' && sent === mask(present)) return present;\n",
    replace: '',
  },
  {
    name: 'an operator looks up one person more than the budget',
    file: LOOK_UPS,
    find: 'limit - 1]',
    replace: 'limit]',
  },
  {
    name: 'support reads rows of all users',
    file: LOOK_UPS,
    find: "subject === undefined && !powers.has('pii.search')",
    replace: 'false',
  },
  {
    name: 'personal filters confirm values of a named person',
    file: USER_LIST,
    find: 'return personal.length > 0 ?',
    replace: 'return personal.length < 0 ?',
  },
  {
    name: 'a reveal never ends',
    file: REVEALS,
    find: 'subject_id = $2 and expires_at > $3\n     order by id desc',
    replace: 'subject_id = $2 and $3::timestamptz is not null\n     order by id desc',
  },
  {
    name: 'a reveal that nobody reviews has no consequence',
    file: REVEALS,
    find: "(verdict = 'unjustified' or (verdict is null and created_at < $2))",
    replace: "(verdict = 'unjustified' and created_at < $2)",
  },
  {
    name: 'a new operator reviews reveals',
    file: 'features/pii-access/admin.ts',
    find: 'user: reviewer, power: REVIEW_POWER, nowMs }',
    replace: 'user: reviewer, power: REVIEW_POWER, nowMs: 2 * nowMs }',
  },
  {
    name: 'an export leaves no entry in the audit',
    file: EXPORTS,
    find: 'const id = idOf<number>(rows[0].id);\n',
    replace: 'const id = idOf<number>(rows[0].id);\n  if (id > 0) return id;\n',
  },
  {
    name: 'a broken download is recorded as complete',
    file: 'services/gateway-http/http-exchange.ts',
    find: 'onEnd?.(fault == null);',
    replace: 'onEnd?.(true);',
  },
  {
    name: 'the end of an export is recorded a second time',
    file: EXPORTS,
    find: "where id = $1 and state = 'sending' returning list",
    replace: 'where id = $1 returning list',
  },
  {
    name: 'the search box finds types that the role may not read',
    file: CONSOLE_SEARCH,
    find: 'isAsked && types.has(type)',
    replace: 'isAsked && types.size > 0',
  },
  {
    name: 'the search box shows the e-mail address of a user',
    file: CONSOLE_SEARCH,
    find: 'words(view.email(email), ',
    replace: 'words(email, ',
  },
  {
    name: 'a page of the timeline loses entries of the moment at which it ends',
    file: CONSOLE_TIMELINE,
    find: ' < $4::bigint))',
    replace: ' < 0))',
  },
  {
    name: 'an approved export of personal data is taken twice',
    file: EXPORTS,
    find: 'and used_at is null and allowed_at > $5',
    replace: 'and allowed_at > $5',
  },
];
