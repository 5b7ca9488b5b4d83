// Which handler projects which kind of event. A kind without one does not compile. A frame says its
// schema version; a version whose events mean something else gets a set of its own.

import type { Event } from '../../core/messages/index.ts';
import type { Batch } from './batch.ts';
import { assetBurned } from './events/asset-burned.ts';
import { assetListed } from './events/asset-listed.ts';
import { assetMinted } from './events/asset-minted.ts';
import { assetTransferred } from './events/asset-transferred.ts';
import { commandPoisoned } from './events/command-poisoned.ts';
import { commandRefused } from './events/command-refused.ts';
import { commandRepeated } from './events/command-repeated.ts';
import { commandVoided } from './events/command-voided.ts';
import { deadManSwitchFired } from './events/dead-man-switch-fired.ts';
import { deadManSwitchSet } from './events/dead-man-switch-set.ts';
import { depositCredited } from './events/deposit-credited.ts';
import { feesSettled } from './events/fees-settled.ts';
import { issuanceCapSet } from './events/issuance-cap-set.ts';
import { limitsSet } from './events/limits-set.ts';
import { marketFeesSet } from './events/market-fees-set.ts';
import { marketListed } from './events/market-listed.ts';
import { marketStatusSet } from './events/market-status-set.ts';
import { orderAmended } from './events/order-amended.ts';
import { orderClosed } from './events/order-closed.ts';
import { orderPlaced } from './events/order-placed.ts';
import { orderTriggered } from './events/order-triggered.ts';
import { priceBandSet } from './events/price-band-set.ts';
import { tradeExecuted } from './events/trade-executed.ts';
import { userFeesSet } from './events/user-fees-set.ts';
import { userGroupSet } from './events/user-group-set.ts';
import { withdrawalCanceled } from './events/withdrawal-canceled.ts';
import { withdrawalCompleted } from './events/withdrawal-completed.ts';
import { withdrawalOpened } from './events/withdrawal-opened.ts';
import type { Place } from './place.ts';

export type Handler<Kind extends Event> = (event: Kind, batch: Batch, place: Place) => void;

export type Handlers = {
  readonly [Kind in Event['kind']]: Handler<Extract<Event, { kind: Kind }>>;
};

const HANDLERS: Handlers = {
  CommandRefused: commandRefused,
  CommandRepeated: commandRepeated,
  OrderPlaced: orderPlaced,
  OrderTriggered: orderTriggered,
  TradeExecuted: tradeExecuted,
  OrderAmended: orderAmended,
  OrderClosed: orderClosed,
  DeadManSwitchSet: deadManSwitchSet,
  DeadManSwitchFired: deadManSwitchFired,
  DepositCredited: depositCredited,
  AssetMinted: assetMinted,
  AssetBurned: assetBurned,
  AssetTransferred: assetTransferred,
  WithdrawalOpened: withdrawalOpened,
  WithdrawalCompleted: withdrawalCompleted,
  WithdrawalCanceled: withdrawalCanceled,
  FeesSettled: feesSettled,
  AssetListed: assetListed,
  IssuanceCapSet: issuanceCapSet,
  MarketListed: marketListed,
  MarketStatusSet: marketStatusSet,
  MarketFeesSet: marketFeesSet,
  UserFeesSet: userFeesSet,
  UserGroupSet: userGroupSet,
  PriceBandSet: priceBandSet,
  LimitsSet: limitsSet,
  CommandPoisoned: commandPoisoned,
  CommandVoided: commandVoided,
};

// The decoder gives the events of every version in today's form, and so far they mean the same.
const BY_VERSION: Readonly<Record<number, Handlers>> = { 1: HANDLERS, 2: HANDLERS };

/** Throws for a version that this code does not know. */
export function handlersFor(schemaVersion: number): Handlers {
  const handlers = BY_VERSION[schemaVersion];
  if (handlers === undefined) {
    throw new Error(`events of schema ${schemaVersion} can not be projected`);
  }
  return handlers;
}
