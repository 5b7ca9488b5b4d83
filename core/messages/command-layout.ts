// The wire layout of every command. Append only; layout.ts has the rules.

import type { OrderNumber, Ticks, TimeMs } from '../money/index.ts';
import type { Command } from './commands.ts';
import { channelPosition, commandId, limits, userLimits } from './field-groups.ts';
import type { LayoutsFor } from './layout.ts';
import { marketStatus, orderType, selfTradeMode, side, timeInForce, trigger } from './words.ts';

export const COMMAND_LAYOUTS = {
  PlaceOrder: {
    code: 1,
    fields: {
      ...commandId,
      user: 'u32',
      key: 'u32',
      market: 'u32',
      side: side,
      type: orderType,
      timeInForce: timeInForce,
      selfTrade: selfTradeMode,
      postOnly: 'bool',
      priceTicks: 'safe',
      sizeLots: 'safe',
      stopTicks: 'safe',
      clientOrderId: 'text',
      note: 'text',
      trigger: { wire: trigger, since: 8, default: 'stop' },
      linkedOrder: { wire: 'safe', since: 8, default: 0 as OrderNumber },
      expiresMs: { wire: 'safe', since: 8, default: 0 as TimeMs },
    },
  },
  CancelOrder: {
    code: 2,
    fields: {
      ...commandId,
      user: 'u32',
      order: 'safe',
      byOperator: 'bool',
    },
  },
  CancelOrderByClientId: {
    code: 3,
    fields: {
      ...commandId,
      user: 'u32',
      clientOrderId: 'text',
    },
  },
  CancelAllOrders: {
    code: 4,
    fields: {
      ...commandId,
      user: 'u32',
      market: 'u32',
      byOperator: 'bool',
    },
  },
  AmendOrder: {
    code: 5,
    fields: {
      ...commandId,
      user: 'u32',
      order: 'safe',
      priceTicks: 'safe',
      sizeLots: 'safe',
      stopTicks: { wire: 'safe', since: 8, default: 0 as Ticks },
    },
  },
  ExecuteQuote: {
    code: 6,
    fields: {
      ...commandId,
      user: 'u32',
      key: 'u32',
      market: 'u32',
      side: side,
      sizeLots: 'safe',
      quoteAtoms: 'atoms',
      expiresAtMs: 'safe',
      clientOrderId: 'text',
    },
  },
  TradeDirectly: {
    code: 7,
    fields: {
      ...commandId,
      ...channelPosition,
      market: 'u32',
      maker: 'u32',
      taker: 'u32',
      takerSide: side,
      priceTicks: 'safe',
      sizeLots: 'safe',
      makerFeePpm: 'u32',
      takerFeePpm: 'u32',
    },
  },
  SetDeadManSwitch: {
    code: 8,
    fields: {
      ...commandId,
      user: 'u32',
      key: 'u32',
      timeoutMs: 'safe',
    },
  },
  CreditDeposit: {
    code: 9,
    fields: {
      ...commandId,
      ...channelPosition,
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      reference: 'text',
    },
  },
  MintAsset: {
    code: 10,
    fields: {
      ...commandId,
      ...channelPosition,
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      reference: 'text',
    },
  },
  BurnAsset: {
    code: 11,
    fields: {
      ...commandId,
      ...channelPosition,
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      reference: 'text',
    },
  },
  TransferAsset: {
    code: 12,
    fields: {
      ...commandId,
      ...channelPosition,
      sender: 'u32',
      receiver: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      reference: 'text',
    },
  },
  OpenWithdrawal: {
    code: 13,
    fields: {
      ...commandId,
      ...channelPosition,
      withdrawal: 'safe',
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      feeAsset: 'u32',
      feeAtoms: 'atoms',
      destination: { wire: 'text', since: 8, default: '' },
    },
  },
  CompleteWithdrawal: {
    code: 14,
    fields: {
      ...commandId,
      ...channelPosition,
      withdrawal: 'safe',
      reference: 'text',
    },
  },
  CancelWithdrawal: {
    code: 15,
    fields: {
      ...commandId,
      ...channelPosition,
      withdrawal: 'safe',
    },
  },
  SettleFees: {
    code: 16,
    fields: {
      ...commandId,
      ...channelPosition,
      asset: 'u32',
      user: 'u32',
    },
  },
  ListAsset: {
    code: 17,
    fields: {
      ...commandId,
      symbol: 'text',
      scale: 'safe',
      issuanceCapAtoms: 'atoms',
    },
  },
  SetIssuanceCap: {
    code: 18,
    fields: {
      ...commandId,
      asset: 'u32',
      issuanceCapAtoms: 'atoms',
    },
  },
  ListMarket: {
    code: 19,
    fields: {
      ...commandId,
      base: 'u32',
      quote: 'u32',
      lotAtoms: 'atoms',
      tickMantissa: 'safe',
      tickScale: 'safe',
      minPriceTicks: 'safe',
      maxPriceTicks: 'safe',
      minSizeLots: 'safe',
      maxSizeLots: 'safe',
      referenceTicks: 'safe',
      status: marketStatus,
    },
  },
  SetMarketStatus: {
    code: 20,
    fields: {
      ...commandId,
      market: 'u32',
      status: marketStatus,
      auctionEndsMs: { wire: 'safe', since: 7, default: 0 as TimeMs },
    },
  },
  SetMarketFees: {
    code: 21,
    fields: {
      ...commandId,
      market: 'u32',
      tier: 'safe',
      makerPpm: 'u32',
      takerPpm: 'u32',
    },
  },
  SetUserFees: {
    code: 22,
    fields: {
      ...commandId,
      user: 'u32',
      tier: 'safe',
      discountPpm: 'u32',
    },
  },
  SetUserGroup: {
    code: 23,
    fields: {
      ...commandId,
      user: 'u32',
      group: 'safe',
      house: 'bool',
    },
  },
  SetPriceBand: {
    code: 24,
    fields: {
      ...commandId,
      market: 'u32',
      bandPpm: 'u32',
      slippagePpm: 'u32',
      referenceTicks: 'safe',
    },
  },
  SetLimits: {
    code: 25,
    fields: {
      ...commandId,
      ...limits,
      ...userLimits,
    },
  },
  VoidCommand: {
    code: 26,
    fields: {
      ...commandId,
      command: 'safe',
    },
  },
  AnchorAudit: {
    code: 27,
    since: 3,
    fields: {
      ...commandId,
      auditSequence: 'safe',
      hash: 'text',
    },
  },
  CheckOrder: {
    code: 28,
    since: 4,
    fields: {
      ...commandId,
      user: 'u32',
      key: 'u32',
      market: 'u32',
      side: side,
      type: orderType,
      timeInForce: timeInForce,
      selfTrade: selfTradeMode,
      postOnly: 'bool',
      priceTicks: 'safe',
      sizeLots: 'safe',
      stopTicks: 'safe',
      clientOrderId: 'text',
      note: 'text',
      trigger: { wire: trigger, since: 8, default: 'stop' },
      linkedOrder: { wire: 'safe', since: 8, default: 0 as OrderNumber },
      expiresMs: { wire: 'safe', since: 8, default: 0 as TimeMs },
    },
  },
  SetRulesVersion: {
    code: 29,
    since: 5,
    fields: {
      ...commandId,
      version: 'safe',
    },
  },
} as const satisfies LayoutsFor<Command>;
