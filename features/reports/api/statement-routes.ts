// Account statements: balances before and after a period, and every posting between them.

import type { Static } from 'typebox';
import {
  CurrencyIn,
  Decimal,
  defineRoute,
  field,
  MomentIn,
  oneOf,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
  UserIdIn,
  WEIGHT_HEAVY,
} from '../../../protocol/wire/index.ts';
import { LedgerPosition } from './ledger.ts';

export const AccountStatement = Type.Object(
  {
    user_id: Type.Integer(),
    start_date: field(Timestamp, 'Start of the period.', '2026-01-01T00:00:00.000Z'),
    end_date: field(
      TimestampOrNull,
      'End of the period, not included. Null for now.',
      '2026-02-01T00:00:00.000Z',
    ),
    position: LedgerPosition,
    balances: field(
      Type.Array(
        Type.Object({
          currency: Type.String(),
          opening: field(Decimal, 'Available and on hold at the start.', 1.25),
          opening_held: field(Decimal, 'On hold at the start.', 0.25),
          closing: field(Decimal, 'Available and on hold at the end.', 1.5),
          closing_held: field(Decimal, 'On hold at the end.', 0),
        }),
      ),
      'Balances by currency.',
    ),
  },
  { title: 'AccountStatement' },
);
export type AccountStatement = Static<typeof AccountStatement>;

const period = {
  start_date: sample(MomentIn, '2026-01-01'),
  end_date: Type.Optional(
    Type.String({ ...MomentIn, description: 'Not included. Defaults to now.' }),
  ),
  currency: Type.Optional(CurrencyIn),
  format: Type.Optional(
    oneOf(['csv', 'pdf'], 'A file with every posting; balances as JSON by default.'),
  ),
};

const common = {
  method: 'GET',
  effect: 'read',
  weight: WEIGHT_HEAVY,
  status: 200,
  response: AccountStatement,
  isRialtoOnly: true,
  csv: true,
  pdf: true,
} as const;

const description =
  'A file has the opening balance, every posting with its cause and the balance after it, and ' +
  'the closing balance of each currency. A PDF has at most 50,000 postings.';

export const statementRoutes = {
  getStatement: defineRoute({
    ...common,
    path: '/v2/user/statement',
    summary: 'Your account statement for a period',
    description,
    tag: 'user',
    permission: { who: 'user', scope: 'can_read', sessions: true },
    query: Type.Object(period),
  }),
  getStatementOfUser: defineRoute({
    ...common,
    lookUp: true,
    path: '/v2/admin/user/statement',
    summary: 'The account statement of a user for a period',
    description,
    tag: 'operator',
    permission: { who: 'operator', scope: 'can_read', sessions: true },
    roles: ['supervisor', 'manager', 'auditor'],
    query: Type.Object({ user_id: UserIdIn, ...period }),
  }),
} as const;
