// Every event kind has a sentence with its content. The golden files also contain those of ordinary
// trading; here is one of each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyFrame, createExchange } from '../../core/engine/index.ts';
import { EVENT_LAYOUTS } from '../../core/messages/event-layout.ts';
import { type CommandFrame, type Event, INITIAL_LIMITS } from '../../core/messages/index.ts';
import { eventSentence } from './event-sentence.ts';
import { Names } from './names.ts';

/** usdt has 6 decimals, btc has 8; a tick is a cent, a lot is 0.0001 btc. */
function names(): Names {
  const exchange = createExchange();
  const issuanceCapAtoms = 10n ** 15n;
  const commands = [
    { kind: 'ListAsset', symbol: 'usdt', scale: 6, issuanceCapAtoms },
    { kind: 'ListAsset', symbol: 'btc', scale: 8, issuanceCapAtoms },
    {
      kind: 'ListMarket',
      base: 2,
      quote: 1,
      lotAtoms: 10_000n,
      status: 'full',
      tickMantissa: 1,
      tickScale: 2,
      minPriceTicks: 2,
      maxPriceTicks: 1_000_000,
      minSizeLots: 1,
      maxSizeLots: 1_000_000,
      referenceTicks: 10_000,
    },
  ].map((body, index) => ({ ...body, source: 1, number: index + 1 }));
  const header = { sequence: 1, epoch: 1, timeMs: 1, previousHash: new Uint8Array(32) };
  applyFrame(exchange, { ...header, commands } as unknown as CommandFrame);
  return new Names(exchange);
}

const sum = { asset: 2, amountAtoms: 150_000_000n };
const withdrawal = { withdrawal: 5, user: 7, ...sum, feeAsset: 1, feeAtoms: 250_000n };
const order = { order: 40, user: 7, market: 1 };
const placed = {
  ...order,
  side: 'sell',
  type: 'limit',
  timeInForce: 'GTC',
  priceTicks: 10_050,
  sizeLots: 500,
  stopTicks: 0,
  trigger: 'stop',
  linkedOrder: 0,
  expiresMs: 0,
  postOnly: true,
  quick: false,
  clientOrderId: 'mine',
  heldAsset: 2,
  heldAtoms: 5_000_000n,
};
const trade = {
  trade: 9,
  market: 1,
  base: 2,
  quote: 1,
  takerSide: 'sell',
  priceTicks: 9_950,
  sizeLots: 5,
  makerOrder: 0,
  takerOrder: 0,
  maker: 3,
  taker: 4,
  house: true,
  quick: true,
  makerFeeAtoms: 0n,
  takerFeeAtoms: 99_500n,
};

const SENTENCES: [event: object, sentence: string][] = [
  [
    { kind: 'OrderPlaced', ...placed },
    "order 40 of user 7 sells 0.05 btc-usdt at 100.5, limit GTC, post-only, client id 'mine', " +
      'holds 0.05 btc',
  ],
  [
    { kind: 'OrderPlaced', ...placed, type: 'market', timeInForce: 'IOC', postOnly: false },
    "order 40 of user 7 sells 0.05 btc-usdt at least 100.5, market IOC, client id 'mine', " +
      'holds 0.05 btc',
  ],
  [
    { kind: 'OrderPlaced', ...placed, postOnly: false, stopTicks: 9_000, clientOrderId: '' },
    'order 40 of user 7 sells 0.05 btc-usdt at 100.5, limit GTC, stop 90, holds 0.05 btc',
  ],
  [
    {
      kind: 'OrderPlaced',
      ...placed,
      postOnly: false,
      stopTicks: 11_000,
      trigger: 'take_profit',
      linkedOrder: 39,
      clientOrderId: '',
    },
    'order 40 of user 7 sells 0.05 btc-usdt at 100.5, limit GTC, take-profit 110, ' +
      'linked to order 39, holds 0.05 btc',
  ],
  [{ kind: 'OrderTriggered', ...order }, 'order 40 is triggered'],
  [
    { kind: 'TradeExecuted', ...trade },
    'trade 9: user 4 sells 0.0005 btc-usdt at 99.5 to user 3, fees: taker 0.0995 usdt ' +
      '(quick, house)',
  ],
  [
    { kind: 'TradeExecuted', ...trade, makerOrder: 8, takerOrder: 9, quick: false, house: false },
    'trade 9: order 9 of user 4 sells 0.0005 btc-usdt at 99.5 to order 8 of user 3, ' +
      'fees: taker 0.0995 usdt',
  ],
  [
    {
      kind: 'OrderAmended',
      ...order,
      priceTicks: 200,
      sizeLots: 9,
      remainingLots: 3,
      stopTicks: 0,
    },
    'order 40 is amended to 0.0009 at 2, 0.0003 left, goes to the back',
  ],
  [
    {
      kind: 'OrderClosed',
      ...order,
      reason: 'self_trade_prevented',
      remainingLots: 3,
      heldAsset: 1,
      releasedAtoms: 600n,
    },
    'order 40 closes with 0.0003 left: self_trade_prevented, releases 0.0006 usdt',
  ],
  [{ kind: 'DeadManSwitchSet', user: 7, key: 0, deadlineMs: 0 }, 'the switch of user 7 is off'],
  [
    { kind: 'DeadManSwitchSet', user: 7, key: 2, deadlineMs: 1_767_225_600_000 },
    'the switch of user 7 for key 2 fires at 2026-01-01T00:00:00.000Z',
  ],
  [
    { kind: 'DeadManSwitchFired', user: 7, key: 0, ordersCanceled: 12 },
    'the switch of user 7 cancels 12 orders',
  ],
  [
    { kind: 'CommandRefused', command: 3, refusal: 'client_order_id_already_used', order: 2 },
    'command 3 is refused: client_order_id_already_used by order 2',
  ],
  [
    { kind: 'CommandRepeated', command: 3, original: 2, refusal: 'order_must_exist' },
    'command 3 repeats command 2: order_must_exist',
  ],
  [
    { kind: 'CommandPoisoned', command: 3, market: 1, channel: 4 },
    'command 3 is poison and freezes btc-usdt and channel 4',
  ],
  [
    { kind: 'CommandPoisoned', command: 0, market: 0, channel: 0 },
    'a step of time is poison and freezes nothing',
  ],
  [{ kind: 'CommandVoided', command: 5, voided: 3 }, 'command 3 is voided'],
  [{ kind: 'RulesVersionSet', command: 5, version: 2 }, 'rules version 2 applies'],
  [
    { kind: 'BandReferenceMoved', command: 0, market: 1, referenceTicks: 200 },
    'the reference of btc-usdt moves to 2',
  ],
  [
    { kind: 'AuditAnchored', command: 5, auditSequence: 17, hash: 'ab' },
    'the audit is at entry 17, hash ab',
  ],
  [
    { kind: 'DepositCredited', user: 7, ...sum, reference: 'tx 1' },
    "user 7 is credited 1.5 btc ('tx 1')",
  ],
  [
    { kind: 'AssetMinted', user: 7, ...sum, reference: 'gift' },
    "1.5 btc minted for user 7 ('gift')",
  ],
  [
    { kind: 'AssetBurned', user: 7, ...sum, reference: 'loss' },
    "1.5 btc burned from user 7 ('loss')",
  ],
  [
    { kind: 'AssetTransferred', sender: 7, receiver: 8, ...sum, reference: 'rent' },
    "1.5 btc from user 7 to user 8 ('rent')",
  ],
  [{ kind: 'FeesSettled', user: 9, ...sum }, 'user 9 gets 1.5 btc of fees'],
  [
    { kind: 'WithdrawalOpened', ...withdrawal },
    'withdrawal 5 opened: 1.5 btc of user 7, fee 0.25 usdt',
  ],
  [
    { kind: 'WithdrawalCompleted', ...withdrawal },
    'withdrawal 5 completed: 1.5 btc of user 7, fee 0.25 usdt',
  ],
  [
    { kind: 'WithdrawalCanceled', ...withdrawal },
    'withdrawal 5 canceled: 1.5 btc of user 7, fee 0.25 usdt',
  ],
  [
    { kind: 'AssetListed', asset: 2, symbol: 'btc', scale: 8, issuanceCapAtoms: 10n ** 15n },
    'asset btc is listed, scale 8, issuance cap 10000000 btc',
  ],
  [
    { kind: 'IssuanceCapSet', asset: 2, issuanceCapAtoms: 5n },
    'the issuance cap is 0.00000005 btc',
  ],
  [
    { kind: 'MarketListed', market: 1, status: 'pre-launch' },
    'market btc-usdt is listed, pre-launch',
  ],
  [
    { kind: 'MarketStatusSet', market: 1, status: 'paused', auctionEndsMs: 0 },
    'market btc-usdt is paused',
  ],
  [
    { kind: 'MarketStatusSet', market: 1, status: 'auction', auctionEndsMs: 60_000 },
    'market btc-usdt is auction until 1970-01-01T00:01:00.000Z',
  ],
  [{ kind: 'AuctionPriceSet', market: 1, priceTicks: 10_000 }, 'market btc-usdt uncrosses at 100'],
  [
    { kind: 'MarketFeesSet', market: 1, tier: 2, makerPpm: 10, takerPpm: 20 },
    'fees of btc-usdt in tier 2 are maker 10 ppm, taker 20 ppm',
  ],
  [
    { kind: 'UserFeesSet', user: 7, tier: 2, discountPpm: 500 },
    'user 7 is in tier 2, discount 500 ppm',
  ],
  [{ kind: 'UserGroupSet', user: 7, group: 3, house: false }, 'user 7 is in group 3'],
  [
    { kind: 'UserGroupSet', user: 7, group: 0, house: true },
    'user 7 is in group 0, a house account',
  ],
  [
    { kind: 'PriceBandSet', market: 1, bandPpm: 9, slippagePpm: 8, referenceTicks: 10_000 },
    'the band of btc-usdt is 9 ppm, slippage 8 ppm, reference 100',
  ],
  [
    { kind: 'LimitsSet', ...INITIAL_LIMITS },
    'limits are assetsMax 16, marketsMax 16, usersMax 1024, accountsMax 4096, ordersMax 4096, ' +
      'withdrawalsMax 256, deadManSwitchesMax 64, channelsMax 16, commandWindow 1024, ' +
      'clientOrderIdWindow 1024, ordersPerUserMax 200, fillsPerCommandMax 1000, ' +
      'stopsPerStepMax 100, switchesPerFrameMax 100, bandWindowMs 60000, ' +
      'accountsPerUserMax 67108864, stopsPerUserMax 67108864, withdrawalsPerUserMax 67108864, ' +
      'deadManSwitchesPerUserMax 67108864, clientOrderIdsPerUserMax 67108864, ' +
      'ownOrdersPerCommandMax 67108864',
  ],
];

test('every event has a sentence', () => {
  const listed = names();
  for (const [event, sentence] of SENTENCES) {
    assert.equal(eventSentence(listed, event as Event), sentence);
  }
});

test('no kind of event is left out', () => {
  const told = new Set(SENTENCES.map(([event]) => (event as Event).kind));
  assert.deepEqual(
    Object.keys(EVENT_LAYOUTS).filter((kind) => !told.has(kind as Event['kind'])),
    [],
  );
});
