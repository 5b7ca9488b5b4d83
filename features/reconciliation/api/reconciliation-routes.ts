// Reconciliation: what was compared, what differs, and the declared holdings.

import {
  CurrencyIn,
  DecimalIn,
  defineRoute,
  NO_QUERY,
  Type,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { DeclaredHolding, ReconciliationState } from './reconciliation.ts';

export const reconciliationRoutes = {
  getReconciliation: defineRoute({
    method: 'GET',
    path: '/v2/admin/reconciliation',
    summary: 'Money checks, open discrepancies and declared holdings',
    description:
      'Balance records are compared continuously; a discrepancy stays open until it is gone.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'can_read', sessions: true },
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: ReconciliationState,
    isRialtoOnly: true,
  }),
  declareHolding: defineRoute({
    method: 'PUT',
    path: '/v2/admin/holding',
    summary: 'Declare how much of a coin the exchange holds in its wallets and banks',
    description: 'The total that you counted, for comparison with what the exchange owes.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'any', sessions: true, personOnly: true },
    roles: [],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        currency: CurrencyIn,
        amount: DecimalIn,
        note: Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'How the holdings were counted.',
        }),
      },
      { title: 'HoldingIn' },
    ),
    status: 200,
    response: DeclaredHolding,
    mayWait: true,
    isRialtoOnly: true,
  }),
};
