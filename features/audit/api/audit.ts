// Audit log of operators: entries, and the verification report.

import type { Static } from 'typebox';
import { sample, Timestamp, Type } from '../../../protocol/wire/index.ts';

const integerOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description });

export const AuditEntry = Type.Object(
  {
    id: Type.Integer({ description: 'Without gaps.' }),
    subject: Type.String({
      description: "The operator's email address; `tool` or `system` if there was no operator.",
    }),
    operator_id: integerOrNull("The operator's user ID."),
    credential: Type.String({
      description: 'For example `key 12`, `session 34`, `tool` or `system`.',
    }),
    session_id: integerOrNull("The operator's session."),
    ip: Type.String(),
    description: Type.String({
      description: 'The action and its object, for example `user.freeze user 17`.',
    }),
    act: Type.String(),
    object: Type.String(),
    user_id: integerOrNull('The affected user.'),
    before: Type.Unknown({ description: 'Without personal values.' }),
    after: sample(Type.Unknown({ description: 'Without personal values.' }), null),
    has_personal: Type.Boolean({
      description: "Personal values were changed. They are encrypted with the user's key.",
    }),
    approval_id: integerOrNull('The approved request.'),
    hash: sample(
      Type.String({ description: 'Hexadecimal.' }),
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ),
    timestamp: Timestamp,
    created_at: Timestamp,
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditVerification = Type.Object(
  {
    valid: Type.Boolean(),
    from: Type.Integer({ description: 'The first verified entry.' }),
    to: Type.Integer({ description: 'The last verified entry.' }),
    checkpoints: sample(Type.Integer({ description: 'Number of signed heads compared.' }), 12),
    anchors: sample(
      Type.Integer({ description: 'Number of heads in the command log compared.' }),
      3,
    ),
    findings_count: Type.Integer(),
    findings: Type.Array(
      Type.Object({
        fault: Type.String({ description: '`entry_changed`, `entries_missing` and others.' }),
        id: Type.Integer({ description: 'The entry.' }),
      }),
      { description: 'The first 100 problems.' },
    ),
  },
  { title: 'AuditVerification' },
);
export type AuditVerification = Static<typeof AuditVerification>;
