// Ledger for operators and accountants: totals, balances and postings, now or as of a position, and
// the effect of other trading fees on the past.

import {
  CurrencyIn,
  DecimalIn,
  defineRoute,
  FormatIn,
  listFile,
  listQuery,
  NO_QUERY,
  oneOf,
  SymbolIn,
  sample,
  Type,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { FeeEffects } from './fee-effect.ts';
import { LedgerBalances, LedgerPostings, LedgerTotals } from './ledger.ts';

const AsOfIn = Type.Unsafe<string>({
  type: 'string',
  maxLength: 40,
  anyOf: [{ pattern: '^[0-9]{1,15}$' }, { format: 'date-time' }],
  description:
    'A frame or a time: includes everything at or before it. A date is midnight UTC at its ' +
    'start. Defaults to now.',
});

const position = { as_of: Type.Optional(AsOfIn) };
const account = {
  user_id: Type.Optional(UserIdIn),
  account: Type.Optional(
    oneOf(['fees', 'external'], 'An account of the exchange itself, instead of `user_id`.'),
  ),
};
const read = {
  method: 'GET',
  tag: 'operator',
  permission: { who: 'operator', scope: 'can_read', sessions: true },
  effect: 'read',
  status: 200,
  isRialtoOnly: true,
} as const;

const { limit } = listQuery({}).properties;

const getLedgerPostings = defineRoute({
  ...read,
  lookUp: true,
  weight: WEIGHT_LIST,
  path: '/v2/admin/ledger/postings',
  roles: ['supervisor', 'manager', 'auditor'],
  summary: 'Postings of an account, a command or a frame, newest first',
  description: 'Every change names its cause in the log.',
  query: Type.Object({
    ...account,
    command: Type.Optional(Type.Integer({ minimum: 1 })),
    frame: Type.Optional(Type.Integer({ minimum: 1 })),
    currency: Type.Optional(CurrencyIn),
    ...position,
    before: sample(
      Type.Optional(
        Type.String({
          maxLength: 100,
          pattern: '^[0-9]{1,15}(?:[.][0-9]{1,16}){3}[.]-?[0-9]{1,15}$',
          description: 'From the previous page.',
        }),
      ),
      '20481.0.0.1.7',
    ),
    format: FormatIn,
    limit,
  }),
  response: LedgerPostings,
  csv: true,
});

export const ledgerRoutes = {
  getLedgerTotals: defineRoute({
    ...read,
    weight: WEIGHT_HEAVY,
    path: '/v2/admin/ledger/totals',
    roles: ['supervisor', 'manager', 'auditor'],
    summary: 'The totals of all accounts by currency, which add up to zero',
    description: 'For now or any time in the past.',
    query: Type.Object(position),
    response: LedgerTotals,
  }),
  getLedgerBalances: defineRoute({
    ...read,
    lookUp: true,
    weight: WEIGHT_LIST,
    path: '/v2/admin/ledger/balances',
    roles: ['supervisor', 'manager', 'auditor'],
    summary: 'The balances of a user or of an exchange account',
    description: 'For now or any time in the past.',
    query: Type.Object({ ...account, ...position }),
    response: LedgerBalances,
  }),
  getLedgerPostings,
  getLedgerPostingsFile: listFile(getLedgerPostings),
  estimateFees: defineRoute({
    ...read,
    method: 'POST',
    weight: WEIGHT_HEAVY,
    path: '/v2/admin/fees/effect',
    roles: ['manager', 'auditor'],
    summary: 'The fees that other rates would have produced in the last 30 days',
    description: 'Recomputes the fills of the last 30 days; changes nothing.',
    query: NO_QUERY,
    body: Type.Object(
      {
        pair: Type.Optional(SymbolIn),
        fees: Type.Optional(
          Type.Unsafe<Record<string, Record<string, unknown>>>({
            type: 'object',
            description: '`maker` and `taker` in percent by pair and tier; with `pair`, by tier.',
          }),
        ),
        discount: Type.Optional(
          Type.Unsafe<number | string>({
            ...DecimalIn,
            description: 'Instead of fees: percent off the current fees of all pairs and tiers.',
          }),
        ),
      },
      { title: 'FeeProposalIn' },
    ),
    response: FeeEffects,
  }),
};
