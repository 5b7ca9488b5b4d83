// Announcements as actions of operators. The rules of their content are in announcements/.

import type { Statements } from '../../../infra/postgres/index.ts';
import {
  type ActContext,
  ActRefused,
  type Assessment,
  defineActInTwoSteps,
  type Executed,
} from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import {
  type Announcement,
  type AnnouncementContent,
  type AnnouncementRefusal,
  changeAnnouncement,
  findAnnouncement,
  removeAnnouncement,
  writeAnnouncement,
} from '../announcements/announcements.ts';

/** As in payloads: plain JSON, dates as ISO 8601. */
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

export const createAnnouncement = defineActInTwoSteps({
  name: 'announcement.create',
  votePower: 'approve.config',

  assess: async (_: ActContext, { title }: AnnouncementIn) => assessed('announcement', title),

  async execute({ connection, operator }: ActContext, given: AnnouncementIn) {
    const made = requireDone(await writeAnnouncement(connection, contentOf(given), operator.user));
    return { result: { id: made.id }, after: auditOf(made) };
  },
});

/** Gives the whole content. */
export const changeAnnouncementAct = defineActInTwoSteps({
  name: 'announcement.change',
  votePower: 'approve.config',

  assess: async (_: ActContext, { id, title }: AnnouncementChange) =>
    assessed(`announcement ${id}`, title),

  async execute({ connection }: ActContext, { id, ...given }: AnnouncementChange) {
    const before = await requireAnnouncement(connection, id);
    const after = requireDone(await changeAnnouncement(connection, id, contentOf(given)));
    return { result: { id }, before: auditOf(before), after: auditOf(after) };
  },
});

export const removeAnnouncementAct = defineActInTwoSteps({
  name: 'announcement.remove',
  votePower: 'approve.config',

  assess: async (_: ActContext, { id }: AnnouncementRemoval) =>
    assessed(`announcement ${id}`, 'removed'),

  async execute(
    { connection }: ActContext,
    { id }: AnnouncementRemoval,
  ): Promise<Executed<JsonObject>> {
    const before = await requireAnnouncement(connection, id);
    await removeAnnouncement(connection, id);
    return { result: { id }, before: auditOf(before) };
  },
});

function assessed(object: string, value: string): Assessment {
  const shown = [{ label: 'Announcement', value }];
  return { object, objectVersion: '', approvals: 0, beneficiaries: [], shown };
}

async function requireAnnouncement(statements: Statements, id: number): Promise<Announcement> {
  const found = await findAnnouncement(statements, id, 'for update');
  if (found === undefined) throw new ActRefused('announcement_unknown');
  return found;
}

function requireDone(answer: Announcement | AnnouncementRefusal): Announcement {
  if (typeof answer !== 'string') return answer;
  if (answer === 'announcement_unknown') throw new ActRefused(answer);
  throw new ActRefused('announcement_invalid', { detail: DETAILS[answer] });
}

const DETAILS: Readonly<Record<Exclude<AnnouncementRefusal, 'announcement_unknown'>, string>> = {
  announcement_title_invalid: 'the title must be one line of 1 to 200 characters without < and >',
  announcement_message_invalid: 'the message must have at most 20,000 characters',
  announcement_type_invalid: 'the type must be a word of lower-case letters, digits, - and _',
  announcement_dates_reversed: 'it must end after it starts',
};

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
