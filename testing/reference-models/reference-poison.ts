// Poison commands, which make the engine fail, and the operator's void. Section 11 of the rules.

import type { Command, Refusal, VoidCommand } from '../../core/messages/index.ts';
import { isWholeWithin } from './exact-arithmetic.ts';
import { changeStatus } from './reference-auction.ts';
import { findOpenByClientOrderId } from './reference-closing.ts';
import { channelOf } from './reference-money.ts';
import { emit, findMarket, type ReferenceMarket, type ReferenceState } from './reference-state.ts';

export function poison(state: ReferenceState, command: Command): void {
  const market = marketTouchedBy(state, command);
  if (market !== undefined && market.frozenBy === 0) market.frozenBy = state.command;
  let frozenChannel = 0;
  if ('channel' in command && isWholeWithin(command.channel, 1, state.limits.channelsMax)) {
    frozenChannel = command.channel;
    const channel = channelOf(state, frozenChannel);
    if (channel.frozenBy === 0) {
      channel.lastSequence += 1;
      channel.frozenBy = state.command;
    }
  }
  emit(state, { kind: 'CommandPoisoned', market: market?.id ?? 0, channel: frozenChannel });
}

/** Replaces a market's step at the start of a frame. */
export function freezeInTime(state: ReferenceState, market: ReferenceMarket): void {
  if (market.frozenBy === 0) market.frozenBy = state.commandsSeen;
  emit(state, { kind: 'CommandPoisoned', market: market.id, channel: 0 });
}

function marketTouchedBy(state: ReferenceState, command: Command): ReferenceMarket | undefined {
  if ('market' in command) return findMarket(state, command.market);
  if (command.kind === 'CancelOrder' || command.kind === 'AmendOrder') {
    return findMarket(state, state.orders.get(command.order)?.market ?? 0);
  }
  if (command.kind === 'CancelOrderByClientId') {
    const order = findOpenByClientOrderId(state, command.user, command.clientOrderId);
    return findMarket(state, order?.market ?? 0);
  }
  return undefined;
}

export function voidCommand(state: ReferenceState, command: VoidCommand): Refusal | undefined {
  const markets = state.markets.filter((one) => isFrozenBy(one, command.command));
  const channels = [...state.channels.values()].filter((one) => isFrozenBy(one, command.command));
  if (markets.length === 0 && channels.length === 0) return 'command_is_not_frozen';
  emit(state, { kind: 'CommandVoided', voided: command.command });
  for (const market of markets) {
    market.frozenBy = 0;
    changeStatus(state, market, { status: 'cancel-only', auctionEndsMs: 0 });
  }
  for (const channel of channels) channel.frozenBy = 0;
  return undefined;
}

function isFrozenBy(one: { frozenBy: number }, command: number): boolean {
  return one.frozenBy !== 0 && one.frozenBy === command;
}
