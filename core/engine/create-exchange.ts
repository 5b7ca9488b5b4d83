// Creates an empty exchange and connects matching to settlement.

import { Ledger } from '../ledger/index.ts';
import { Books, type MatchListener } from '../matching/index.ts';
import { INITIAL_LIMITS, type Limits, RULES_VERSION_MIN } from '../messages/index.ts';
import type { CommandNumber, TimeMs } from '../money/index.ts';
import { assert, type HashKey, NO_HASH_KEY } from '../structures/index.ts';
import { ClientOrderIds } from './client-order-ids.ts';
import { CommandWindow } from './command-window.ts';
import { DeadManSwitches } from './dead-man-switches.ts';
import type { Exchange } from './exchange.ts';
import { Expiries } from './expiries.ts';
import { createMatchListener } from './match-listener.ts';
import { OrderDetails } from './order-details.ts';
import { Users } from './users.ts';

/** An empty exchange: no assets, no markets, no users. */
export function createExchange(
  limits: Limits = INITIAL_LIMITS,
  hashKey: HashKey = NO_HASH_KEY,
): Exchange {
  // One literal with all fields: with spreads or later additions V8 would use a slow dictionary.
  const exchange: Exchange = {
    limits,
    ledger: new Ledger(limits),
    books: new Books(limits),
    users: new Users(limits.usersMax),
    details: new OrderDetails(limits.ordersMax),
    clientOrderIds: new ClientOrderIds(limits, hashKey),
    window: new CommandWindow(limits.commandWindow),
    channelSequences: new Float64Array(limits.channelsMax + 1),
    channelsFrozenBy: new Float64Array(limits.channelsMax + 1),
    hashKey,
    sequence: 0,
    timeMs: 0 as TimeMs,
    commandsApplied: 0,
    tradesExecuted: 0,
    rulesVersion: RULES_VERSION_MIN,
    assets: [],
    markets: [],
    withdrawals: new Map(),
    switches: new DeadManSwitches(),
    links: new Map(),
    expiries: new Expiries(),
    command: 0 as CommandNumber,
    events: [],
    matchListener: NO_LISTENER,
    torn: false,
  };
  exchange.matchListener = createMatchListener(exchange);
  return exchange;
}

/** Placeholder: the real listener needs the exchange, which does not exist yet. */
const NO_LISTENER: MatchListener = {
  fill: () => assert(false, 'the exchange has a match listener'),
  makerClosed: () => assert(false, 'the exchange has a match listener'),
};
