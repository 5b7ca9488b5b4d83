// Outbox rows that are sent, by writer and by the rows that explain them. Each forgery differs from
// an honest row in one value.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import type { PlayMoney } from '../../../features/payments/index.ts';
import { destinationHash } from '../../../infra/signer-link/index.ts';
import type { OutboxCommand, OutboxWriter } from '../../../platform/outbox/index.ts';
import { commandPermission, permissionOf } from './permitted.ts';
import type { OutboxFacts } from './read-facts.ts';

const ALICE = 7 as UserId;
const BOB = 8 as UserId;
const RESERVE = 90 as UserId;
const ACCOUNT = 91 as UserId;
const BTC = 1 as AssetId;
const AMOUNT = 5_000n as Atoms;

const NOTHING: OutboxFacts = {
  isAct: false,
  withdrawal: null,
  deposit: null,
  chainAtoms: null,
  isFamily: false,
  givenAtoms: null,
  stake: null,
  payout: null,
};

const withdrawal = {
  id: '31',
  kind: 'withdrawal',
  state: 'opening',
  user: '7',
  asset: '1',
  atoms: '5000',
  feeAsset: '1',
  feeAtoms: '10',
  network: 'btc' as string | null,
  address: 'bc1qalice',
  isNamedRight: true,
  isOld: false,
};
const sent = { ...withdrawal, kind: 'transfer', state: 'executing', network: null };
const received = {
  id: '32',
  kind: 'transfer',
  state: 'crediting',
  user: '8',
  asset: '1',
  atoms: '5000',
  network: null,
  address: '',
};
const fromChain = { ...received, kind: 'deposit', user: '7' };
const stake = {
  kind: 'open',
  sender: '7',
  receiver: '90',
  asset: '1',
  atoms: '5000',
  user: '7',
  principal: '5000',
  state: 'opening',
  poolAsset: '1',
  account: '91',
  reserve: '90',
};
const payout = {
  referrer: '8',
  distributor: '7',
  asset: '1',
  atoms: '5000',
  numerator: `${10n ** 60n}`,
  paid: '5000',
};

const open: OutboxCommand = {
  kind: 'OpenWithdrawal',
  withdrawal: 31,
  user: ALICE,
  asset: BTC,
  amountAtoms: AMOUNT,
  feeAsset: BTC,
  feeAtoms: 10n as Atoms,
  destination: destinationHash(31, 'btc', 'bc1qalice'),
};
const cancel: OutboxCommand = { kind: 'CancelWithdrawal', withdrawal: 31 };
const pay = (sender: UserId, receiver: UserId): OutboxCommand => ({
  kind: 'TransferAsset',
  sender,
  receiver,
  asset: BTC,
  amountAtoms: AMOUNT,
  reference: '',
});
const mint: OutboxCommand = {
  kind: 'MintAsset',
  user: ALICE,
  asset: BTC,
  amountAtoms: AMOUNT,
  reference: '',
};
const credit: OutboxCommand = { ...mint, kind: 'CreditDeposit' };

/** Alice is also the faucet of this demo exchange, and gives 5,000 atoms of BTC. */
const gift = { asset: BTC, currency: 'btc', scale: 8, atoms: AMOUNT };
const playMoney = { faucet: ALICE, gifts: new Map([[BTC, gift]]) };

function judge(
  writer: OutboxWriter,
  command: OutboxCommand,
  facts: Partial<OutboxFacts>,
  offer: PlayMoney | undefined = undefined,
): string {
  const row = { command, writer, isUnreadable: false };
  const judged = { row, facts: { ...NOTHING, ...facts }, distributor: ALICE, playMoney: offer };
  return permissionOf(judged);
}

const honest: readonly [OutboxWriter, OutboxCommand, Partial<OutboxFacts>, string][] = [
  ['gateway', open, { withdrawal }, 'policy'],
  ['admin', open, { withdrawal }, 'policy'],
  ['gateway', cancel, { withdrawal: { ...withdrawal, state: 'canceling' } }, 'send'],
  ['notifier', cancel, { withdrawal: { ...withdrawal, state: 'expiring' } }, 'send'],
  ['gateway', pay(ALICE, BOB), { withdrawal: sent, deposit: received, isFamily: true }, 'send'],
  [
    'gateway',
    pay(ALICE, BOB),
    { withdrawal: { ...sent, network: 'email' }, deposit: received },
    'policy',
  ],
  ['gateway', pay(ALICE, RESERVE), { stake }, 'send'],
  [
    'notifier',
    pay(RESERVE, ALICE),
    { stake: { ...stake, kind: 'principal', sender: '90', receiver: '7' } },
    'send',
  ],
  ['gateway', pay(ALICE, BOB), { payout }, 'send'],
  ['admin', mint, { isAct: true }, 'send'],
  ['owner', mint, {}, 'send'],
  ['watcher', credit, { deposit: fromChain, chainAtoms: '5000' }, 'limits'],
];

test('every honest writer can send what its tables explain', () => {
  for (const [writer, command, facts, expected] of honest) {
    assert.equal(judge(writer, command, facts), expected, `${writer} ${command.kind}`);
  }
});

test("an operator needs the action's audit entry, which allows no other writer anything", () => {
  assert.equal(judge('admin', mint, {}), 'command_not_permitted');
  assert.equal(judge('gateway', mint, { isAct: true }), 'command_not_permitted');
  assert.equal(judge('notifier', mint, { isAct: true }), 'command_not_permitted');
});

test('a row from an unknown role is a forgery, regardless of its explanation', () => {
  assert.equal(judge('unknown', mint, { isAct: true }), 'writer_unknown');
  assert.equal(judge('unknown', open, { withdrawal }), 'writer_unknown');
});

test("a repeatable command needs an audit entry, or its writer's job", () => {
  const command = { kind: 'SetRulesVersion', version: 2 } as const;
  const anchor = { kind: 'AnchorAudit', auditSequence: 1, hash: '00' } as const;
  assert.equal(commandPermission({ command, writer: 'owner' }, false), 'send');
  assert.equal(commandPermission({ command, writer: 'admin' }, true), 'send');
  assert.equal(commandPermission({ command, writer: 'admin' }, false), 'command_not_permitted');
  assert.equal(commandPermission({ command, writer: 'notifier' }, true), 'command_not_permitted');
  assert.equal(commandPermission({ command: anchor, writer: 'notifier' }, false), 'send');
  assert.equal(commandPermission({ command, writer: 'unknown' }, true), 'writer_unknown');
  const unreadable = { command: undefined, writer: 'owner' } as const;
  assert.equal(commandPermission(unreadable, true), 'record_unreadable');
});

test('an opening that differs from its request in any value is a forgery', () => {
  const changes = [
    { id: '32' },
    { kind: 'burn' },
    { state: 'approved' },
    { user: '8' },
    { asset: '2' },
    { atoms: '4999' },
    { feeAsset: '2' },
    { feeAtoms: '0' },
    { address: 'bc1qthief' },
    { network: 'ltc' },
    { isNamedRight: false },
  ];
  for (const change of changes) {
    const facts = { withdrawal: { ...withdrawal, ...change } };
    assert.equal(judge('gateway', open, facts), 'request_differs', JSON.stringify(change));
  }
  assert.equal(judge('gateway', open, {}), 'request_differs');
  assert.equal(judge('notifier', open, { withdrawal }), 'command_not_permitted');
});

test('a credit that differs from the final deposits of its request is a forgery', () => {
  const forgeries: Partial<OutboxFacts>[] = [
    { chainAtoms: null },
    { chainAtoms: '4999' },
    { deposit: null },
    ...[{ kind: 'mint' }, { state: 'completed' }, { user: '8' }, { asset: '2' }].map((change) => ({
      deposit: { ...fromChain, ...change },
    })),
    { deposit: { ...fromChain, atoms: '4999' }, chainAtoms: '4999' },
  ];
  for (const forged of forgeries) {
    const facts = { deposit: fromChain, chainAtoms: '5000', ...forged };
    assert.equal(judge('watcher', credit, facts), 'deposit_differs', JSON.stringify(forged));
  }
});

test('a watcher sends only credits, and no other service sends them', () => {
  const facts = { deposit: fromChain, chainAtoms: '5000', withdrawal, isAct: true };
  for (const command of [open, cancel, mint, pay(ALICE, BOB)]) {
    assert.equal(judge('watcher', command, facts), 'command_not_permitted', command.kind);
  }
  assert.equal(judge('gateway', credit, facts), 'command_not_permitted');
  assert.equal(judge('notifier', credit, facts), 'command_not_permitted');
});

test('a transfer stays within the account family or follows a confirmed request', () => {
  const facts = { withdrawal: sent, deposit: received, isFamily: true };
  const forgeries: Partial<OutboxFacts>[] = [
    { ...facts, isFamily: false },
    { ...facts, withdrawal: { ...sent, user: '8' } },
    { ...facts, withdrawal: { ...sent, atoms: '4999' } },
    { ...facts, withdrawal: { ...sent, state: 'completed' } },
    { ...facts, withdrawal: { ...sent, network: 'btc' } },
    { ...facts, deposit: { ...received, user: '9' } },
    { ...facts, deposit: { ...received, atoms: '5001' } },
    { ...facts, deposit: null },
  ];
  for (const forged of forgeries) {
    assert.equal(judge('gateway', pay(ALICE, BOB), forged), 'request_differs');
  }
  assert.equal(judge('gateway', pay(ALICE, BOB), {}), 'command_not_permitted');
});

test("play money is the faucet's amount of the asset, once in 24 hours, on a demo only", () => {
  const facts = { withdrawal: sent, deposit: received, givenAtoms: '5000' };
  const paid = pay(ALICE, BOB);
  assert.equal(judge('gateway', paid, facts, playMoney), 'send');
  const forgeries: [string, OutboxCommand, Partial<OutboxFacts>, PlayMoney | undefined][] = [
    ['no demo', paid, facts, undefined],
    ['another sender', paid, facts, { ...playMoney, faucet: BOB }],
    ['an asset that the faucet does not give', paid, facts, { ...playMoney, gifts: new Map() }],
    ['the second gift of the day', paid, { ...facts, givenAtoms: '10000' }, playMoney],
    ['a gift without its row', paid, { ...facts, givenAtoms: null }, playMoney],
    ['another receiver', paid, { ...facts, deposit: { ...received, user: '9' } }, playMoney],
    [
      'a completed request',
      paid,
      { ...facts, withdrawal: { ...sent, state: 'completed' } },
      playMoney,
    ],
    ['with a network', paid, { ...facts, withdrawal: { ...sent, network: 'btc' } }, playMoney],
    [
      'another amount, in all its rows',
      { ...paid, amountAtoms: 5_001n as Atoms } as OutboxCommand,
      {
        withdrawal: { ...sent, atoms: '5001' },
        deposit: { ...received, atoms: '5001' },
        givenAtoms: '5001',
      },
      playMoney,
    ],
  ];
  for (const [what, command, forged, offer] of forgeries) {
    assert.equal(judge('gateway', command, forged, offer), 'request_differs', what);
  }
  assert.equal(judge('notifier', paid, facts, playMoney), 'command_not_permitted');
});

test("operators pay only into the reserve, and jobs only from the pool's accounts", () => {
  const wrong: [OutboxWriter, OutboxCommand, Partial<typeof stake>][] = [
    ['gateway', pay(ALICE, BOB), { receiver: '8' }],
    ['gateway', pay(ALICE, RESERVE), { user: '8' }],
    ['gateway', pay(ALICE, RESERVE), { principal: '4000' }],
    ['gateway', pay(ALICE, RESERVE), { state: 'staking' }],
    ['gateway', pay(ALICE, RESERVE), { kind: 'principal' }],
    ['gateway', pay(ALICE, RESERVE), { poolAsset: '2' }],
    ['notifier', pay(ALICE, RESERVE), {}],
    ['notifier', pay(BOB, ALICE), { kind: 'reward', sender: '8', receiver: '7' }],
  ];
  for (const [writer, command, change] of wrong) {
    const facts = { stake: { ...stake, ...change } };
    assert.equal(judge(writer, command, facts), 'stake_differs', JSON.stringify(change));
  }
  const reward = { ...stake, kind: 'reward', sender: `${ACCOUNT}`, receiver: '7' };
  assert.equal(judge('notifier', pay(ACCOUNT, ALICE), { stake: reward }), 'send');
});

test('a referrer gets what the totals allow, from the paying account', () => {
  const wrong = [
    { referrer: '9' },
    { distributor: '9' },
    { atoms: '4999' },
    { numerator: '0' },
    { paid: `${10n ** 60n}` },
  ];
  for (const change of wrong) {
    const facts = { payout: { ...payout, ...change } };
    assert.equal(judge('gateway', pay(ALICE, BOB), facts), 'payout_differs');
  }
  assert.equal(judge('gateway', pay(BOB, ALICE), { payout }), 'payout_differs');
});

test('bytes that are not a command are a forgery by any writer', () => {
  const row = { command: cancel, writer: 'owner', isUnreadable: true } as const;
  const off = { distributor: undefined, playMoney: undefined };
  assert.equal(permissionOf({ row, facts: NOTHING, ...off }), 'record_unreadable');
});
