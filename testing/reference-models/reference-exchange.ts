// The slow, obvious exchange: docs/trading-rules.md as a program, and nothing else. The engine is
// compared with it event by event, so it must never import the engine, its ledger or its books.

import type { Command, CommandFrame, EventFrame, Refusal } from '../../core/messages/index.ts';
import type { CommandNumber, TimeMs } from '../../core/money/index.ts';
import { amendOrder } from './reference-amend.ts';
import { runAuctionStep } from './reference-auction.ts';
import { type BookView, viewBook } from './reference-book.ts';
import { cancelAllOrders, cancelOrder, cancelOrderByClientId } from './reference-cancel.ts';
import { orderWithClientOrderId } from './reference-closing.ts';
import * as configuration from './reference-configuration.ts';
import { tradeDirectly } from './reference-direct-trades.ts';
import { expireOrders } from './reference-expiries.ts';
import { assertInvariants } from './reference-invariants.ts';
import { allAccounts, type ReferenceAccount } from './reference-ledger.ts';
import { listAsset, listMarket, setIssuanceCap } from './reference-listing.ts';
import * as money from './reference-money.ts';
import { placeOrder } from './reference-orders.ts';
import { freezeInTime, poison, voidCommand } from './reference-poison.ts';
import { followReference } from './reference-prices.ts';
import { executeQuote } from './reference-quotes.ts';
import { createState, emit, findMarket, type ReferenceState } from './reference-state.ts';
import { runStopStep } from './reference-stops.ts';
import { disarmDueSwitches, fireSwitches, setDeadManSwitch } from './reference-switches.ts';
import * as withdrawals from './reference-withdrawals.ts';

export interface ReferenceExchange {
  apply(frame: CommandFrame, poisoned?: ReadonlySet<number>): EventFrame;
  /** Sorted by owner, then asset; includes the system's accounts. */
  accounts(): ReferenceAccount[];
  book(market: number): BookView;
  /** 0 before the first trade. */
  lastPriceTicks(market: number): number;
  /** Throws if the state breaks an invariant. */
  assertInvariants(): void;
}

interface Options {
  /** Asserts the invariants after every command, which is even slower. */
  readonly isSelfChecking?: boolean;
}

export function createReferenceExchange({ isSelfChecking }: Options = {}): ReferenceExchange {
  const state = createState();
  const check = isSelfChecking ? () => assertInvariants(state) : () => {};
  return {
    apply: (frame, poisoned) => applyFrame(state, frame, poisoned ?? new Set(), check),
    accounts: () => allAccounts(state.ledger),
    book: (market) => viewBook(listedMarket(state, market)),
    lastPriceTicks: (market) => listedMarket(state, market).lastPriceTicks,
    assertInvariants: () => assertInvariants(state),
  };
}

function listedMarket(state: ReferenceState, id: number) {
  const market = findMarket(state, id);
  if (market === undefined) throw new Error(`market ${id} is not listed`);
  return market;
}

function applyFrame(
  state: ReferenceState,
  frame: CommandFrame,
  poisoned: ReadonlySet<number>,
  checkAfterEach: () => void,
): EventFrame {
  state.timeMs = Math.max(state.timeMs, frame.timeMs);
  state.events = [];
  state.command = 0;
  const firstCommand = state.commandsSeen + 1;
  passTime(state, frame, poisoned);
  checkAfterEach();
  for (const command of frame.commands) {
    state.commandsSeen += 1;
    state.command = state.commandsSeen;
    applyOrRepeat(state, command, poisoned.has(state.command));
    checkAfterEach();
  }
  return {
    sequence: frame.sequence,
    timeMs: state.timeMs as TimeMs,
    firstCommand: firstCommand as CommandNumber,
    events: state.events,
  };
}

/** Runs the steps at a frame's start. A negative number in `poisoned` marks one as poison. */
function passTime(state: ReferenceState, frame: CommandFrame, poisoned: ReadonlySet<number>): void {
  const { sequence } = frame;
  if (poisoned.has(-(sequence * 8_192))) disarmDueSwitches(state, frame);
  else fireSwitches(state, frame);
  for (const market of state.markets) {
    if (poisoned.has(-(sequence * 8_192 + market.id))) {
      freezeInTime(state, market);
    } else {
      expireOrders(state, market);
      followReference(state, market);
      runAuctionStep(state, market);
      runStopStep(state, market);
    }
  }
}

function applyOrRepeat(state: ReferenceState, command: Command, isPoisoned: boolean): void {
  const id = `${command.source}:${command.number}`;
  const first = state.remembered.get(id);
  if (first !== undefined) {
    emit(state, { kind: 'CommandRepeated', original: first.command, refusal: first.refusal });
    return;
  }
  const refusal = isPoisoned ? poisonInstead(state, command) : applyOrRefuse(state, command);
  state.remembered.set(id, { command: state.command, refusal });
  if (state.remembered.size > state.limits.commandWindow) {
    const [oldest] = state.remembered.keys();
    state.remembered.delete(oldest);
  }
}

function poisonInstead(state: ReferenceState, command: Command): Refusal {
  poison(state, command);
  return 'command_is_poisoned';
}

function applyOrRefuse(state: ReferenceState, command: Command): Refusal {
  const refusal =
    'channel' in command ? applyFromChannel(state, command) : applyOther(state, command);
  if (refusal === undefined) return 'none';
  const order =
    refusal === 'client_order_id_already_used' && 'clientOrderId' in command
      ? orderWithClientOrderId(state, command.user, command.clientOrderId)
      : 0;
  emit(state, { kind: 'CommandRefused', refusal, order });
  return refusal;
}

type ChannelCommand = Extract<Command, { channel: number }>;

function applyFromChannel(state: ReferenceState, command: ChannelCommand): Refusal | undefined {
  const refusal = money.checkChannel(state, command);
  if (refusal !== undefined) return refusal;
  money.channelOf(state, command.channel).lastSequence += 1;
  switch (command.kind) {
    case 'TradeDirectly':
      return tradeDirectly(state, command);
    case 'CreditDeposit':
    case 'MintAsset':
      return money.creditFromOutside(state, command);
    case 'BurnAsset':
      return money.burnAsset(state, command);
    case 'TransferAsset':
      return money.transferAsset(state, command);
    case 'OpenWithdrawal':
      return withdrawals.openWithdrawal(state, command);
    case 'CompleteWithdrawal':
      return withdrawals.completeWithdrawal(state, command);
    case 'CancelWithdrawal':
      return withdrawals.cancelWithdrawal(state, command);
    case 'SettleFees':
      return money.settleFees(state, command);
  }
}

function applyOther(
  state: ReferenceState,
  command: Exclude<Command, ChannelCommand>,
): Refusal | undefined {
  switch (command.kind) {
    case 'PlaceOrder':
      return placeOrder(state, command);
    case 'CheckOrder':
      return placeOrder(state, { ...command, kind: 'PlaceOrder' }, true);
    case 'CancelOrder':
      return cancelOrder(state, command);
    case 'CancelOrderByClientId':
      return cancelOrderByClientId(state, command);
    case 'CancelAllOrders':
      return cancelAllOrders(state, command);
    case 'AmendOrder':
      return amendOrder(state, command);
    case 'ExecuteQuote':
      return executeQuote(state, command);
    case 'SetDeadManSwitch':
      return setDeadManSwitch(state, command);
    case 'ListAsset':
      return listAsset(state, command);
    case 'SetIssuanceCap':
      return setIssuanceCap(state, command);
    case 'ListMarket':
      return listMarket(state, command);
    case 'SetMarketStatus':
      return configuration.setMarketStatus(state, command);
    case 'SetMarketFees':
      return configuration.setMarketFees(state, command);
    case 'SetUserFees':
      return configuration.setUserFees(state, command);
    case 'SetUserGroup':
      return configuration.setUserGroup(state, command);
    case 'SetPriceBand':
      return configuration.setPriceBand(state, command);
    case 'SetLimits':
      return configuration.setLimits(state, command);
    case 'SetRulesVersion':
      return configuration.setRulesVersion(state, command);
    case 'VoidCommand':
      return voidCommand(state, command);
    case 'AnchorAudit': {
      const { auditSequence, hash } = command;
      emit(state, { kind: 'AuditAnchored', auditSequence, hash });
      return undefined;
    }
  }
}
