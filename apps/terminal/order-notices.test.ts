// Each order change is announced once, and only if the user wants it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountOrder, type AccountState, NO_ACCOUNT } from './account-state.ts';
import { noticesBetween, readNotices, writeNotices } from './order-notices.ts';

const order = (id: string, change: Partial<AccountOrder>) =>
  ({ id, status: 'new', filled: '0', size: '1', ...change }) as AccountOrder;
const known = (change: Partial<AccountState>): AccountState => ({
  ...NO_ACCOUNT,
  isKnown: true,
  ...change,
});

const said = (before: AccountState, after: AccountState) =>
  noticesBetween(before, after).map(({ kind, order: { id } }) => `${kind} ${id}`);

test('fills, partial fills and cancellations by others are announced once', () => {
  const before = known({ open: ['a', 'b', 'c', 'd'].map((id) => order(id, {})) });
  const after = known({
    open: [order('a', {}), order('b', { status: 'pfilled', filled: '0.4' })],
    closed: [
      order('c', { status: 'filled', filled: '1' }),
      order('d', { status: 'canceled', close_reason: 'canceled_by_dead_man_switch' }),
    ],
  });
  assert.deepEqual(said(before, after), ['filled c', 'canceled d', 'part b']);
  assert.deepEqual(said(after, after), []);
  assert.deepEqual(said(after, { ...after }), []);
});

test("the first snapshot, new orders and the user's own cancellations are not announced", () => {
  const open = [order('a', { filled: '0.4', status: 'pfilled' })];
  const closed = [order('b', { status: 'canceled', close_reason: 'canceled_by_user' })];
  assert.deepEqual(said(NO_ACCOUNT, known({ open, closed })), []);
  assert.deepEqual(said(known({}), known({ open, closed })), []);
});

test('choices are read from the account, and the entire group is written', () => {
  assert.deepEqual(readNotices(undefined), { filled: true, part: true, canceled: true });
  const group = { popup_order_completed: false, popup_order_new: true, odd: 'x' };
  assert.deepEqual(readNotices(group), { filled: false, part: true, canceled: true });
  assert.deepEqual(writeNotices(group, 'part', false), {
    popup_order_completed: false,
    popup_order_new: true,
    popup_order_partially_filled: false,
  });
});
