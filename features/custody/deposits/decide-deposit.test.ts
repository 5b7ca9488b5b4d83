// Tests the rules for final deposits, and the conversion from units to atoms.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ATOMS_MAX } from '../../../core/money/index.ts';
import { atomsOfUnits, type DepositFacts, decideDeposit } from './decide-deposit.ts';

const FACTS: DepositFacts = {
  credit: { minAtoms: 100n, reviewAtoms: 5_000n, hourAtoms: 8_000n },
  atoms: 1_000n,
  hasOwner: true,
  smallAtoms: 0n,
  hourAtoms: 0n,
  isStopped: false,
};

const CASES: [string, Partial<DepositFacts>, string, bigint?][] = [
  ['a deposit between the limits is credited', {}, 'credited', 1_000n],
  ['the minimum is credited', { atoms: 100n }, 'credited', 100n],
  ['less than the minimum is small', { atoms: 99n }, 'small'],
  ['less than one atom is small', { atoms: 0n }, 'small'],
  ['small deposits add up to the minimum', { atoms: 40n, smallAtoms: 60n }, 'credited', 100n],
  ['a large one credits earlier small ones', { smallAtoms: 60n }, 'credited', 1_060n],
  ['a large deposit is reviewed', { atoms: 5_000n }, 'in_review', 5_000n],
  ['the sum decides about review', { atoms: 4_990n, smallAtoms: 10n }, 'in_review', 5_000n],
  ['the credits of an hour have a limit', { hourAtoms: 7_001n }, 'in_review', 1_000n],
  ['the limit of an hour can be reached', { hourAtoms: 7_000n }, 'credited', 1_000n],
  ['a stop holds every size', { isStopped: true, atoms: 9_000n }, 'held'],
  ['a deposit without an owner is unattributed', { hasOwner: false }, 'unattributed'],
  ['no owner comes before a stop', { hasOwner: false, isStopped: true }, 'unattributed'],
  ['more than any balance is unattributed', { atoms: ATOMS_MAX + 1n }, 'unattributed'],
];

for (const [name, change, state, atoms] of CASES) {
  test(name, () => {
    const decision = decideDeposit({ ...FACTS, ...change });
    assert.equal(decision.state, state);
    assert.equal('atoms' in decision ? decision.atoms : undefined, atoms);
  });
}

test('units are rounded down, and atoms and dust lose nothing', () => {
  assert.deepEqual(atomsOfUnits(123n, { digits: 6, scale: 8 }), { atoms: 12_300n, dustUnits: 0n });
  assert.deepEqual(atomsOfUnits(19_999_999_999n, { digits: 18, scale: 8 }), {
    atoms: 1n,
    dustUnits: 9_999_999_999n,
  });
  const decimals = fc.nat({ max: 36 });
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n }),
      decimals,
      decimals,
      (units, digits, scale) => {
        const { atoms, dustUnits } = atomsOfUnits(units, { digits, scale });
        assert.equal(
          atoms * 10n ** BigInt(digits) + dustUnits * 10n ** BigInt(scale),
          units * 10n ** BigInt(scale),
        );
        assert.ok(dustUnits * 10n ** BigInt(scale) < 10n ** BigInt(digits));
      },
    ),
  );
});
