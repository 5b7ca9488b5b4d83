// Faults in money, the ledger and the structures below them.

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
    name: 'the ledger lets one atom too few be issued',
    file: LEDGER,
    find: 'assert(atoms <= this.issuableAtoms(asset)',
    replace: 'assert(atoms < this.issuableAtoms(asset)',
  },
  {
    name: 'the ledger does not know the issuance cap',
    file: LEDGER,
    find: 'assert(atoms <= this.issuableAtoms(asset)',
    replace: 'assert(atoms >= 0n',
  },
  {
    name: 'more is released than was held',
    file: LEDGER,
    find: "    assert(held >= 0n, 'a release is covered by held');\n",
    replace: '',
  },
  {
    name: 'more is held than is available',
    file: LEDGER,
    find: "    assert(available >= 0n, 'available covers every hold');\n",
    replace: '',
  },
  {
    name: 'a hold takes from available but is never written down',
    file: LEDGER,
    find: 'BigInt.asIntN(64, accounts.heldAtoms(account) + atoms)',
    replace: 'BigInt.asIntN(64, accounts.heldAtoms(account))',
  },
  {
    name: 'a release gives back nothing',
    file: LEDGER,
    find: 'accounts.availableAtoms(account) + atoms',
    replace: 'accounts.availableAtoms(account)',
  },
  {
    name: 'a cap may be set below what is issued',
    file: LEDGER,
    find: 'assert(issuanceCapAtoms >= this.issuedAtoms(asset)',
    replace: 'assert(issuanceCapAtoms >= 0n',
  },
  {
    name: 'the system accounts count against the capacity',
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
    name: 'a gap in the index is closed with entries that belong behind it',
    file: 'core/structures/hash-index.ts',
    find: '>= ((place - gap) & mask)',
    replace: '< ((place - gap) & mask)',
  },
  {
    name: 'an entry that moved to the larger table is found in the old one too',
    file: 'core/structures/hash-index.ts',
    find: '        old.places[at] = REMOVED;\n',
    replace: '',
  },
];
