// Faults in money, the ledger and the structures.

import type { Fault } from '../fault.ts';

const FEES = 'core/money/fees.ts';
const OFFSETS = 'core/money/price-offsets.ts';
const LEDGER = 'core/ledger/ledger.ts';

export const LEDGER_FAULTS: readonly Fault[] = [
  {
    name: 'a fee is rounded down',
    file: FEES,
    find: 'restTimesRate + 999_999n',
    replace: 'restTimesRate',
  },
  {
    name: 'a discounted rate is rounded down',
    file: FEES,
    find: 'Math.ceil((rate *',
    replace: 'Math.floor((rate *',
  },
  {
    name: 'the upper edge of a band or slippage is rounded up',
    file: OFFSETS,
    find: 'return Math.floor(product / ONE_MILLION_PPM)',
    replace: 'return Math.ceil(product / ONE_MILLION_PPM)',
  },
  {
    name: 'the lower edge of a band or slippage is rounded down',
    file: OFFSETS,
    find: 'return Math.ceil(product / ONE_MILLION_PPM)',
    replace: 'return Math.floor(product / ONE_MILLION_PPM)',
  },
  {
    name: 'the ledger issues one atom too few',
    file: LEDGER,
    find: 'assert(atoms <= this.issuableAtoms(asset)',
    replace: 'assert(atoms < this.issuableAtoms(asset)',
  },
  {
    name: 'the ledger ignores the issuance cap',
    file: LEDGER,
    find: 'assert(atoms <= this.issuableAtoms(asset)',
    replace: 'assert(atoms >= 0n',
  },
  {
    name: 'a release may exceed the hold',
    file: LEDGER,
    find: "    assert(held >= 0n, 'a release is covered by held');\n",
    replace: '',
  },
  {
    name: 'a hold may exceed available',
    file: LEDGER,
    find: "    assert(available >= 0n, 'available covers every hold');\n",
    replace: '',
  },
  {
    name: 'a hold reduces available without increasing held',
    file: LEDGER,
    find: 'BigInt.asIntN(64, accounts.heldAtoms(account) + atoms)',
    replace: 'BigInt.asIntN(64, accounts.heldAtoms(account))',
  },
  {
    name: 'a release does not increase available',
    file: LEDGER,
    find: 'accounts.availableAtoms(account) + atoms',
    replace: 'accounts.availableAtoms(account)',
  },
  {
    name: 'the ledger accepts a cap below the issued amount',
    file: LEDGER,
    find: 'assert(issuanceCapAtoms >= this.issuedAtoms(asset)',
    replace: 'assert(issuanceCapAtoms >= 0n',
  },
  {
    name: 'system accounts count against the capacity',
    file: LEDGER,
    find: 'this.accounts.size - this.#assets * SYSTEM_ACCOUNTS_PER_ASSET',
    replace: 'this.accounts.size',
  },
  {
    name: 'an account is found by its owner alone',
    file: 'core/ledger/accounts.ts',
    find: 'this.owner(slot) === owner && this.asset(slot) === asset',
    replace: 'this.owner(slot) === owner',
  },
  {
    name: 'a gap in the index is closed with the wrong entries',
    file: 'core/structures/hash-index.ts',
    find: '>= ((place - gap) & mask)',
    replace: '< ((place - gap) & mask)',
  },
  {
    name: 'a moved entry is also found in the old table',
    file: 'core/structures/hash-index.ts',
    find: '        old.places[at] = REMOVED;\n',
    replace: '',
  },
];
