// The wire layout of every event. Append only; layout.ts has the rules.

import type { OrderNumber, Ticks, TimeMs } from '../money/index.ts';
import type { Event } from './events.ts';
import { caused, limits, userLimits } from './field-groups.ts';
import type { LayoutsFor } from './layout.ts';
import {
  closeReason,
  marketStatus,
  orderType,
  refusal,
  selfTradeMode,
  side,
  timeInForce,
  trigger,
} from './words.ts';

export const EVENT_LAYOUTS = {
  CommandRefused: {
    code: 1,
    fields: {
      ...caused,
      refusal: refusal,
      order: 'safe',
    },
  },
  CommandRepeated: {
    code: 2,
    fields: {
      ...caused,
      original: 'safe',
      refusal: refusal,
    },
  },
  OrderPlaced: {
    code: 3,
    fields: {
      ...caused,
      order: 'safe',
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
      makerFeePpm: 'u32',
      takerFeePpm: 'u32',
      heldAsset: 'u32',
      heldAtoms: 'atoms',
      clientOrderId: 'text',
      note: 'text',
      quick: 'bool',
      trigger: { wire: trigger, since: 8, default: 'stop' },
      linkedOrder: { wire: 'safe', since: 8, default: 0 as OrderNumber },
      expiresMs: { wire: 'safe', since: 8, default: 0 as TimeMs },
    },
  },
  OrderTriggered: {
    code: 4,
    fields: {
      ...caused,
      order: 'safe',
      user: 'u32',
      market: 'u32',
    },
  },
  TradeExecuted: {
    code: 5,
    fields: {
      ...caused,
      trade: 'safe',
      market: 'u32',
      base: 'u32',
      quote: 'u32',
      takerSide: side,
      priceTicks: 'safe',
      sizeLots: 'safe',
      makerOrder: 'safe',
      takerOrder: 'safe',
      maker: 'u32',
      taker: 'u32',
      makerRemainingLots: 'safe',
      takerRemainingLots: 'safe',
      baseAtoms: 'atoms',
      quoteAtoms: 'atoms',
      makerFeeAtoms: 'atoms',
      takerFeeAtoms: 'atoms',
      releasedAtoms: 'atoms',
      house: 'bool',
      quick: 'bool',
    },
  },
  OrderAmended: {
    code: 6,
    fields: {
      ...caused,
      order: 'safe',
      user: 'u32',
      market: 'u32',
      priceTicks: 'safe',
      sizeLots: 'safe',
      remainingLots: 'safe',
      keptPriority: 'bool',
      heldAsset: 'u32',
      heldChangeAtoms: 'atoms',
      stopTicks: { wire: 'safe', since: 8, default: 0 as Ticks },
    },
  },
  OrderClosed: {
    code: 7,
    fields: {
      ...caused,
      order: 'safe',
      user: 'u32',
      market: 'u32',
      reason: closeReason,
      remainingLots: 'safe',
      heldAsset: 'u32',
      releasedAtoms: 'atoms',
    },
  },
  DeadManSwitchSet: {
    code: 8,
    fields: {
      ...caused,
      user: 'u32',
      key: 'u32',
      deadlineMs: 'safe',
    },
  },
  DeadManSwitchFired: {
    code: 9,
    fields: {
      ...caused,
      user: 'u32',
      key: 'u32',
      ordersCanceled: 'safe',
    },
  },
  DepositCredited: {
    code: 10,
    fields: {
      ...caused,
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      reference: 'text',
    },
  },
  AssetMinted: {
    code: 11,
    fields: {
      ...caused,
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      reference: 'text',
    },
  },
  AssetBurned: {
    code: 12,
    fields: {
      ...caused,
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      reference: 'text',
    },
  },
  AssetTransferred: {
    code: 13,
    fields: {
      ...caused,
      sender: 'u32',
      receiver: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      reference: 'text',
    },
  },
  WithdrawalOpened: {
    code: 14,
    fields: {
      ...caused,
      withdrawal: 'safe',
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      feeAsset: 'u32',
      feeAtoms: 'atoms',
      destination: { wire: 'text', since: 8, default: '' },
    },
  },
  WithdrawalCompleted: {
    code: 15,
    fields: {
      ...caused,
      withdrawal: 'safe',
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      feeAsset: 'u32',
      feeAtoms: 'atoms',
      reference: 'text',
    },
  },
  WithdrawalCanceled: {
    code: 16,
    fields: {
      ...caused,
      withdrawal: 'safe',
      user: 'u32',
      asset: 'u32',
      amountAtoms: 'atoms',
      feeAsset: 'u32',
      feeAtoms: 'atoms',
    },
  },
  FeesSettled: {
    code: 17,
    fields: {
      ...caused,
      asset: 'u32',
      user: 'u32',
      amountAtoms: 'atoms',
    },
  },
  AssetListed: {
    code: 18,
    fields: {
      ...caused,
      asset: 'u32',
      symbol: 'text',
      scale: 'safe',
      issuanceCapAtoms: 'atoms',
    },
  },
  IssuanceCapSet: {
    code: 19,
    fields: {
      ...caused,
      asset: 'u32',
      issuanceCapAtoms: 'atoms',
    },
  },
  MarketListed: {
    code: 20,
    fields: {
      ...caused,
      market: 'u32',
      base: 'u32',
      quote: 'u32',
      lotAtoms: 'atoms',
      tickMantissa: 'safe',
      tickScale: 'safe',
      tickLotAtoms: 'atoms',
      minPriceTicks: 'safe',
      maxPriceTicks: 'safe',
      minSizeLots: 'safe',
      maxSizeLots: 'safe',
      referenceTicks: 'safe',
      status: marketStatus,
    },
  },
  MarketStatusSet: {
    code: 21,
    fields: {
      ...caused,
      market: 'u32',
      status: marketStatus,
      auctionEndsMs: { wire: 'safe', since: 7, default: 0 as TimeMs },
    },
  },
  MarketFeesSet: {
    code: 22,
    fields: {
      ...caused,
      market: 'u32',
      tier: 'safe',
      makerPpm: 'u32',
      takerPpm: 'u32',
    },
  },
  UserFeesSet: {
    code: 23,
    fields: {
      ...caused,
      user: 'u32',
      tier: 'safe',
      discountPpm: 'u32',
    },
  },
  UserGroupSet: {
    code: 24,
    fields: {
      ...caused,
      user: 'u32',
      group: 'safe',
      house: 'bool',
    },
  },
  PriceBandSet: {
    code: 25,
    fields: {
      ...caused,
      market: 'u32',
      bandPpm: 'u32',
      slippagePpm: 'u32',
      referenceTicks: 'safe',
    },
  },
  LimitsSet: {
    code: 26,
    fields: {
      ...caused,
      ...limits,
      ...userLimits,
    },
  },
  CommandPoisoned: {
    code: 27,
    fields: {
      ...caused,
      market: 'u32',
      channel: 'safe',
    },
  },
  CommandVoided: {
    code: 28,
    fields: {
      ...caused,
      voided: 'safe',
    },
  },
  AuditAnchored: {
    code: 29,
    since: 3,
    fields: {
      ...caused,
      auditSequence: 'safe',
      hash: 'text',
    },
  },
  BandReferenceMoved: {
    code: 30,
    since: 5,
    fields: {
      ...caused,
      market: 'u32',
      referenceTicks: 'safe',
    },
  },
  RulesVersionSet: {
    code: 31,
    since: 5,
    fields: {
      ...caused,
      version: 'safe',
    },
  },
  AuctionPriceSet: {
    code: 32,
    since: 7,
    fields: {
      ...caused,
      market: 'u32',
      priceTicks: 'safe',
    },
  },
} as const satisfies LayoutsFor<Event>;
