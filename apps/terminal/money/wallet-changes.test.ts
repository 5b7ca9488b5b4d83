// Address book after a change, stake limits, and policy texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookNetworks, withEntry, withLabel, withoutEntry } from './book-changes.ts';
import { policyWords } from './policy-words.ts';
import { canEnd, isFree, stakeProblem, takesStakes, unlockWord } from './stake-rules.ts';

const TIMES = { created_at: '2026-11-01T00:00:00Z', active_at: '2026-11-02T00:00:00Z' };
const HOME = { address: 'a1', currency: 'btc', label: 'home', network: 'btc' };
const WORK = { address: 'a1', currency: 'btc', label: 'work', network: 'ln' };
const BOOK = { addresses: [HOME, WORK].map((entry) => ({ ...entry, ...TIMES })) };

test('a change keeps every other entry of the book, without response-only fields', () => {
  const added = { address: ' a2 ', currency: 'eth', label: ' cold ', network: 'eth' };
  const cold = { address: 'a2', currency: 'eth', label: 'cold', network: 'eth' };
  assert.deepEqual(withEntry(BOOK, added), [HOME, WORK, cold]);
  assert.deepEqual(withoutEntry(BOOK, WORK), [HOME]);
  assert.deepEqual(withLabel(BOOK, HOME, ' flat '), [{ ...HOME, label: 'flat' }, WORK]);
});

test("a destination is an address on one of the asset's networks, or another user", () => {
  assert.deepEqual(bookNetworks({ network: 'eth,trx' }), ['eth', 'trx', 'email']);
  assert.deepEqual(bookNetworks({ network: '' }), ['', 'email']);
  assert.deepEqual(bookNetworks(undefined), ['', 'email']);
});

const POOL = { currency: 'xht', min_amount: '10', max_amount: '100.00' };
const AMOUNTS: readonly (readonly [amount: string, available: string, word: string | undefined])[] =
  [
    ['', '50', undefined],
    ['10', '50', undefined],
    ['9.99', '50', 'wallet.rule.minimum'],
    ['0', '50', 'wallet.rule.minimum'],
    ['100', '100', undefined],
    ['100.01', '500', 'stake.atMost'],
    ['50.01', '50', 'stake.only'],
  ];
for (const [amount, available, word] of AMOUNTS) {
  test(`a stake of '${amount}' with ${available}: ${word ?? 'accepted'}`, () => {
    assert.equal(stakeProblem(amount, POOL, available)?.word, word);
  });
}

test('a pool without a duration unlocks at any time', () => {
  const terms = { early_unstake: false, slashing: false };
  assert.equal(unlockWord({ ...terms, duration: null }), 'stake.early');
  assert.equal(unlockWord({ ...terms, duration: '30' }), 'stake.notEarly');
  assert.equal(
    unlockWord({ duration: '30', early_unstake: true, slashing: true }),
    'stake.earlyCosts',
  );
  assert.equal(unlockWord({ duration: '30', early_unstake: true, slashing: false }), 'stake.early');
});

test('pools accept stakes, and stakes can be ended, only where the terms allow it', () => {
  assert.equal(takesStakes({ status: 'active', onboarding: true }), true);
  assert.equal(takesStakes({ status: 'active', onboarding: false }), false);
  assert.equal(takesStakes({ status: 'paused', onboarding: true }), false);
  const nowMs = Date.parse('2026-11-17T00:00:00Z');
  const early = { early_unstake: true, status: 'active' } as const;
  const late = { early_unstake: false, status: 'active' } as const;
  const until = (closing: string | null) => ({ closing, status: 'staking' }) as const;
  assert.equal(canEnd(until('2026-12-01T00:00:00Z'), early, nowMs), true);
  assert.equal(canEnd(until('2026-12-01T00:00:00Z'), late, nowMs), false);
  assert.equal(canEnd(until('2026-11-17T00:00:00Z'), late, nowMs), true);
  assert.equal(canEnd(until(null), late, nowMs), false);
  assert.equal(canEnd({ closing: null, status: 'closed' }, early, nowMs), false);
  assert.equal(canEnd(until(null), { ...early, status: 'paused' }, nowMs), false);
  assert.equal(canEnd(until(null), undefined, nowMs), false);
  assert.equal(isFree({ slashingEarning: '0', slashingPrinciple: '0.00' }), true);
  assert.equal(isFree({ slashingEarning: '0.1', slashingPrinciple: '0' }), false);
});

test('each rule that users can see has a text with its end', () => {
  const time = (text: string) => text.slice(0, 10);
  assert.equal(policyWords({ rule: 'under_review' }, time).word, 'policy.underReview');
  assert.deepEqual(policyWords({ rule: 'credential_hold', until: '2026-11-18T00:00:00Z' }, time), {
    word: 'policy.credentialHold',
    values: { time: '2026-11-18' },
  });
  assert.deepEqual(policyWords({ rule: 'fiat_to_bank' }, time), {
    word: 'policy.other',
    values: { rule: 'fiat to bank' },
  });
});
