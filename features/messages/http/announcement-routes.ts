// Handlers for announcements: the public list, and the routes for operators. The rules are in
// features/messages/announcements.

import {
  answerList,
  type Dependencies,
  type HandlersOf,
  momentFilter,
} from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import {
  changeAnnouncementAct,
  createAnnouncement,
  removeAnnouncementAct,
} from '../admin/announcements.ts';
import {
  type Announcement,
  allAnnouncements,
  announcementOf,
  findAnnouncement,
  shownAnnouncements,
} from '../announcements/announcements.ts';
import { ANNOUNCEMENT_SORT_COLUMNS, announcementJson } from './announcement-json.ts';

export const operatorAnnouncementsRoutes: HandlersOf<'operatorAnnouncements'> = {
  listAnnouncements(call, { clock, exchange, registry }) {
    const { end_date, is_dropdown, is_navbar, is_popup, start_date } = call.query;
    const places = [is_popup, is_navbar, is_dropdown].map((place) => place ?? null);
    return answerList(call, {
      ...allAnnouncements,
      pool: registry,
      clock,
      values: [...places, momentFilter(start_date), momentFilter(end_date)],
      sortColumns: ANNOUNCEMENT_SORT_COLUMNS,
      write: (row) => JSON.stringify(announcementJson(announcementOf(row))),
      fileName: `${exchange.name}-announcements`,
    });
  },

  createAnnouncement(call, dependencies) {
    const { body } = call;
    const content = { title: body.title, message: body.message, ...restOf(body, undefined) };
    return answerAct(call, dependencies, createAnnouncement, content, ({ id }) =>
      answerOne(dependencies, Number(id)),
    );
  },

  async changeAnnouncement(call, dependencies) {
    const { body } = call;
    const { id } = body;
    const before = await requireOne(dependencies, id);
    if (before instanceof Refused) return before;
    const content = {
      id,
      title: body.title ?? before.title,
      message: body.message ?? before.message,
      ...restOf(body, before),
    };
    return answerAct(call, dependencies, changeAnnouncementAct, content, () =>
      answerOne(dependencies, id),
    );
  },

  removeAnnouncement: (call, dependencies) =>
    answerAct(call, dependencies, removeAnnouncementAct, { id: call.body.id }, () => ({
      message: 'Success',
    })),
};

interface RestIn {
  readonly type?: string;
  readonly start_date?: string | null;
  readonly end_date?: string | null;
  readonly is_popup?: boolean;
  readonly is_navbar?: boolean;
  readonly is_dropdown?: boolean;
}

function restOf(given: RestIn, before: Announcement | undefined) {
  const { end_date: end, start_date: start } = given;
  return {
    type: given.type ?? before?.type ?? 'default',
    startDate: start === undefined ? timeOf(before?.startDate) : momentText(start),
    endDate: end === undefined ? timeOf(before?.endDate) : momentText(end),
    isPopup: given.is_popup ?? before?.isPopup ?? false,
    isNavbar: given.is_navbar ?? before?.isNavbar ?? false,
    isDropdown: given.is_dropdown ?? before?.isDropdown ?? false,
  };
}

function momentText(given: string | null): string | null {
  return given === null ? null : timeOf(momentFilter(given));
}

function timeOf(time: Date | null | undefined): string | null {
  return time?.toISOString() ?? null;
}

async function requireOne(
  { registry }: Dependencies,
  id: number,
): Promise<Announcement | Refused<'announcement_unknown'>> {
  return (await findAnnouncement(registry, id)) ?? new Refused('announcement_unknown');
}

async function answerOne(dependencies: Dependencies, id: number) {
  const found = await requireOne(dependencies, id);
  return found instanceof Refused ? found : announcementJson(found);
}

export const announcementsRoutes: HandlersOf<'announcements'> = {
  getAnnouncements(call, { clock, exchange, registry }) {
    const { end_date, start_date } = call.query;
    return answerList(call, {
      ...shownAnnouncements,
      pool: registry,
      clock,
      values: [new Date(clock.nowMs()), momentFilter(start_date), momentFilter(end_date)],
      sortColumns: ANNOUNCEMENT_SORT_COLUMNS,
      write: (row) => JSON.stringify(announcementJson(announcementOf(row))),
      fileName: `${exchange.name}-announcements`,
    });
  },
};
