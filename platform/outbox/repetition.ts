// A command may be sent again after a lost answer. Setting a value again changes nothing. Other
// commands are refused the second time, by a refusal that says that the first time succeeded.

import type { Event, Refusal } from '../../core/messages/index.ts';
import type { EngineCommand } from './engine-commands.ts';

const ALREADY_SO: Partial<Record<EngineCommand['kind'], Refusal>> = {
  ListAsset: 'symbol_already_listed',
  ListMarket: 'symbol_already_listed',
  PlaceOrder: 'client_order_id_already_used',
  CancelOrder: 'order_must_exist',
};

/** Whether the refusal means that the command is done already. */
export function countsAsAccepted(
  kind: EngineCommand['kind'],
  refusal: Refusal,
  { wasAttempted }: { readonly wasAttempted: boolean },
): boolean {
  if (refusal === 'none') return false;
  // Nothing is frozen by it: the operator wants exactly that.
  if (kind === 'VoidCommand') return refusal === 'command_is_not_frozen';
  return wasAttempted && ALREADY_SO[kind] === refusal;
}

/** The number of the asset or market that these events list; 0 for none. */
export function listedBy(events: readonly Event[]): number {
  for (const event of events) {
    if (event.kind === 'AssetListed') return event.asset;
    if (event.kind === 'MarketListed') return event.market;
  }
  return 0;
}

/** The command about the asset or market that the one before it has listed. */
export function withListed(command: EngineCommand, listed: number): EngineCommand {
  if ('market' in command) return { ...command, market: listed } as EngineCommand;
  if ('asset' in command) return { ...command, asset: listed } as EngineCommand;
  return command;
}
