// A command the engine fails on. Its effects must not stand, and it must not be met again at each
// restart: the host restores the state before it and applies the frame anew with the command
// named as poison. Then it only freezes what it touches, until an operator voids it.

import type { Command, Refusal, VoidCommand } from '../messages/index.ts';
import type { CommandNumber, MarketId } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { findOrderByClientId } from './cancel-orders.ts';
import { type Exchange, marketOf } from './exchange.ts';
import type { Market } from './market.ts';

/** Market ids fit below this, so that a frame's steps have numbers of their own. */
const STEPS_PER_FRAME = 8_192;

/** The switches' step at the start of a frame; a market's has the market's id. */
export const SWITCHES_STEP = 0;

/**
 * The number of what the passing of time does at the start of a frame: negative, where a
 * command's is positive, so that one set can name both as poison.
 */
export function timeStepNumber(sequence: number, step: number): number {
  return -(sequence * STEPS_PER_FRAME + step);
}

/** A bug was met. The exchange it was met in is torn and must be thrown away. */
export class PoisonFault extends Error {
  override readonly name = 'PoisonFault';
  /** What to name in `poisoned`: a command's number, or a time step's. */
  readonly poison: number;

  constructor(poison: number, cause: unknown) {
    const what = poison > 0 ? `command ${poison}` : `time step ${-poison}`;
    super(`${what} is poison: ${String(cause)}`, { cause });
    this.poison = poison;
  }
}

/** What is applied instead of a poison command. */
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

/** What is done instead of a market's poison step: the last command before it is to be voided. */
export function freezeInTime(exchange: Exchange, market: Market): void {
  if (market.frozenBy === 0) market.frozenBy = exchange.commandsApplied as CommandNumber;
  pushPoisoned(exchange, market.id);
}

/** What is done instead of the switches' poison step: those due are disarmed and do not fire. */
export function disarmInTime(exchange: Exchange): void {
  const { limits, switches, timeMs } = exchange;
  for (const { user, key } of switches.due(timeMs, limits.switchesPerFrameMax)) {
    switches.disarm(user, key);
  }
  pushPoisoned(exchange, 0 as MarketId);
}

function pushPoisoned(exchange: Exchange, market: MarketId): void {
  const { command } = exchange;
  exchange.events.push({ kind: 'CommandPoisoned', command, market, channel: 0 });
}

export function voidCommand(exchange: Exchange, { command }: VoidCommand): Refusal {
  const { channelsFrozenBy, markets } = exchange;
  let holds = false;
  for (const market of markets) {
    if (command === 0 || market.frozenBy !== command) continue;
    market.frozenBy = 0 as CommandNumber;
    market.status = 'cancel-only';
    holds = true;
  }
  for (let channel = 1; channel < channelsFrozenBy.length; channel++) {
    if (command === 0 || channelsFrozenBy[channel] !== command) continue;
    channelsFrozenBy[channel] = 0;
    holds = true;
  }
  if (!holds) return 'command_is_not_frozen';
  const { command: cause } = exchange;
  exchange.events.push({ kind: 'CommandVoided', command: cause, voided: command });
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
