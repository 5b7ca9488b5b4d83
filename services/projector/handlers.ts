// Handlers for all event kinds, by schema version. A kind without a handler does not compile. If a
// later schema version changes the meaning of events, it gets separate handlers.

import type { Event } from '../../core/messages/index.ts';
import { commandHandlers } from './events/commands.ts';
import { configurationHandlers } from './events/configuration.ts';
import type { EventHandlers } from './events/event-handler.ts';
import { moneyHandlers } from './events/money.ts';
import { switchHandlers } from './events/switches.ts';
import { tradingHandlers } from './events/trading.ts';

type AllHandlers = EventHandlers<Event['kind']>;

const HANDLERS: AllHandlers = {
  ...commandHandlers,
  ...configurationHandlers,
  ...moneyHandlers,
  ...switchHandlers,
  ...tradingHandlers,
};

// The decoder returns the events of every version in the current form, so far with the same
// meaning.
const BY_VERSION: Readonly<Record<number, AllHandlers>> = {
  1: HANDLERS,
  2: HANDLERS,
  3: HANDLERS,
  4: HANDLERS,
  5: HANDLERS,
  6: HANDLERS,
  7: HANDLERS,
  8: HANDLERS,
};

/** Throws if the version is unknown to this release. */
export function handlersFor(schemaVersion: number): AllHandlers {
  const handlers = BY_VERSION[schemaVersion];
  if (handlers === undefined) {
    throw new Error(
      `cannot project events of schema version ${schemaVersion}: ` +
        `this release knows versions ${Object.keys(BY_VERSION).join(' and ')}`,
    );
  }
  return handlers;
}
