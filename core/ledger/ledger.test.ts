// The ledger compared with a model that keeps sums in a map, and each assertion by example: a move
// that is not covered throws and moves nothing.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { chosenSeed } from '../../testing/flows/index.ts';
import { EXTERNAL_OWNER, FEES_OWNER } from '../messages/index.ts';
import { type AssetId, ATOMS_MAX, type Atoms } from '../money/index.ts';
import { Ledger } from './ledger.ts';

const BTC = 1 as AssetId;
const USDT = 2 as AssetId;
const CAP = 1_000n as Atoms;
const atoms = (value: bigint) => value as Atoms;

/** Alice has 100 btc of which 40 are held, bob has nothing, and alice's usdt account is empty. */
function open() {
  const ledger = new Ledger({ accountsMax: 6, assetsMax: 2 });
  ledger.openAsset(BTC, CAP);
  ledger.openAsset(USDT, CAP);
  const alice = ledger.accounts.open(1, BTC);
  const bob = ledger.accounts.open(2, BTC);
  const aliceUsdt = ledger.accounts.open(1, USDT);
  ledger.issue(alice, atoms(100n));
  ledger.hold(alice, atoms(40n));
  return { ledger, alice, bob, aliceUsdt };
}

type Opened = ReturnType<typeof open>;

function balances({ ledger: { accounts } }: Opened): string {
  return Array.from({ length: accounts.size }, (_, index) => {
    const slot = index + 1;
    return `${accounts.availableAtoms(slot)}/${accounts.heldAtoms(slot)}`;
  }).join(' ');
}

// Accounts in order: external and fees of btc, of usdt, then alice, bob, alice's usdt.
const START = '-100/0 0/0 0/0 0/0 60/40 0/0 0/0';

const MOVES: Record<string, [(opened: Opened) => void, string]> = {
  'a hold': [
    ({ ledger, alice }) => ledger.hold(alice, atoms(60n)),
    '-100/0 0/0 0/0 0/0 0/100 0/0 0/0',
  ],
  'a release': [
    ({ ledger, alice }) => ledger.release(alice, atoms(40n)),
    '-100/0 0/0 0/0 0/0 100/0 0/0 0/0',
  ],
  'a payment': [
    ({ ledger, alice, bob }) => ledger.pay(alice, bob, atoms(60n)),
    '-100/0 0/0 0/0 0/0 0/40 60/0 0/0',
  ],
  'a payment from held': [
    ({ ledger, alice, bob }) => ledger.payHeld(alice, bob, atoms(40n)),
    '-100/0 0/0 0/0 0/0 60/0 40/0 0/0',
  ],
  'a payment to oneself': [({ ledger, alice }) => ledger.pay(alice, alice, atoms(60n)), START],
  'a payment of fees': [
    ({ ledger, alice }) => ledger.pay(alice, ledger.fees(BTC), atoms(1n)),
    '-100/0 1/0 0/0 0/0 59/40 0/0 0/0',
  ],
  'a payment out of the exchange': [
    ({ ledger, alice }) => ledger.redeem(alice, atoms(60n)),
    '-40/0 0/0 0/0 0/0 0/40 0/0 0/0',
  ],
  'a payment from held out of the exchange': [
    ({ ledger, alice }) => ledger.redeemHeld(alice, atoms(40n)),
    '-60/0 0/0 0/0 0/0 60/0 0/0 0/0',
  ],
  'an issue up to the cap': [
    ({ ledger, bob }) => ledger.issue(bob, atoms(900n)),
    '-1000/0 0/0 0/0 0/0 60/40 900/0 0/0',
  ],
  'a cap at the issued amount': [
    ({ ledger }) => ledger.setIssuanceCapAtoms(BTC, atoms(100n)),
    START,
  ],
};

for (const [name, [move, after]] of Object.entries(MOVES)) {
  test(`${name} moves exactly that much`, () => {
    const opened = open();
    assert.equal(balances(opened), START);
    move(opened);
    assert.equal(balances(opened), after);
    opened.ledger.audit();
  });
}

const BUGS: Record<string, [(opened: Opened) => void, RegExp]> = {
  'a hold above available': [
    ({ ledger, alice }) => ledger.hold(alice, atoms(61n)),
    /available covers every hold/,
  ],
  'a negative hold': [({ ledger, alice }) => ledger.hold(alice, atoms(-1n)), /not negative/],
  'a release above held': [
    ({ ledger, alice }) => ledger.release(alice, atoms(41n)),
    /a release is covered by held/,
  ],
  'a negative release': [({ ledger, alice }) => ledger.release(alice, atoms(-1n)), /not negative/],
  'a payment above available': [
    ({ ledger, alice, bob }) => ledger.pay(alice, bob, atoms(61n)),
    /available covers every payment/,
  ],
  'a negative payment': [
    ({ ledger, alice, bob }) => ledger.pay(bob, alice, atoms(-1n)),
    /not negative/,
  ],
  'a payment into another asset': [
    ({ ledger, alice, aliceUsdt }) => ledger.pay(alice, aliceUsdt, atoms(1n)),
    /stays within one asset/,
  ],
  'a payment above held': [
    ({ ledger, alice, bob }) => ledger.payHeld(alice, bob, atoms(41n)),
    /a payment from held is covered by held/,
  ],
  'a negative payment from held': [
    ({ ledger, alice, bob }) => ledger.payHeld(bob, alice, atoms(-1n)),
    /not negative/,
  ],
  'a payment from held into another asset': [
    ({ ledger, alice, aliceUsdt }) => ledger.payHeld(alice, aliceUsdt, atoms(1n)),
    /stays within one asset/,
  ],
  'an issue above the cap': [
    ({ ledger, bob }) => ledger.issue(bob, atoms(901n)),
    /an issue is within the issuance cap/,
  ],
  'negative money': [({ ledger, bob }) => ledger.issue(bob, atoms(-1n)), /not negative/],
  'a payout above available': [
    ({ ledger, alice }) => ledger.redeem(alice, atoms(61n)),
    /available covers every payment/,
  ],
  'a payout above held': [
    ({ ledger, alice }) => ledger.redeemHeld(alice, atoms(41n)),
    /a payment from held is covered by held/,
  ],
  'a cap below the issued amount': [
    ({ ledger }) => ledger.setIssuanceCapAtoms(BTC, atoms(99n)),
    /not below the issued amount/,
  ],
  'an asset out of order': [
    ({ ledger }) => ledger.openAsset(4 as AssetId, CAP),
    /assets are opened in order/,
  ],
};

for (const [name, [move, message]] of Object.entries(BUGS)) {
  test(`${name} is a bug that moves nothing`, () => {
    const opened = open();
    assert.throws(() => move(opened), message);
    assert.equal(balances(opened), START);
  });
}

const BROKEN: Record<string, [(opened: Opened) => void, RegExp]> = {
  'money without a source': [
    ({ ledger, bob }) => ledger.accounts.setAvailableAtoms(bob, 1n),
    /every asset sums to zero/,
  ],
  'available below zero': [
    ({ ledger, bob }) => ledger.accounts.setAvailableAtoms(bob, -1n),
    /no account is below zero/,
  ],
  'held below zero': [
    ({ ledger, bob }) => ledger.accounts.setHeldAtoms(bob, -1n),
    /no account is below zero/,
  ],
  'a positive external account': [
    ({ ledger }) => {
      ledger.accounts.setAvailableAtoms(ledger.accounts.find(EXTERNAL_OWNER, USDT), 1n);
    },
    /external is never positive/,
  ],
  'more issued than the cap': [
    ({ ledger, bob }) => {
      ledger.accounts.setAvailableAtoms(ledger.accounts.find(EXTERNAL_OWNER, BTC), -1_001n);
      ledger.accounts.setAvailableAtoms(bob, 901n);
    },
    /no asset is issued beyond its cap/,
  ],
};

for (const [name, [corrupt, message]] of Object.entries(BROKEN)) {
  test(`an audit finds ${name}`, () => {
    const opened = open();
    opened.ledger.audit();
    corrupt(opened);
    assert.throws(() => opened.ledger.audit(), message);
  });
}

test('accountsMax counts user accounts only, not system accounts', () => {
  const { ledger } = open();
  assert.equal(ledger.room, 3);
  for (const owner of [2, 3, 4]) ledger.accounts.open(owner, USDT);
  assert.equal(ledger.room, 0);
});

test('an asset with the maximum issued amount still sums exactly', () => {
  const ledger = new Ledger({ accountsMax: 2, assetsMax: 1 });
  ledger.openAsset(BTC, ATOMS_MAX);
  const [one, other] = [1, 2].map((owner) => ledger.accounts.open(owner, BTC));
  ledger.issue(one, ATOMS_MAX);
  ledger.hold(one, ATOMS_MAX);
  ledger.payHeld(one, other, ATOMS_MAX);
  assert.equal(ledger.accounts.availableAtoms(other), ATOMS_MAX);
  assert.equal(ledger.issuedAtoms(BTC), ATOMS_MAX);
  assert.throws(() => ledger.issue(one, atoms(1n)), /issuance cap/);
  ledger.audit();
});

const OWNERS = [1, 2, 3, FEES_OWNER];
const anyMove = fc.record({
  what: fc.constantFrom('hold', 'release', 'pay', 'payHeld', 'issue', 'redeem', 'redeemHeld'),
  from: fc.constantFrom(...OWNERS),
  to: fc.constantFrom(...OWNERS),
  asset: fc.constantFrom(BTC, USDT),
  amount: fc.bigInt({ min: 0n, max: 600n }),
});
type Move = typeof anyMove extends fc.Arbitrary<infer Value> ? Value : never;

/** Amounts by "owner asset part". Returns false, without a change, if a move is not covered. */
class Model {
  readonly #amounts = new Map<string, bigint>();

  of(owner: number, asset: AssetId, part: string): bigint {
    return this.#amounts.get(`${owner} ${asset} ${part}`) ?? 0n;
  }

  apply({ what, from, to, asset, amount }: Move): boolean {
    const held = what === 'release' || what === 'payHeld' || what === 'redeemHeld';
    const source = what === 'issue' ? EXTERNAL_OWNER : from;
    const covered = this.of(source, asset, held ? 'held' : 'available');
    const limit = what === 'issue' ? CAP + covered : covered;
    if (amount > limit) return false;
    const outside = what === 'redeem' || what === 'redeemHeld';
    const stays = what === 'hold' || what === 'release';
    const target = outside ? EXTERNAL_OWNER : stays ? from : to;
    this.#add(source, asset, held ? 'held' : 'available', -amount);
    this.#add(target, asset, what === 'hold' ? 'held' : 'available', amount);
    return true;
  }

  #add(owner: number, asset: AssetId, part: string, amount: bigint): void {
    this.#amounts.set(`${owner} ${asset} ${part}`, this.of(owner, asset, part) + amount);
  }
}

function applyTo(ledger: Ledger, { what, from, to, asset, amount }: Move): void {
  const [source, target] = [from, to].map((owner) => ledger.accounts.find(owner, asset));
  if (what === 'pay' || what === 'payHeld') ledger[what](source, target, atoms(amount));
  else ledger[what](what === 'issue' ? target : source, atoms(amount));
}

test('any sequence of moves matches the model, and every asset sums to zero', () => {
  const property = fc.property(fc.array(anyMove, { maxLength: 60 }), (moves) => {
    const ledger = new Ledger({ accountsMax: 6, assetsMax: 2 });
    for (const asset of [BTC, USDT]) ledger.openAsset(asset, CAP);
    for (const owner of [1, 2, 3]) {
      for (const asset of [BTC, USDT]) ledger.accounts.open(owner, asset);
    }
    const model = new Model();
    for (const move of moves) {
      if (model.apply(move)) applyTo(ledger, move);
      else assert.throws(() => applyTo(ledger, move), { name: 'AssertionFault' });
      ledger.audit();
    }
    for (const owner of [...OWNERS, EXTERNAL_OWNER]) {
      for (const asset of [BTC, USDT]) {
        const slot = ledger.accounts.find(owner, asset);
        assert.equal(ledger.accounts.availableAtoms(slot), model.of(owner, asset, 'available'));
        assert.equal(ledger.accounts.heldAtoms(slot), model.of(owner, asset, 'held'));
      }
    }
  });
  fc.assert(property, { seed: chosenSeed() % 2 ** 31, numRuns: 200 });
});
