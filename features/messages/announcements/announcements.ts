// Operator announcements: written in safe HTML, shown to all users between their dates.

import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { safeHtml } from './safe-html.ts';

export interface AnnouncementContent {
  /** One line of plain text. */
  readonly title: string;
  /** HTML; unsafe parts are removed. */
  readonly message: string;
  /** Word by which clients choose how to show it. */
  readonly type: string;
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  readonly isPopup: boolean;
  readonly isNavbar: boolean;
  readonly isDropdown: boolean;
}

export interface Announcement extends AnnouncementContent {
  readonly id: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type AnnouncementRefusal = 'announcement_invalid' | 'announcement_unknown';

const TITLE = /^[^\p{Cc}\u2028\u2029<>]{1,200}$/u;
const TYPE = /^[a-z][a-z0-9_-]{0,31}$/;
const MESSAGE_CHARACTERS_MAX = 20_000;

/** `author` is null for a tool. */
export async function writeAnnouncement(
  statements: Statements,
  content: AnnouncementContent,
  author: UserId | null,
): Promise<Announcement | Refused<AnnouncementRefusal>> {
  const checked = check(content);
  if (checked instanceof Refused) return checked;
  const { rows } = await statements.query(
    `insert into announcements (title, message, type, start_date, end_date, is_popup, is_navbar,
       is_dropdown, author)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning *`,
    [...checked, author],
  );
  return announcementOf(rows[0]);
}

/** Replaces the entire content. */
export async function changeAnnouncement(
  statements: Statements,
  id: number,
  content: AnnouncementContent,
): Promise<Announcement | Refused<AnnouncementRefusal>> {
  const checked = check(content);
  if (checked instanceof Refused) return checked;
  const { rows } = await statements.query(
    `update announcements set title = $1, message = $2, type = $3, start_date = $4, end_date = $5,
       is_popup = $6, is_navbar = $7, is_dropdown = $8, updated_at = now()
     where id = $9 and removed_at is null returning *`,
    [...checked, id],
  );
  return rows.length === 0 ? new Refused('announcement_unknown') : announcementOf(rows[0]);
}

/** Returns false if it does not exist. */
export async function removeAnnouncement(statements: Statements, id: number): Promise<boolean> {
  const { rowCount } = await statements.query(
    'update announcements set removed_at = now() where id = $1 and removed_at is null',
    [id],
  );
  return rowCount === 1;
}

export async function findAnnouncement(
  statements: Statements,
  id: number,
  lock: '' | 'for update' = '',
): Promise<Announcement | undefined> {
  const { rows } = await statements.query(
    `select * from announcements where id = $1 and removed_at is null ${lock}`,
    [id],
  );
  return rows.map(announcementOf)[0];
}

/**
 * All announcements, for operators, with filters that are null for any: $1 to $3 where it is shown,
 * $4 and $5 the creation dates; then as in `shownAnnouncements`.
 */
export const allAnnouncements = {
  rows: (order: string) => `select a.* from announcements a where ${filtered()} ${order}
    limit $6 offset $7`,
  count: `select count(*) from (
    select from announcements a where ${filtered()} order by a.created_at desc, a.id desc
    limit $6) c`,
  defaultSort: ['a.created_at', 'a.id'],
} as const;

function filtered(): string {
  return `a.removed_at is null
    and ($1::boolean is null or a.is_popup = $1) and ($2::boolean is null or a.is_navbar = $2)
    and ($3::boolean is null or a.is_dropdown = $3)
    and ($4::timestamptz is null or a.created_at >= $4)
    and ($5::timestamptz is null or a.created_at < $5)`;
}

/**
 * Announcements shown at a given time, created between two dates. `a` is the table; sort columns
 * name it. $1 is the time, $2 and $3 the dates, $4 the limit, $5 the offset; in `count`, $4 is the
 * maximum count.
 */
export const shownAnnouncements = {
  rows: (order: string) => `select a.* from announcements a where ${shown()} ${order}
    limit $4 offset $5`,
  count: `select count(*) from (
    select from announcements a where ${shown()} order by a.created_at desc, a.id desc limit $4) c`,
  defaultSort: ['a.created_at', 'a.id'],
} as const;

function shown(): string {
  return `a.removed_at is null
    and (a.start_date is null or a.start_date <= $1) and (a.end_date is null or a.end_date > $1)
    and ($2::timestamptz is null or a.created_at >= $2)
    and ($3::timestamptz is null or a.created_at < $3)`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function announcementOf(row: any): Announcement {
  return {
    id: idOf<number>(row.id),
    title: row.title,
    message: row.message,
    type: row.type,
    startDate: row.start_date,
    endDate: row.end_date,
    isPopup: row.is_popup,
    isNavbar: row.is_navbar,
    isDropdown: row.is_dropdown,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Returns the values of the columns, or a rejection. */
function check(content: AnnouncementContent): unknown[] | Refused<'announcement_invalid'> {
  const { endDate, isDropdown, isNavbar, isPopup, message, startDate, type } = content;
  const title = content.title.trim();
  if (!TITLE.test(title) || !title.isWellFormed()) {
    return invalid('the title must be one line of 1 to 200 characters without < and >');
  }
  if (!TYPE.test(type)) {
    return invalid('the type must be one word of lowercase letters, digits, - and _');
  }
  // Escaping makes it longer, so a longer source is not even parsed.
  const html = message.length > MESSAGE_CHARACTERS_MAX ? undefined : safeHtml(message);
  if (html === undefined || html.length > MESSAGE_CHARACTERS_MAX) {
    return invalid('the message must have at most 20,000 characters');
  }
  const isReversed = startDate !== null && endDate !== null && startDate >= endDate;
  if (isReversed) return invalid('it must end after it starts');
  return [title, html, type, startDate, endDate, isPopup, isNavbar, isDropdown];
}

function invalid(detail: string): Refused<'announcement_invalid'> {
  return new Refused('announcement_invalid', { detail });
}
