// Tests announcements on a real server: who sees which, and which are rejected.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { openRegistryForTest, type RegistryForTest } from '../../auth/registry-for-test.ts';
import {
  type AnnouncementContent,
  changeAnnouncement,
  removeAnnouncement,
  shownAnnouncements,
  writeAnnouncement,
} from './announcements.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const EARLIER = new Date('2026-11-15T11:59:59Z');
const LATER = new Date('2026-11-15T12:00:01Z');
const CONTENT: AnnouncementContent = {
  title: 'Maintenance',
  message: '<p>On <b>Sunday</b></p>',
  type: 'default',
  startDate: null,
  endDate: null,
  isPopup: true,
  isNavbar: false,
  isDropdown: false,
};

let tables: RegistryForTest;

async function write(change: Partial<AnnouncementContent> = {}) {
  return writeAnnouncement(tables.pool, { ...CONTENT, ...change }, null);
}

async function shownTitles(): Promise<string[]> {
  const order = `order by ${shownAnnouncements.defaultSort.map((one) => `${one} desc`).join(', ')}`;
  const filter = [NOW, null, null];
  const { rows } = await tables.pool.query(shownAnnouncements.rows(order), [...filter, 50, 0]);
  const counted = await tables.pool.query(shownAnnouncements.count, [...filter, null]);
  assert.equal(Number(counted.rows[0].count), rows.length);
  return rows.map(({ title }) => title);
}

describe('announcements', () => {
  before(async () => {
    tables = await openRegistryForTest();
  });
  after(() => tables.close());

  test('announcements are shown within their dates, newest first', async () => {
    const dates: [title: string, startDate: Date | null, endDate: Date | null][] = [
      ['always', null, null],
      ['begins now', NOW, null],
      ['begins later', LATER, null],
      ['began', EARLIER, LATER],
      ['ends now', EARLIER, NOW],
      ['ends later', null, LATER],
    ];
    for (const [title, startDate, endDate] of dates) await write({ title, startDate, endDate });
    assert.deepEqual(await shownTitles(), ['ends later', 'began', 'begins now', 'always']);
  });

  test('a changed announcement is shown as it is now, a removed one is not', async () => {
    const written = await write({ title: 'old' });
    assert.ok(!(written instanceof Refused));
    const { id } = written;
    const changed = await changeAnnouncement(tables.pool, id, {
      ...CONTENT,
      title: 'new',
      message: '<script>bad()</script><i>x',
    });
    assert.ok(!(changed instanceof Refused));
    assert.deepEqual([changed.id, changed.title, changed.message], [id, 'new', '<i>x</i>']);
    assert.equal((await shownTitles())[0], 'new');
    assert.equal(await removeAnnouncement(tables.pool, id), true);
    assert.equal(await removeAnnouncement(tables.pool, id), false);
    assert.notEqual((await shownTitles())[0], 'new');
    assert.deepEqual(
      await changeAnnouncement(tables.pool, id, CONTENT),
      new Refused('announcement_unknown'),
    );
  });

  test('abuse 52: the message is sanitized before it is stored', async () => {
    await write({ title: 'hostile', message: '<img src=x onerror=bad()><b onclick=bad()>x</b>' });
    const { rows } = await tables.pool.query(
      `select message from announcements where title = 'hostile'`,
    );
    assert.deepEqual(rows, [{ message: '<b>x</b>' }]);
  });

  const refused: [what: string, change: Partial<AnnouncementContent>, detail: string][] = [
    ['a title with a tag', { title: '<b>x</b>' }, 'the title'],
    ['a title of two lines', { title: 'a\nb' }, 'the title'],
    ['no title', { title: ' ' }, 'the title'],
    ['a long title', { title: 'x'.repeat(201) }, 'the title'],
    ['a type with spaces', { type: 'a b' }, 'the type'],
    ['a long message', { message: 'x'.repeat(20_001) }, 'the message'],
    ['a message that grows when sanitized', { message: '<'.repeat(10_000) }, 'the message'],
    ['equal dates', { startDate: NOW, endDate: NOW }, 'it must end'],
  ];
  for (const [what, change, detail] of refused) {
    test(`${what} is rejected`, async () => {
      const written = await write(change);
      assert.ok(written instanceof Refused && written.key === 'announcement_invalid');
      assert.ok(`${written.details.detail}`.startsWith(detail));
    });
  }
});
