// Reconciliation as operators see it: where each check is, what differs, and declared holdings.

import { type Static, Type } from 'typebox';
import { Decimal, StringOrNull, Timestamp, TimestampOrNull } from '../../../protocol/wire/index.ts';

const FrameOrNull = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description:
    'The frame that was compared: of the tables for balances and entries, else the last one read.',
});

export const ReconciliationCheck = Type.Object(
  {
    name: Type.String(),
    frame: FrameOrNull,
    rows_compared: Type.Integer({ description: 'In the last step.' }),
    checked_at: Timestamp,
    passed_at: Type.Unsafe<Static<typeof TimestampOrNull>>({
      ...TimestampOrNull,
      description: 'The end of the last pass over everything.',
    }),
  },
  { title: 'ReconciliationCheck' },
);

export const ReconciliationDifference = Type.Object(
  {
    id: Type.Integer(),
    check: Type.String(),
    object: Type.String({ description: '`account 17 btc available`, `withdrawal 12`.' }),
    currency: StringOrNull,
    expected: Type.String(),
    found: Type.String(),
    frame: FrameOrNull,
    first_found_at: Timestamp,
    found_at: Timestamp,
  },
  { title: 'ReconciliationDifference' },
);

export const DeclaredHolding = Type.Object(
  {
    currency: Type.String(),
    amount: Decimal,
    note: Type.String(),
    declared_by: Type.Integer(),
    declared_at: Timestamp,
  },
  { title: 'DeclaredHolding' },
);

export const ReconciliationState = Type.Object(
  {
    checks: Type.Array(ReconciliationCheck),
    differences: Type.Array(ReconciliationDifference),
    holdings: Type.Array(DeclaredHolding),
  },
  { title: 'ReconciliationState' },
);
export type ReconciliationState = Static<typeof ReconciliationState>;
