// Notices of the bell: each once, newest first, and only for their user.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeptNotice, mergedNotices, readKept, withNotice } from './notice-history.ts';

const notice = (id: string, at: string): KeptNotice => ({ id, text: id, at, about: 'order' });
const OLD = '2026-11-18T10:00:00.000Z';
const NEW = '2026-11-19T10:00:00.000Z';

test('a notice is kept once, and the oldest ones are dropped', () => {
  const kept = withNotice(withNotice([], notice('a', OLD)), notice('a', OLD));
  assert.equal(kept.length, 1);
  let many: readonly KeptNotice[] = [];
  for (let at = 0; at < 40; at++) many = withNotice(many, notice(`${at}`, OLD));
  assert.deepEqual([many.length, many[0].id, many.at(-1)?.id], [30, '39', '10']);
});

test('announcements and orders are in one list, newest first', () => {
  const announcements = [{ id: 7, title: 'Maintenance', created_at: NEW }];
  const merged = mergedNotices([notice('a', OLD)], announcements);
  assert.deepEqual(
    merged.map(({ about, text }) => [about, text]),
    [
      ['announcement', 'Maintenance'],
      ['order', 'a'],
    ],
  );
});

test('notices of another user or a damaged list are not shown', () => {
  const stored = JSON.stringify({ owner: 5, kept: [notice('a', OLD)] });
  assert.equal(readKept(stored, 5).length, 1);
  assert.equal(readKept(stored, 6).length, 0);
  assert.equal(readKept('{"owner": 5', 5).length, 0);
  assert.equal(readKept(null, 5).length, 0);
});
