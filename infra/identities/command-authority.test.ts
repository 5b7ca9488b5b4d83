// The table of senders: every identity with every kind of command, as literals, and the fields that
// narrow it: operators' cancels and channels of money.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Command } from '../../core/messages/index.ts';
import { COMMAND_SENDERS, commandAuthority, kindsOf, MONEY_CHANNELS } from './command-authority.ts';
import { IDENTITIES, type ServiceIdentity } from './identities.ts';

type Kind = Command['kind'];

const KINDS = Object.keys(COMMAND_SENDERS) as Kind[];
const TRADING: readonly Kind[] = [
  'PlaceOrder',
  'CancelOrder',
  'CancelOrderByClientId',
  'CancelAllOrders',
  'AmendOrder',
  'ExecuteQuote',
  'CheckOrder',
  'SetDeadManSwitch',
];
const NEVER_FROM_GATEWAYS: readonly Kind[] = [
  'TradeDirectly',
  'CreditDeposit',
  'MintAsset',
  'BurnAsset',
  'TransferAsset',
  'OpenWithdrawal',
  'CompleteWithdrawal',
  'CancelWithdrawal',
  'SettleFees',
  'ListAsset',
  'SetIssuanceCap',
  'ListMarket',
  'SetMarketStatus',
  'SetMarketFees',
  'SetUserFees',
  'SetUserGroup',
  'SetPriceBand',
  'SetLimits',
  'VoidCommand',
  'AnchorAudit',
  'SetRulesVersion',
];
const EXPECTED: Readonly<Record<ServiceIdentity, readonly Kind[]>> = {
  sequencer: [],
  archivist: [],
  projector: [],
  publisher: [],
  'outbox-dispatcher': ['PlaceOrder', 'CancelOrder', ...NEVER_FROM_GATEWAYS],
  reconciler: [],
  'chain-watcher': [],
  monitor: [],
  notifier: [],
  'gateway-http': TRADING,
  'gateway-identity': ['CancelAllOrders'],
  'gateway-admin': TRADING,
  'gateway-websocket': ['SetDeadManSwitch'],
  'gateway-ws-admin': ['SetDeadManSwitch'],
  'market-agents': [],
};

function commandOf(kind: Kind, fields: object = {}): Command {
  return { kind, ...fields } as unknown as Command;
}

test('abuse 90: 29 kinds of command, each accepted only from its senders', () => {
  assert.equal(KINDS.length, 29);
  for (const mode of ['production', 'development'] as const) {
    const authority = commandAuthority(mode);
    for (const identity of IDENTITIES) {
      const accepted = KINDS.filter((kind) => authority(identity)(commandOf(kind)));
      assert.deepEqual(
        accepted,
        KINDS.filter((kind) => EXPECTED[identity].includes(kind)),
      );
      assert.deepEqual([...kindsOf(identity)].sort(), [...EXPECTED[identity]].sort());
    }
  }
});

test('only the development sandbox can send everything; an unknown sender, nothing', () => {
  const accepted = (mode: 'production' | 'development', sender: string) =>
    KINDS.filter((kind) => commandAuthority(mode)(sender)(commandOf(kind))).length;
  assert.deepEqual(
    [accepted('development', 'sandbox'), accepted('production', 'sandbox')],
    [29, 0],
  );
  for (const sender of ['', '>', '*', 'gateway', 'gateway-http.x', 'toString']) {
    assert.equal(accepted('development', sender), 0, sender);
  }
});

test('only operators can cancel as operators', () => {
  const authority = commandAuthority('production');
  for (const kind of ['CancelOrder', 'CancelAllOrders'] as const) {
    const senders = IDENTITIES.filter((one) =>
      authority(one)(commandOf(kind, { byOperator: true })),
    );
    const expected =
      kind === 'CancelOrder' ? ['outbox-dispatcher', 'gateway-admin'] : ['gateway-admin'];
    assert.deepEqual(senders, expected);
  }
});

test('the dispatcher moves money only on outbox channels', () => {
  const mayItSend = commandAuthority('production')('outbox-dispatcher');
  const accepted = [0, 1, 10, 11, 12, 13, 14, 64].filter((channel) =>
    mayItSend(commandOf('MintAsset', { channel, channelSequence: 1 })),
  );
  assert.deepEqual(
    [accepted, MONEY_CHANNELS],
    [
      [11, 12, 13],
      [11, 12, 13, 14],
    ],
  );
  // On the last one, statements of the registry only.
  const statement = (withdrawal: number) =>
    mayItSend(commandOf('CompleteWithdrawal', { withdrawal, channel: 14, channelSequence: 1 }));
  assert.deepEqual([statement(0), statement(1)], [true, false]);
});
