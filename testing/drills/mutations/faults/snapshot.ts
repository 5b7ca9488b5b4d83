// Faults in writing and restoring snapshots.

import type { Fault } from '../fault.ts';

const SNAPSHOT = 'core/engine/snapshot.ts';
const RESTORE = 'core/engine/restore.ts';

export const SNAPSHOT_FAULTS: readonly Fault[] = [
  {
    name: 'the last price is not restored',
    file: RESTORE,
    find: 'lastTicks: reader.number() as Ticks,',
    replace: 'lastTicks: (reader.number() * 0) as Ticks,',
  },
  {
    name: 'the last price is not written',
    file: SNAPSHOT,
    find: 'writer.number(market.lastTicks);',
    replace: 'writer.number(0);',
  },
  {
    name: 'the time of the reference is not restored',
    file: RESTORE,
    find: 'setReference(market, market.referenceTicks, market.referenceSetMs);',
    replace: 'setReference(market, market.referenceTicks, 0 as TimeMs);',
  },
  {
    name: 'the edges of the band are not derived after a restore',
    file: RESTORE,
    find: '  setReference(market, market.referenceTicks, market.referenceSetMs);\n',
    replace: '',
  },
  {
    name: 'the ready queue is not written',
    file: SNAPSHOT,
    find: '    yield* writeQueue(writer, exchange, books.firstReady(market.id));\n',
    replace: '',
  },
  {
    name: 'ready stops are restored as waiting',
    file: RESTORE,
    find: 'else if (state === READY) books.joinReady(order);',
    replace: 'else if (state === READY) books.wait(order);',
  },
  {
    name: 'the outcomes of remembered commands are not written',
    file: SNAPSHOT,
    find: 'writer.integer(window.outcome(entry));',
    replace: 'writer.integer(0);',
  },
  {
    name: 'groups are not restored',
    file: RESTORE,
    find: 'books.groups[slot] = reader.number();',
    replace: 'books.groups[slot] = reader.number() * 0;',
  },
  {
    name: 'the command that froze a channel is not written',
    file: SNAPSHOT,
    find: 'writer.number(exchange.channelsFrozenBy[channel]);',
    replace: 'writer.number(0);',
  },
  {
    name: 'the command that froze a market is not written',
    file: SNAPSHOT,
    find: 'writer.number(market.frozenBy);',
    replace: 'writer.number(0);',
  },
  {
    name: 'the holds of accounts are not restored',
    file: 'core/ledger/ledger.ts',
    find: '    this.accounts.setHeldAtoms(slot, held);\n',
    replace: '',
  },
  {
    name: 'the keys of orders are not written',
    file: SNAPSHOT,
    find: 'writer.integer(details.key(order));',
    replace: 'writer.integer(0);',
  },
  {
    name: 'the fee rates of orders are not written',
    file: SNAPSHOT,
    find: 'writer.integer(details.makerFeePpm(order));',
    replace: 'writer.integer(0);',
  },
  {
    name: 'restored orders of a user are listed by price, not by placement',
    file: RESTORE,
    find: 'numbers.sort()',
    replace: 'numbers',
  },
  {
    name: 'the count of trades restarts after a restore',
    file: RESTORE,
    find: 'exchange.tradesExecuted = reader.number();',
    replace: 'reader.number();',
  },
];
