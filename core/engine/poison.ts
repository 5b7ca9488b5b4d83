// Poison: a command on which the engine fails. It must have no effect and must not fail again on
// every restart. The host restores the state before it and applies the frame again with the
// command listed as poison; the command then only freezes its market or channel, until voided.

import type { Command, CommandFrame, Refusal, VoidCommand } from '../messages/index.ts';
import type { CommandNumber, MarketId, TimeMs } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { findOrderByClientId } from './cancel-orders.ts';
import { type Exchange, marketOf } from './exchange.ts';
import type { Market } from './market.ts';
import { dueSwitches } from './set-dead-man-switch.ts';
import { changeStatus } from './uncross.ts';

/** Larger than every market id, so each step of each frame has a unique number. */
const STEPS_PER_FRAME = 8_192;

/** The step of the dead man's switches; a market's step is its market id. */
export const SWITCHES_STEP = 0;

/**
 * The number of a time step at the start of a frame. Negative, where command numbers are positive,
 * so one set can list both as poison.
 */
export function timeStepNumber(sequence: number, step: number): number {
  return -(sequence * STEPS_PER_FRAME + step);
}

/** The engine failed on a bug. Its exchange is torn and must be discarded. */
export class PoisonFault extends Error {
  override readonly name = 'PoisonFault';
  /** The number to list in `poisoned`: of a command or of a time step. */
  readonly poison: number;

  constructor(poison: number, cause: unknown) {
    const what = poison > 0 ? `command ${poison}` : `time step ${-poison}`;
    super(`${what} is poison: ${String(cause)}`, { cause });
    this.poison = poison;
  }
}

/** Replaces a poison command: freezes its market and channel. */
export function freezeFor(exchange: Exchange, command: Command): Refusal {
  const number = exchange.command;
  const market = marketOf(exchange, marketTouched(exchange, command));
  if (market !== undefined && market.frozenBy === 0) market.frozenBy = number;
  const channel = channelTouched(exchange, command);
  if (channel !== 0 && exchange.channelsFrozenBy[channel] === 0) {
    exchange.channelSequences[channel]++;
    exchange.channelsFrozenBy[channel] = number;
  }
  exchange.events.push({
    kind: 'CommandPoisoned',
    command: number,
    market: market?.id ?? (0 as MarketId),
    channel,
  });
  return 'command_is_poisoned';
}

/** Replaces a market's poison step: freezes the market under the last command before it. */
export function freezeInTime(exchange: Exchange, market: Market): void {
  if (market.frozenBy === 0) market.frozenBy = exchange.commandsApplied as CommandNumber;
  pushPoisoned(exchange, market.id);
}

/** Replaces the poison step of the switches: disarms the due switches without firing them. */
export function disarmInTime(exchange: Exchange, frame: CommandFrame): void {
  const { switches } = exchange;
  for (const { user, key } of dueSwitches(exchange, frame)) {
    switches.disarm(user, key);
    const { command } = exchange;
    const deadlineMs = 0 as TimeMs;
    exchange.events.push({ kind: 'DeadManSwitchSet', command, user, key, deadlineMs });
  }
  pushPoisoned(exchange, 0 as MarketId);
}

function pushPoisoned(exchange: Exchange, market: MarketId): void {
  const { command } = exchange;
  exchange.events.push({ kind: 'CommandPoisoned', command, market, channel: 0 });
}

export function voidCommand(exchange: Exchange, { command }: VoidCommand): Refusal {
  const { channelsFrozenBy, command: cause, events } = exchange;
  if (command === 0) return 'command_is_not_frozen';
  const markets = exchange.markets.filter(({ frozenBy }) => frozenBy === command);
  if (markets.length === 0 && !channelsFrozenBy.includes(command)) return 'command_is_not_frozen';
  events.push({ kind: 'CommandVoided', command: cause, voided: command });
  for (const market of markets) {
    market.frozenBy = 0 as CommandNumber;
    changeStatus(exchange, market, 'cancel-only');
  }
  for (let channel = 1; channel < channelsFrozenBy.length; channel++) {
    if (channelsFrozenBy[channel] !== command) continue;
    channelsFrozenBy[channel] = 0;
  }
  return 'none';
}

function marketTouched(exchange: Exchange, command: Command): MarketId {
  if ('market' in command) return command.market;
  const { orders } = exchange.books;
  let order = NONE;
  if ('order' in command) order = orders.find(command.order);
  if (command.kind === 'CancelOrderByClientId') order = findOrderByClientId(exchange, command);
  return (order === NONE ? 0 : orders.market(order)) as MarketId;
}

function channelTouched(exchange: Exchange, command: Command): number {
  if (!('channel' in command)) return 0;
  const { channel } = command;
  return channel >= 1 && channel <= exchange.limits.channelsMax ? channel : 0;
}
