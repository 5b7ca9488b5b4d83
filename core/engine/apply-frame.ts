// The engine's only entry point: applies a frame of commands and returns a frame of events. First
// come the effects of time (dead man's switches, bands, auctions, stops), then each command once.

import {
  type AnchorAudit,
  type Command,
  type CommandFrame,
  type EventFrame,
  REFUSALS,
  type Refusal,
} from '../messages/index.ts';
import type { CommandNumber, OrderNumber } from '../money/index.ts';
import { assert, NONE } from '../structures/index.ts';
import { amendOrder } from './amend-order.ts';
import { cancelAllOrders, cancelOrder, cancelOrderByClientId } from './cancel-orders.ts';
import { advanceChannel } from './channels.ts';
import { setMarketFees, setUserFees, setUserGroup } from './configure-fees.ts';
import { setLimits } from './configure-limits.ts';
import { listAsset, listMarket, setIssuanceCap } from './configure-listing.ts';
import { followPrice, setMarketStatus, setPriceBand } from './configure-market.ts';
import type { Exchange } from './exchange.ts';
import { executeQuote } from './execute-quote.ts';
import { expireOrders } from './expire-orders.ts';
import { activateStops } from './match-incoming.ts';
import {
  burnAsset,
  cancelWithdrawal,
  completeWithdrawal,
  creditFromOutside,
  openWithdrawal,
  settleFees,
  transferAsset,
} from './money-commands.ts';
import { placeOrder } from './place-order.ts';
import {
  disarmInTime,
  freezeFor,
  freezeInTime,
  PoisonFault,
  SWITCHES_STEP,
  timeStepNumber,
  voidCommand,
} from './poison.ts';
import { requireRunnableFrame, setRulesVersion } from './rules-version.ts';
import { fireDeadManSwitches, setDeadManSwitch } from './set-dead-man-switch.ts';
import { tradeDirectly } from './trade-directly.ts';
import { uncross } from './uncross.ts';

const NO_POISON: ReadonlySet<number> = new Set();
const BY_TIME = 0 as CommandNumber;
const ACCEPTED = REFUSALS.indexOf('none');

/**
 * Applies the next frame. Throws PoisonFault if the engine has a bug: the host then restores an
 * earlier state and applies the same frames again with the fault's `poison` in `poisoned`.
 * Throws RulesVersionFault, with nothing changed, if the frame needs the rules of another release.
 * After a command that brings the orders visited by this frame to `visitsMax` it applies no more,
 * except commands that might have spared a switch: a leader then closes the frame with the
 * commands that were applied.
 */
export function applyFrame(
  exchange: Exchange,
  frame: CommandFrame,
  poisoned: ReadonlySet<number> = poisonedIn(frame),
  visitsMax = Number.POSITIVE_INFINITY,
): EventFrame {
  assert(!exchange.torn, 'a torn exchange is not used again');
  assert(frame.sequence === exchange.sequence + 1, 'frames are applied in order, without gaps');
  requireRunnableFrame(frame);
  exchange.torn = true;
  exchange.sequence = frame.sequence;
  if (frame.timeMs > exchange.timeMs) exchange.timeMs = frame.timeMs;
  exchange.events = [];
  exchange.books.visits = 0;
  const firstCommand = (exchange.commandsApplied + 1) as CommandNumber;
  const awaited = lastAwaited(exchange, frame);
  passTime(exchange, frame, poisoned);
  try {
    for (const [index, command] of frame.commands.entries()) {
      applyOnce(exchange, command, poisoned);
      if (exchange.books.visits >= visitsMax && index >= awaited) break;
    }
  } catch (cause) {
    throw new PoisonFault(exchange.command, cause);
  }
  exchange.torn = false;
  return {
    sequence: frame.sequence,
    timeMs: exchange.timeMs,
    firstCommand,
    events: exchange.events,
  };
}

function poisonedIn({ poisoned }: CommandFrame): ReadonlySet<number> {
  return poisoned === undefined ? NO_POISON : new Set(poisoned);
}

/**
 * The last command that can spare a due switch at the start of the frame; -1 without one. A
 * frame that ended before it would fire that switch when it is replayed.
 */
function lastAwaited({ rulesVersion, switches, timeMs }: Exchange, frame: CommandFrame): number {
  if (rulesVersion < 2 || timeMs < switches.noneDueBeforeMs) return -1;
  return frame.commands.findLastIndex(({ kind }) => kind === 'SetDeadManSwitch');
}

function passTime(exchange: Exchange, frame: CommandFrame, poisoned: ReadonlySet<number>): void {
  exchange.command = BY_TIME;
  let step = timeStepNumber(exchange.sequence, SWITCHES_STEP);
  try {
    if (poisoned.has(step)) disarmInTime(exchange, frame);
    else fireDeadManSwitches(exchange, frame);
    for (const market of exchange.markets) {
      step = timeStepNumber(exchange.sequence, market.id);
      if (poisoned.has(step)) {
        freezeInTime(exchange, market);
      } else {
        expireOrders(exchange, market);
        followPrice(exchange, market);
        uncross(exchange, market);
        activateStops(exchange, market);
      }
    }
  } catch (cause) {
    throw new PoisonFault(step, cause);
  }
}

/** Repeats the first outcome of a command in the window; applies and remembers any other. */
function applyOnce(exchange: Exchange, command: Command, poisoned: ReadonlySet<number>): void {
  const number = ++exchange.commandsApplied as CommandNumber;
  exchange.command = number;
  // A copy of the id: V8 reads one shape faster than those of all kinds of command.
  const id = { source: command.source, number: command.number };
  const seen = exchange.window.find(id);
  if (seen !== NONE) {
    exchange.events.push({
      kind: 'CommandRepeated',
      command: number,
      original: exchange.window.command(seen),
      refusal: REFUSALS[exchange.window.outcome(seen)],
    });
    return;
  }
  const isPoison = poisoned.size > 0 && poisoned.has(number);
  const refusal = isPoison ? freezeFor(exchange, command) : applyOrRefuse(exchange, command);
  const outcome = refusal === 'none' ? ACCEPTED : REFUSALS.indexOf(refusal);
  exchange.window.remember(id, number, outcome);
}

function applyOrRefuse(exchange: Exchange, command: Command): Refusal {
  const refusal = applyCommand(exchange, command);
  if (refusal !== 'none') {
    const order = orderNamedBy(exchange, command, refusal);
    const { command: number } = exchange;
    exchange.events.push({ kind: 'CommandRefused', command: number, refusal, order });
  }
  return refusal;
}

/** The order that already has the command's client order id; other refusals name no order. */
function orderNamedBy(exchange: Exchange, command: Command, refusal: Refusal): OrderNumber {
  if (refusal !== 'client_order_id_already_used') return NONE as OrderNumber;
  assert('clientOrderId' in command, 'only a command with a client order id can reuse one');
  const { clientOrderIds, users } = exchange;
  const user = users.find(command.user);
  return clientOrderIds.order(clientOrderIds.find(user, command.clientOrderId));
}

function applyCommand(exchange: Exchange, command: Command): Refusal {
  switch (command.kind) {
    case 'PlaceOrder':
      return placeOrder(exchange, command);
    case 'CancelOrder':
      return cancelOrder(exchange, command);
    case 'AmendOrder':
      return amendOrder(exchange, command);
    case 'CancelOrderByClientId':
      return cancelOrderByClientId(exchange, command);
    case 'CancelAllOrders':
      return cancelAllOrders(exchange, command);
    case 'ExecuteQuote':
      return executeQuote(exchange, command);
    case 'SetDeadManSwitch':
      return setDeadManSwitch(exchange, command);
    case 'ListAsset':
      return listAsset(exchange, command);
    case 'SetIssuanceCap':
      return setIssuanceCap(exchange, command);
    case 'ListMarket':
      return listMarket(exchange, command);
    case 'SetMarketStatus':
      return setMarketStatus(exchange, command);
    case 'SetMarketFees':
      return setMarketFees(exchange, command);
    case 'SetUserFees':
      return setUserFees(exchange, command);
    case 'SetUserGroup':
      return setUserGroup(exchange, command);
    case 'SetPriceBand':
      return setPriceBand(exchange, command);
    case 'SetLimits':
      return setLimits(exchange, command);
    case 'SetRulesVersion':
      return setRulesVersion(exchange, command);
    case 'VoidCommand':
      return voidCommand(exchange, command);
    case 'AnchorAudit':
      return anchorAudit(exchange, command);
    case 'CheckOrder':
      return placeOrder(exchange, { ...command, kind: 'PlaceOrder' }, true);
    default:
      return applyFromChannel(exchange, command);
  }
}

function anchorAudit(exchange: Exchange, { auditSequence, hash }: AnchorAudit): Refusal {
  const { command } = exchange;
  exchange.events.push({ kind: 'AuditAnchored', command, auditSequence, hash });
  return 'none';
}

type ChannelCommand = Extract<Command, { channel: number }>;

function applyFromChannel(exchange: Exchange, command: ChannelCommand): Refusal {
  const outOfTurn = advanceChannel(exchange, command);
  if (outOfTurn !== 'none') return outOfTurn;
  switch (command.kind) {
    case 'CreditDeposit':
    case 'MintAsset':
      return creditFromOutside(exchange, command);
    case 'BurnAsset':
      return burnAsset(exchange, command);
    case 'TransferAsset':
      return transferAsset(exchange, command);
    case 'OpenWithdrawal':
      return openWithdrawal(exchange, command);
    case 'CompleteWithdrawal':
      return completeWithdrawal(exchange, command);
    case 'CancelWithdrawal':
      return cancelWithdrawal(exchange, command);
    case 'SettleFees':
      return settleFees(exchange, command);
    case 'TradeDirectly':
      return tradeDirectly(exchange, command);
  }
}
