// Faults in writing and restoring snapshots.

import type { FaultTable } from '../fault.ts';

export const SNAPSHOT_FAULTS: FaultTable = {
  'core/engine/restore.ts': {
    'the last price is not restored': {
      in: 'readMarket.market.lastTicks',
      replace: ['reader.number()', '(reader.number() * 0)'],
    },
    'the time of the reference is not restored': {
      in: 'readMarket',
      replace: ['market.referenceSetMs', '0 as TimeMs'],
    },
    'the edges of the band are not derived after a restore': {
      in: 'readMarket',
      drop: 'setReference',
    },
    'ready stops are restored as waiting': { in: 'readOrders', replace: ['joinReady', 'wait'] },
    'groups are not restored': { in: 'readUsers', replace: ['number()', 'number() * 0'] },
    'restored orders of a user are listed by price, not by placement': {
      in: 'readOrders',
      remove: '.sort()',
    },
    'the trade count restarts after a restore': {
      in: 'restoring',
      remove: 'exchange.tradesExecuted =',
    },
  },
  'core/engine/snapshot.ts': {
    'the last price is not written': { in: 'writeMarket', replace: ['market.lastTicks', '0'] },
    'the ready queue is not written': { in: 'writeOrders', drop: 'firstReady' },
    'the outcomes of remembered commands are not written': {
      in: 'writeWindow',
      replace: ['window.outcome(entry)', '0'],
    },
    'the command that froze a channel is not written': {
      in: 'writeChannels',
      replace: ['exchange.channelsFrozenBy[channel]', '0'],
    },
    'the command that froze a market is not written': {
      in: 'writeMarket',
      replace: ['market.frozenBy', '0'],
    },
    'the keys of orders are not written': {
      in: 'writeQueue',
      replace: ['details.key(order)', '0'],
    },
    'the fee rates of orders are not written': {
      in: 'writeQueue',
      replace: ['details.makerFeePpm(order)', '0'],
    },
  },
  'core/ledger/ledger.ts': {
    'the holds of accounts are not restored': { in: 'Ledger.reopenAccount', drop: 'setHeldAtoms' },
  },
};
