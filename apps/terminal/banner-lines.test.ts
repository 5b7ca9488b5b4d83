// Lines above the screens: which are shown, their order, and which can be dismissed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BannerFacts, bannerLines, readDismissed, writeDismissed } from './banner-lines.ts';

const NOW_MS = Date.parse('2026-11-17T12:00:00Z');
const since = '2026-11-17T11:00:00Z';
const NOTHING: BannerFacts = {
  status: { banners: [], read_only: false },
  announcements: [],
  dismissed: new Set(),
  endsAt: undefined,
  nowMs: NOW_MS,
};
const announcement = (id: number, change: object) => ({
  id,
  title: `news ${id}`,
  is_navbar: false,
  is_popup: false,
  ...change,
});
const keys = (facts: Partial<BannerFacts>) =>
  bannerLines({ ...NOTHING, ...facts }).map(({ key }) => key);

test('nothing to report shows no line', () => {
  assert.deepEqual(keys({}), []);
  assert.deepEqual(keys({ status: undefined }), []);
});

test('the most severe line is first', () => {
  const status = {
    read_only: true,
    banners: [
      { kind: 'info', text: 'new coin', since } as const,
      { kind: 'warning', text: 'slow mails', since } as const,
    ],
  };
  assert.deepEqual(keys({ status, endsAt: '2026-11-17T12:09:59Z' }), [
    'read only',
    `${since} slow mails`,
    'session 2026-11-17T12:09:59Z',
    `${since} new coin`,
  ]);
});

test('session expiry is announced in its last ten minutes', () => {
  const cases = [
    ['2026-11-17T12:10:01Z', 0],
    ['2026-11-17T12:10:00Z', 1],
    ['2026-11-17T12:00:01Z', 1],
    ['2026-11-17T12:00:00Z', 0],
  ] as const;
  for (const [endsAt, count] of cases) assert.equal(keys({ endsAt }).length, count, endsAt);
});

test('announcements are shown until dismissed, and incidents cannot be dismissed', () => {
  const announcements = [
    announcement(1, { is_navbar: true }),
    announcement(2, { is_popup: true }),
    announcement(3, {}),
  ];
  assert.deepEqual(keys({ announcements }), ['announcement 1', 'announcement 2']);
  const dismissed = new Set(['announcement 1', `${since} down`]);
  const status = {
    read_only: false,
    banners: [{ kind: 'incident', text: 'down', since } as const],
  };
  assert.deepEqual(keys({ announcements, dismissed, status }), [`${since} down`, 'announcement 2']);
});

test('invalid stored dismissals are ignored, and the stored list is limited', () => {
  for (const stored of [null, '', '{}', 'x']) assert.equal(readDismissed(stored).size, 0);
  assert.deepEqual([...readDismissed('["a",1,"b"]')], ['a', 'b']);
  const many = new Set(Array.from({ length: 60 }, (_, at) => `announcement ${at}`));
  const kept = readDismissed(writeDismissed(many));
  assert.equal(kept.size, 50);
  assert.ok(kept.has('announcement 59'));
});
