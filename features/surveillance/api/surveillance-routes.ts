// Surveillance: the queue of findings, the parameters of its rules, and trials on past data.
// Findings are never shown to users.

import {
  act,
  defineRoute,
  FormatIn,
  field,
  listFile,
  listQuery,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  oneOf,
  pagedList,
  person,
  Type,
  UserIdIn,
  WEIGHT_FILE,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import {
  FINDING_RESULTS,
  FINDING_STATES,
  Finding,
  FindingDetail,
  RuleParameters,
  SURVEILLANCE_RULES,
  SurveillanceRule,
  SurveillanceTrial,
} from './surveillance.ts';

const read = {
  method: 'GET',
  tag: 'operator',
  permission: { who: 'operator', scope: 'can_read', sessions: true },
  effect: 'read',
  status: 200,
  isRialtoOnly: true,
} as const;
const IdIn = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const RuleIn = oneOf(SURVEILLANCE_RULES);
const DAYS_MAX = 90;

const getFindings = defineRoute({
  ...read,
  path: '/v2/admin/findings',
  roles: ['supervisor', 'manager', 'kyc', 'auditor'],
  summary: 'Surveillance findings, highest score first',
  description: 'Filter by rule, user, state or result.',
  weight: WEIGHT_LIST,
  query: listQuery({
    rule: Type.Optional(RuleIn),
    state: Type.Optional(
      oneOf([...FINDING_STATES, 'under_way'], '`under_way` is `open` and `taken`.'),
    ),
    result: Type.Optional(oneOf(FINDING_RESULTS)),
    user_id: Type.Optional(UserIdIn),
    taken_by: Type.Optional(UserIdIn),
    format: FormatIn,
  }),
  response: pagedList(Finding),
  csv: true,
  lookUp: true,
});

export const surveillanceRoutes = {
  getFindings,
  getFindingsFile: listFile(getFindings),
  getFinding: defineRoute({
    ...read,
    path: '/v2/admin/finding',
    roles: ['supervisor', 'manager', 'kyc', 'auditor'],
    summary: 'A finding with its evidence',
    description: 'Evidence names the orders, trades or transfers.',
    weight: WEIGHT_ROW,
    query: Type.Object({ id: IdIn }),
    response: FindingDetail,
    lookUp: true,
  }),
  changeFinding: defineRoute({
    ...act,
    method: 'PUT',
    path: '/v2/admin/finding',
    summary: 'Claim a finding, close it with a result, or reopen it',
    description: 'A closed finding needs a result and a note.',
    permission: person,
    roles: ['supervisor', 'kyc'],
    body: Type.Object(
      {
        id: IdIn,
        action: field(oneOf(['take', 'close', 'reopen']), 'The change to the finding.'),
        result: Type.Optional(oneOf(FINDING_RESULTS, 'Required to close the finding.')),
        note: Type.Optional(Type.String({ maxLength: 2_000, description: 'Stored encrypted.' })),
      },
      { title: 'FindingIn' },
    ),
    response: FindingDetail,
    isRialtoOnly: true,
  }),
  getSurveillanceRules: defineRoute({
    ...read,
    path: '/v2/admin/surveillance/rules',
    roles: ['supervisor', 'manager', 'kyc', 'auditor'],
    summary: 'The surveillance rules and their parameters',
    description: 'Includes the range of each parameter.',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    response: Type.Array(SurveillanceRule),
  }),
  setSurveillanceRule: defineRoute({
    ...act,
    method: 'PUT',
    path: '/v2/admin/surveillance/rules',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Set the parameters of a rule, or enable or disable it',
    description: 'Takes effect with the next run.',
    permission: person,
    roles: ['supervisor'],
    body: Type.Object(
      {
        rule: RuleIn,
        is_on: Type.Optional(Type.Boolean({ description: 'Unchanged by default.' })),
        parameters: Type.Optional(
          Type.Unsafe<Record<string, number>>({
            ...RuleParameters,
            description: 'Omitted parameters keep their values.',
          }),
        ),
      },
      { title: 'SurveillanceRuleIn' },
    ),
    response: SurveillanceRule,
    mayWait: true,
    isRialtoOnly: true,
  }),
  trySurveillanceRule: defineRoute({
    ...read,
    method: 'POST',
    path: '/v2/admin/surveillance/try',
    roles: ['supervisor', 'auditor'],
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Findings that given parameters would have produced in the past; writes nothing',
    description: 'Use it before you change a parameter.',
    weight: WEIGHT_FILE,
    query: NO_QUERY,
    body: Type.Object(
      {
        rule: RuleIn,
        parameters: Type.Optional(RuleParameters),
        days: field(
          Type.Integer({ minimum: 1, maximum: DAYS_MAX }),
          'Number of days to look back.',
          30,
        ),
      },
      { title: 'SurveillanceTrialIn' },
    ),
    response: SurveillanceTrial,
  }),
} as const;
