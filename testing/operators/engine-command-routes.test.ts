// Every engine command, apart from a user's own orders, has an operator call that the audit
// records. A new command kind does not compile until it is in this table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_LAYOUTS } from '../../core/messages/command-layout.ts';
import type { Command } from '../../core/messages/index.ts';
import { type Route, routes } from '../../protocol/index.ts';

/** user: sent for a user's own orders. system: sent by the exchange automatically. */
const CALLS: Record<Command['kind'], readonly string[] | 'user' | 'system'> = {
  PlaceOrder: 'user',
  CancelOrder: 'user',
  CancelOrderByClientId: 'user',
  CancelAllOrders: 'user',
  AmendOrder: 'user',
  ExecuteQuote: 'user',
  CheckOrder: 'user',
  SetDeadManSwitch: 'user',
  AnchorAudit: 'system',
  TradeDirectly: ['POST /v2/admin/trade'],
  CreditDeposit: ['POST /v2/admin/mint', 'PUT /v2/admin/mint'],
  MintAsset: ['POST /v2/admin/mint', 'PUT /v2/admin/mint'],
  BurnAsset: ['POST /v2/admin/burn'],
  TransferAsset: ['POST /v2/admin/transfer'],
  OpenWithdrawal: ['POST /v2/admin/withdrawal'],
  CompleteWithdrawal: ['PUT /v2/admin/burn'],
  CancelWithdrawal: ['PUT /v2/admin/burn'],
  SettleFees: ['GET /v2/admin/fees/settle'],
  ListAsset: ['POST /v2/admin/coin'],
  SetIssuanceCap: ['PUT /v2/admin/coin'],
  ListMarket: ['POST /v2/admin/pair'],
  SetMarketStatus: [
    'PUT /v2/admin/pair',
    'POST /v2/admin/switches/stop',
    'POST /v2/admin/switches/resume',
  ],
  SetMarketFees: ['PUT /v2/admin/pair/fees', 'POST /v2/admin/tier'],
  SetPriceBand: ['PUT /v2/admin/pair/band', 'PUT /v2/admin/pair'],
  SetUserFees: ['PUT /v2/admin/user/discount', 'POST /v2/admin/upgrade-user'],
  SetUserGroup: ['PUT /v2/admin/user/group'],
  SetLimits: ['PUT /v2/admin/limits'],
  VoidCommand: ['POST /v2/admin/void-command'],
  SetRulesVersion: ['PUT /v2/admin/rules-version'],
};

const table = new Map(
  Object.values<Route>(routes).map((route) => [`${route.method} ${route.path}`, route]),
);

test('every command kind in the log is in the table', () => {
  assert.deepEqual(Object.keys(CALLS).sort(), Object.keys(COMMAND_LAYOUTS).sort());
});

for (const [kind, calls] of Object.entries(CALLS)) {
  if (typeof calls === 'string') continue;
  test(`${kind} has an operator call`, () => {
    for (const call of calls) {
      const route = table.get(call);
      assert.equal(route?.permission.who, 'operator', call);
      assert.notEqual(route?.effect, 'read', call);
    }
  });
}
