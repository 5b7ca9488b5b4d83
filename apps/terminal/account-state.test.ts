// Private stream events become the right orders, fills and balances, without duplicates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserEvents } from '../../client/index.ts';
import { type AccountState, applyEvents, NO_ACCOUNT } from './account-state.ts';

function order(id: string, status: string, filled = '0') {
  return { id, status, filled, symbol: 'btc-usdt', side: 'buy', size: '1', price: '5' };
}

function events(action: UserEvents['action'], ...messages: object[]): UserEvents {
  return { action, sequence: '1:0', messages: messages as unknown as UserEvents['messages'] };
}

function ids({ closed, open }: AccountState): unknown {
  return { open: open.map(({ id }) => id), closed: closed.map(({ id }) => id) };
}

test('after a snapshot, orders open, fill partially and close once', () => {
  const wallet = { topic: 'wallet', data: { btc_balance: '2', btc_available: '1.5' } };
  const all = { topic: 'order', action: 'partial', data: [order('a', 'new'), order('b', 'new')] };
  let state = applyEvents(NO_ACCOUNT, events('snapshot', all, wallet));
  assert.deepEqual(ids(state), { open: ['b', 'a'], closed: [] });
  assert.deepEqual(state.balances.get('btc'), { total: '2', available: '1.5' });

  const change = (data: object) => ({ topic: 'order', action: 'update', data: [data] });
  state = applyEvents(state, events('event', change(order('c', 'new'))));
  state = applyEvents(state, events('event', change(order('a', 'pfilled', '0.5'))));
  assert.deepEqual(
    state.open.map(({ filled, id }) => [id, filled]),
    [
      ['c', '0'],
      ['b', '0'],
      ['a', '0.5'],
    ],
  );
  const fill = { topic: 'usertrade', action: 'insert', data: [{ order_id: 'a', size: '0.5' }] };
  state = applyEvents(state, events('event', fill, change(order('a', 'filled', '1'))));
  state = applyEvents(state, events('event', change(order('a', 'filled', '1'))));
  assert.deepEqual(ids(state), { open: ['c', 'b'], closed: ['a'] });
  assert.equal(state.fills.length, 1);
});

test('a later snapshot replaces orders, fills and balances', () => {
  const fill = { topic: 'usertrade', action: 'partial', data: [{ order_id: 'a', size: '1' }] };
  const first = applyEvents(NO_ACCOUNT, events('snapshot', fill));
  const second = applyEvents(first, events('snapshot', fill));
  assert.equal(second.fills.length, 1);
  assert.equal(applyEvents(second, events('resumed')).fills.length, 1);
});
