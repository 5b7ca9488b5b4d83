// Capacity checks of an order, up to the last user and account, in a tiny exchange. The scenarios
// cover everything else about placing orders.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import { INITIAL_LIMITS, type Limits } from '../messages/index.ts';
import { applyFrame } from './apply-frame.ts';
import { createExchange } from './create-exchange.ts';

/** Alice and bob have two accounts each: btc and usdt. */
const CASES: readonly [string, Partial<Limits>, string][] = [
  [
    'a new user with capacity for a user and two accounts',
    { usersMax: 3, accountsMax: 6 },
    'no money',
  ],
  ['a new user at the user capacity', { usersMax: 2 }, 'exchange_user_capacity_reached'],
  [
    'a new user with capacity for one account',
    { accountsMax: 5 },
    'exchange_account_capacity_reached',
  ],
  [
    'a new user with capacity for no account',
    { accountsMax: 4 },
    'exchange_account_capacity_reached',
  ],
];

for (const [name, limits, outcome] of CASES) {
  test(`${name}: ${outcome}`, () => {
    const exchange = createExchange({ ...INITIAL_LIMITS, ...limits });
    const script = compileSentences([], ['alice', 'bob']);
    for (const { frame } of script.setUp) applyFrame(exchange, frame);
    const { frame } = script.nextStep(['carol buys 1 at 100']);
    const [event] = applyFrame(exchange, frame).events;
    // The balance check comes after all capacity checks.
    const expected = outcome === 'no money' ? 'available_balance_too_small' : outcome;
    assert.equal(event.kind === 'CommandRefused' && event.refusal, expected);
    assert.equal(exchange.users.size, 2, 'a refused order creates no user');
  });
}

test('a user with one of the two accounts needs capacity for only one more', () => {
  for (const [accountsMax, outcome] of [
    [5, 'exchange_account_capacity_reached'],
    [6, 'OrderPlaced'],
  ] as const) {
    const exchange = createExchange({ ...INITIAL_LIMITS, accountsMax });
    const script = compileSentences([], ['alice', 'bob']);
    for (const { frame } of script.setUp) applyFrame(exchange, frame);
    const { frame } = script.nextStep(['carol deposits 5 btc', 'carol sells 1 at 100']);
    const event = applyFrame(exchange, frame).events[1];
    assert.equal(event.kind === 'CommandRefused' ? event.refusal : event.kind, outcome);
  }
});
