// Faults in money, the ledger and the data structures.

import type { FaultTable } from '../fault.ts';

export const LEDGER_FAULTS: FaultTable = {
  'core/money/fees.ts': {
    'a fee is rounded down': { in: 'feeAtoms', remove: '+ 999_999n' },
    'a discounted rate is rounded down': { in: 'discountedPpm', replace: ['ceil', 'floor'] },
  },
  'core/money/price-offsets.ts': {
    'the upper edge of a band or slippage is rounded up': {
      in: 'ticksUp',
      replace: ['floor', 'ceil'],
    },
    'the lower edge of a band or slippage is rounded down': {
      in: 'ticksDown',
      replace: ['ceil', 'floor'],
    },
  },
  'core/ledger/ledger.ts': {
    'the ledger issues one atom too few': { in: 'Ledger.issue', replace: ['<=', '<'] },
    'the ledger ignores the issuance cap': {
      in: 'Ledger.issue',
      replace: ['<= this.issuableAtoms(asset)', '>= 0n'],
    },
    'a release can exceed the hold': { in: 'Ledger.release', drop: 'held >=' },
    'a hold can exceed available': { in: 'Ledger.hold', drop: 'available >=' },
    'a hold reduces available without increasing held': { in: 'Ledger.hold', remove: '+ atoms' },
    'a release does not increase available': { in: 'Ledger.release', remove: '+ atoms' },
    'the ledger accepts a cap below the issued amount': {
      in: 'Ledger.setIssuanceCapAtoms',
      replace: ['this.issuedAtoms(asset)', '0n'],
    },
    'system accounts count against the capacity': {
      in: 'Ledger.room.users',
      value: 'this.accounts.size',
    },
  },
  'core/ledger/accounts.ts': {
    'an account is found by its owner alone': {
      in: 'Accounts.find',
      remove: '&& this.asset(slot) === asset',
    },
  },
  'core/structures/hash-index.ts': {
    'a gap in the index is closed with the wrong entries': { in: 'closeGap', replace: ['>=', '<'] },
    'a moved entry is also found in the old table': { in: 'HashIndex.#move', drop: '= REMOVED' },
  },
};
