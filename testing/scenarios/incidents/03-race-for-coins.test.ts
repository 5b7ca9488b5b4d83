// Incident 3, Flexcoin 2014: racing transfers spent the same coins. Here every method of spending
// races every other, in every order that a seed generates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditExchange } from '../../../core/engine/index.ts';
import { Random } from '../../flows/index.ts';
import { belowZero, openScripted } from './scripted-exchange.ts';

const WAYS_TO_SPEND = [
  'alice sends 10 btc to bob',
  'alice sends 10 btc to carol',
  'alice sells 10 at 100',
  'alice stop-sells 10 at 40 limit 39',
  'alice withdraws 10 btc as w1',
  'alice withdraws 10 btc as w2',
  'operator burns 10 btc of alice',
  'alice sells 10 at 100 directly to bob',
  'alice takes the quote to sell 10 for 500 valid until 60s',
];

test('incident 3: exactly one of all methods to spend the same coins succeeds', () => {
  const random = new Random(3);
  const winners = new Set<string>();
  for (let round = 0; round < 60; round += 1) {
    const { exchange, apply } = openScripted(
      ['market btc-usdt: reference 100', 'alice has 10 btc'],
      ['alice', 'bob', 'carol', 'dave'],
    );
    apply('dave buys 10 at 50');
    const ways = [...WAYS_TO_SPEND]
      .map((way) => ({ way, place: random.word() }))
      .sort((a, b) => a.place - b.place)
      .map(({ way }) => way);
    const events = apply(...ways);
    const refusals = events.filter((event) => event.kind === 'CommandRefused');
    assert.equal(refusals.length, ways.length - 1);
    for (const { refusal } of refusals) assert.equal(refusal, 'available_balance_too_small');
    assert.deepEqual(belowZero(exchange), []);
    auditExchange(exchange);
    winners.add(ways[0]);
  }
  assert.equal(winners.size, WAYS_TO_SPEND.length, 'every way must win once');
});
