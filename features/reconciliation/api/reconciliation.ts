// Reconciliation as operators see it: the position of each check, discrepancies, and declared
// holdings.

import type { Static } from 'typebox';
import {
  Decimal,
  field,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

const FrameOrNull = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description:
    'The compared frame: that of the tables for balances and entries, else the last one read.',
});

export const ReconciliationCheck = Type.Object(
  {
    name: Type.String(),
    frame: FrameOrNull,
    rows_compared: sample(Type.Integer({ description: 'In the last step.' }), 10000),
    checked_at: field(Timestamp, 'When the check ran.'),
    passed_at: Type.Unsafe<Static<typeof TimestampOrNull>>({
      ...TimestampOrNull,
      description: 'When the last full pass ended.',
    }),
  },
  { title: 'ReconciliationCheck' },
);

export const ReconciliationDifference = Type.Object(
  {
    id: Type.Integer(),
    check: Type.String(),
    object: Type.String({
      description: 'For example `account 17 btc available` or `withdrawal 12`.',
    }),
    currency: StringOrNull,
    expected: field(Type.String(), 'The value of one side.', '1.5'),
    found: field(Type.String(), 'The value of the other side.', '1.4'),
    frame: FrameOrNull,
    first_found_at: field(Timestamp, 'When the discrepancy was first found.'),
    found_at: field(Timestamp, 'When it was last found.'),
  },
  { title: 'ReconciliationDifference' },
);

export const DeclaredHolding = Type.Object(
  {
    currency: Type.String(),
    amount: Decimal,
    note: Type.String(),
    declared_by: field(Type.Integer(), 'The operator who declared it.', 2),
    declared_at: field(Timestamp, 'When it was declared.'),
  },
  { title: 'DeclaredHolding' },
);

export const ReconciliationState = Type.Object(
  {
    checks: Type.Array(ReconciliationCheck),
    differences: Type.Array(ReconciliationDifference),
    holdings: field(Type.Array(DeclaredHolding), 'The external holdings declared by operators.'),
  },
  { title: 'ReconciliationState' },
);
export type ReconciliationState = Static<typeof ReconciliationState>;
