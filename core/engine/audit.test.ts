// The audit detects and names each kind of damage to an exchange.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import type { AssetId, Lots, OrderNumber, Ticks } from '../money/index.ts';
import { applyFrame } from './apply-frame.ts';
import { auditExchange } from './audit.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';

const USDT = 2 as AssetId;

/** Alice bids 90 (twice), bob asks 110 and waits to buy at 120. Orders in that order. */
function open(): { exchange: Exchange; orders: number[] } {
  const exchange = createExchange();
  const script = compileSentences(['market btc-usdt: reference 100'], ['alice', 'bob']);
  for (const { frame } of script.setUp) applyFrame(exchange, frame);
  const { frame } = script.nextStep([
    'alice buys 1 at 90',
    'alice buys 1 at 90',
    'bob sells 1 at 110',
    'bob stop-buys 1 at 120 limit 121',
  ]);
  const { firstCommand } = applyFrame(exchange, frame);
  const orders = [0, 1, 2, 3].map((more) =>
    exchange.books.orders.find((firstCommand + more) as OrderNumber),
  );
  return { exchange, orders };
}

const DAMAGES: Record<string, [(exchange: Exchange, orders: number[]) => void, RegExp]> = {
  'an order with a changed size': [
    ({ books }, [bid]) => books.orders.setRemainingLots(bid, 2_000 as Lots),
    /held equals the needs of orders and withdrawals/,
  ],
  'a hold without an order': [
    ({ ledger }) => ledger.hold(ledger.accounts.find(1, USDT), 5n as never),
    /held equals the needs of orders and withdrawals/,
  ],
  'money without a source': [
    ({ ledger }) => ledger.accounts.setAvailableAtoms(ledger.accounts.find(1, USDT), 5n),
    /every asset sums to zero/,
  ],
  'a crossed book': [
    ({ books }, [, , ask]) => {
      books.leave(ask);
      books.orders.setPriceTicks(ask, 1 as Ticks);
      books.rest(ask);
    },
    /a book is not crossed between commands/,
  ],
  'an order missing from its user’s list': [
    ({ users }) => users.setFirstOrder(users.find(1 as never), 0),
    /held equals the needs of orders and withdrawals/,
  ],
  'a wrong count of open orders': [
    ({ users }) => users.setOrdersOpen(users.find(1 as never), 3),
    /the count of open orders matches the list/,
  ],
  'a list that is not in order of placement': [
    ({ details, users }, [first, second]) => {
      const alice = users.find(1 as never);
      users.setFirstOrder(alice, second);
      details.setUserBehind(second, first);
      details.setUserBehind(first, 0);
    },
    /a list is in order of placement/,
  ],
  'an order of another user in a user’s list': [
    ({ details, users }, [, second, ask]) => {
      details.setUserBehind(second, ask);
      users.setFirstOrder(users.find(2 as never), details.userBehind(ask));
      details.setUserBehind(ask, 0);
    },
    /a list holds only the orders of its user/,
  ],
};

test('an undamaged exchange passes its audit', () => {
  auditExchange(open().exchange);
});

for (const [name, [damage, message]] of Object.entries(DAMAGES)) {
  test(`an audit finds ${name}`, () => {
    const { exchange, orders } = open();
    damage(exchange, orders);
    assert.throws(() => auditExchange(exchange), message);
  });
}
