// Operator actions on announcements. The content rules are in announcements/.

import type { Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, type Assessment, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import {
  type Announcement,
  type AnnouncementContent,
  changeAnnouncement,
  findAnnouncement,
  removeAnnouncement,
  writeAnnouncement,
} from '../announcements/announcements.ts';

/** As in payloads: plain JSON, dates in ISO 8601. */
export interface AnnouncementIn extends JsonObject {
  readonly title: string;
  readonly message: string;
  readonly type: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly isPopup: boolean;
  readonly isNavbar: boolean;
  readonly isDropdown: boolean;
}

interface AnnouncementChange extends AnnouncementIn {
  readonly id: number;
}

interface AnnouncementRemoval extends JsonObject {
  readonly id: number;
}

export const createAnnouncement = defineAct({
  name: 'announcement.create',
  votePower: 'approve.config',

  async prepare({ connection, operator }: ActContext, given: AnnouncementIn) {
    return {
      ...assessed('announcement', given.title),
      async run() {
        const made = await writeAnnouncement(connection, contentOf(given), operator.user);
        if (made instanceof Refused) return made;
        return { result: { id: made.id }, after: auditOf(made) };
      },
    };
  },
});

/** Replaces the entire content. */
export const changeAnnouncementAct = defineAct({
  name: 'announcement.change',
  votePower: 'approve.config',

  async prepare({ connection }: ActContext, { id, ...given }: AnnouncementChange) {
    const before = await lockAnnouncement(connection, id);
    if (before instanceof Refused) return before;
    return {
      ...assessed(`announcement ${id}`, given.title),
      async run() {
        const after = await changeAnnouncement(connection, id, contentOf(given));
        if (after instanceof Refused) return after;
        return { result: { id }, before: auditOf(before), after: auditOf(after) };
      },
    };
  },
});

export const removeAnnouncementAct = defineAct({
  name: 'announcement.remove',
  votePower: 'approve.config',

  async prepare({ connection }: ActContext, { id }: AnnouncementRemoval) {
    const before = await lockAnnouncement(connection, id);
    if (before instanceof Refused) return before;
    return {
      ...assessed(`announcement ${id}`, 'removed'),
      async run() {
        await removeAnnouncement(connection, id);
        return { result: { id }, before: auditOf(before) };
      },
    };
  },
});

function assessed(object: string, value: string): Assessment {
  const shown = [{ label: 'Announcement', value }];
  return { object, objectVersion: '', approvals: 0, beneficiaries: [], shown };
}

async function lockAnnouncement(
  statements: Statements,
  id: number,
): Promise<Announcement | Refused<'announcement_unknown'>> {
  const found = await findAnnouncement(statements, id, 'for update');
  return found ?? new Refused('announcement_unknown');
}

function contentOf({ endDate, startDate, ...given }: AnnouncementIn): AnnouncementContent {
  return {
    ...given,
    startDate: startDate === null ? null : new Date(startDate),
    endDate: endDate === null ? null : new Date(endDate),
  };
}

function auditOf({ createdAt: _, updatedAt: __, ...one }: Announcement): JsonObject {
  const { endDate, startDate, ...others } = one;
  return {
    ...others,
    startDate: startDate?.toISOString() ?? null,
    endDate: endDate?.toISOString() ?? null,
  };
}
