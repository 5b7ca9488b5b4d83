// Faults in writing the state down and reading it back.

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
    name: 'when the reference was set is not restored',
    file: RESTORE,
    find: 'setReference(market, market.referenceTicks, market.referenceSetMs);',
    replace: 'setReference(market, market.referenceTicks, 0 as TimeMs);',
  },
  {
    name: 'the edges of the band are not derived again',
    file: RESTORE,
    find: '  setReference(market, market.referenceTicks, market.referenceSetMs);\n',
    replace: '',
  },
  {
    name: 'the ready queue is not written',
    file: SNAPSHOT,
    find: '    writeQueue(writer, exchange, books.firstReady(market.id));\n',
    replace: '',
  },
  {
    name: 'ready stops wait again after a restore',
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
    name: 'what froze a channel is not written',
    file: SNAPSHOT,
    find: 'writer.number(exchange.channelsFrozenBy[channel]);',
    replace: 'writer.number(0);',
  },
  {
    name: 'what froze a market is not written',
    file: SNAPSHOT,
    find: 'writer.number(market.frozenBy);',
    replace: 'writer.number(0);',
  },
  {
    name: 'holds of accounts are not restored',
    file: 'core/ledger/ledger.ts',
    find: '    this.accounts.setHeldAtoms(slot, held);\n',
    replace: '',
  },
  {
    name: 'keys of orders are not written',
    file: SNAPSHOT,
    find: 'writer.integer(details.key(order));',
    replace: 'writer.integer(0);',
  },
  {
    name: 'frozen fee rates are not written',
    file: SNAPSHOT,
    find: 'writer.integer(details.makerFeePpm(order));',
    replace: 'writer.integer(0);',
  },
  {
    name: 'a restored user’s orders are listed by price and not by placing',
    file: RESTORE,
    find: 'numbers.sort()',
    replace: 'numbers',
  },
  {
    name: 'the count of trades starts again after a restore',
    file: RESTORE,
    find: 'exchange.tradesExecuted = reader.number();',
    replace: 'reader.number();',
  },
];
