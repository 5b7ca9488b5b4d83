// Surveillance as operators see it: findings with evidence, rules with parameters, and trials.

import type { Static } from 'typebox';
import {
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

export const SURVEILLANCE_RULES = [
  'price_band',
  'self_trade',
  'cancel_ratio',
  'unusual_withdrawal',
  'new_country',
] as const;
export const FINDING_STATES = ['open', 'taken', 'closed'] as const;
export type FindingState = (typeof FINDING_STATES)[number];
export const FINDING_RESULTS = ['no_issue', 'warned', 'frozen', 'reported'] as const;
export type FindingResult = (typeof FINDING_RESULTS)[number];

const IdOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const RuleName = oneOf(SURVEILLANCE_RULES);
const ResultOrNull = Type.Unsafe<FindingResult | null>({
  anyOf: [oneOf(FINDING_RESULTS), { type: 'null' }],
});

const findingFields = {
  id: Type.Integer(),
  rule: RuleName,
  user_id: Type.Integer(),
  object: Type.String({ description: 'For example `market btc-usdt` or `withdrawal 12`.' }),
  score: Type.Integer({
    description: 'The sum of its evidence. At 100, a limit is just reached.',
  }),
  evidence_count: field(Type.Integer(), 'Number of pieces of evidence.', 4),
  first_seen_at: field(Timestamp, 'When it was first seen.'),
  last_seen_at: field(Timestamp, 'When it was last seen.'),
  state: oneOf(FINDING_STATES),
  result: ResultOrNull,
  taken_by: IdOrNull,
  taken_at: field(TimestampOrNull, 'When an operator claimed it; null if unclaimed.'),
  closed_at: field(TimestampOrNull, 'When it was closed; null if it is open.'),
};

export const Finding = Type.Object(findingFields, { title: 'Finding' });
export type Finding = Static<typeof Finding>;

export const FindingEvidence = Type.Object(
  {
    seen_at: field(Timestamp, 'When it was seen.'),
    score: Type.Integer(),
    figures: Type.Unknown({ description: 'IDs and numbers from the rule; no personal values.' }),
    calls: sample(Type.Array(Type.String(), { description: 'Endpoints that show the rows.' }), [
      'GET /v2/admin/orders',
    ]),
  },
  { title: 'FindingEvidence' },
);
export type FindingEvidence = Static<typeof FindingEvidence>;

export const FindingDetail = Type.Object(
  {
    ...findingFields,
    note: Type.Unsafe<string | null>({
      ...StringOrNull,
      description: 'Only in the login session of an operator who can close findings.',
    }),
    evidence: Type.Array(FindingEvidence, { description: 'Newest first.' }),
  },
  { title: 'FindingDetail' },
);
export type FindingDetail = Static<typeof FindingDetail>;

export const RuleParameters = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'integer' },
});

export const SurveillanceRule = Type.Object(
  {
    rule: RuleName,
    is_on: Type.Boolean(),
    parameters: RuleParameters,
    ranges: field(
      Type.Array(
        Type.Object({
          name: Type.String(),
          min: Type.Integer(),
          max: Type.Integer(),
          looser: oneOf(['up', 'down', 'both'], 'A change in this direction needs approval.'),
        }),
      ),
      'The range of each parameter.',
    ),
    updated_at: Timestamp,
    checked_to: Type.Unsafe<Static<typeof TimestampOrNull>>({
      ...TimestampOrNull,
      description: 'Rows up to this time have been checked.',
    }),
  },
  { title: 'SurveillanceRule' },
);
export type SurveillanceRule = Static<typeof SurveillanceRule>;

export const SurveillanceTrial = Type.Object(
  {
    rule: RuleName,
    from: Type.Unsafe<Static<typeof Timestamp>>({
      ...Timestamp,
      description: 'Later than requested if there were too many commands.',
    }),
    to: Timestamp,
    findings_count: Type.Integer({ description: 'Of users and objects; 1000 signs at most.' }),
    users_count: field(Type.Integer(), 'Number of users that would have been found.', 3),
    data: Type.Array(
      Type.Object({
        user_id: Type.Integer(),
        object: Type.String(),
        score: Type.Integer(),
        figures: Type.Unknown(),
      }),
      { description: 'The first signs, highest score first.' },
    ),
  },
  { title: 'SurveillanceTrial' },
);
export type SurveillanceTrial = Static<typeof SurveillanceTrial>;
