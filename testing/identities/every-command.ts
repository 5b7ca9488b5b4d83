// One command of every kind, each of which the engine could accept from its legitimate sender.

import { type Command, INITIAL_LIMITS } from '../../core/messages/index.ts';

type Kind = Command['kind'];
type Fields<One extends Kind> = Omit<Extract<Command, { kind: One }>, 'kind' | 'source' | 'number'>;

/** No service uses this channel, so its first sequence is free. */
const CHANNEL = { channel: 20, channelSequence: 1 };
const MONEY = { user: 2, asset: 1, amountAtoms: 1_000n, reference: 'stolen' };
const ORDER = { user: 2, key: 0, market: 1, side: 'buy' };

/** Untyped values, because brands add nothing here: the table's keys define the fields. */
const FIELDS: Readonly<{ [One in Kind]: Readonly<Record<keyof Fields<One>, unknown>> }> = {
  PlaceOrder: {
    ...ORDER,
    type: 'limit',
    timeInForce: 'GTC',
    selfTrade: 'cancel_newest',
    postOnly: false,
    priceTicks: 1_000,
    sizeLots: 100,
    stopTicks: 0,
    clientOrderId: '',
    note: '',
    trigger: 'stop',
    linkedOrder: 0,
    expiresMs: 0,
  },
  CheckOrder: {
    ...ORDER,
    type: 'limit',
    timeInForce: 'GTC',
    selfTrade: 'cancel_newest',
    postOnly: false,
    priceTicks: 1_000,
    sizeLots: 100,
    stopTicks: 0,
    clientOrderId: '',
    note: '',
    trigger: 'stop',
    linkedOrder: 0,
    expiresMs: 0,
  },
  CancelOrder: { user: 2, order: 1, byOperator: false },
  CancelOrderByClientId: { user: 2, clientOrderId: 'one' },
  CancelAllOrders: { user: 2, market: 0, byOperator: false },
  AmendOrder: { user: 2, order: 1, priceTicks: 0, sizeLots: 10, stopTicks: 0 },
  ExecuteQuote: { ...ORDER, sizeLots: 1, quoteAtoms: 1n, expiresAtMs: 1, clientOrderId: 'quote' },
  TradeDirectly: {
    ...CHANNEL,
    market: 1,
    maker: 2,
    taker: 3,
    takerSide: 'buy',
    priceTicks: 1_000,
    sizeLots: 100,
    makerFeePpm: 0,
    takerFeePpm: 0,
  },
  SetDeadManSwitch: { user: 2, key: 0, timeoutMs: 0 },
  CreditDeposit: { ...CHANNEL, ...MONEY },
  MintAsset: { ...CHANNEL, ...MONEY },
  BurnAsset: { ...CHANNEL, ...MONEY },
  TransferAsset: {
    ...CHANNEL,
    sender: 2,
    receiver: 3,
    asset: 1,
    amountAtoms: 1_000n,
    reference: 'stolen',
  },
  OpenWithdrawal: {
    ...CHANNEL,
    withdrawal: 1,
    user: 2,
    asset: 1,
    amountAtoms: 1_000n,
    feeAsset: 1,
    feeAtoms: 0n,
    destination: 'd1'.repeat(32),
  },
  CompleteWithdrawal: { ...CHANNEL, withdrawal: 1, reference: 'paid' },
  CancelWithdrawal: { ...CHANNEL, withdrawal: 1 },
  SettleFees: { ...CHANNEL, asset: 1, user: 2 },
  ListAsset: { symbol: 'fake', scale: 8, issuanceCapAtoms: 1_000_000n },
  SetIssuanceCap: { asset: 1, issuanceCapAtoms: 1_000_000n },
  ListMarket: {
    base: 1,
    quote: 2,
    lotAtoms: 1n,
    tickMantissa: 1,
    tickScale: 2,
    minPriceTicks: 1,
    maxPriceTicks: 1_000_000,
    minSizeLots: 1,
    maxSizeLots: 1_000_000,
    referenceTicks: 0,
    status: 'full',
  },
  SetMarketStatus: { market: 1, status: 'paused', auctionEndsMs: 0 },
  SetMarketFees: { market: 1, tier: 1, makerPpm: 0, takerPpm: 0 },
  SetUserFees: { user: 2, tier: 1, discountPpm: 1_000_000 },
  SetUserGroup: { user: 2, group: 1, house: true },
  SetPriceBand: { market: 1, bandPpm: 0, slippagePpm: 0, referenceTicks: 0 },
  SetLimits: { ...INITIAL_LIMITS },
  VoidCommand: { command: 1 },
  SetRulesVersion: { version: 1 },
  AnchorAudit: { auditSequence: 1, hash: '0'.repeat(64) },
};

export const EVERY_KIND = Object.keys(FIELDS) as Kind[];

export function commandOf(
  kind: Kind,
  id: { readonly source: number; readonly number: number },
): Command {
  return { kind, ...id, ...FIELDS[kind] } as unknown as Command;
}
