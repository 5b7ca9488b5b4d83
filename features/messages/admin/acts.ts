// The actions of this feature that can wait for approval: votes find them by their name.

import {
  changeAnnouncementAct,
  createAnnouncement,
  removeAnnouncementAct,
} from './announcements.ts';
import { changeMailText } from './mail-texts.ts';
import { sendKnownMail, sendRawMail } from './send-mail.ts';

export const MESSAGES_ACTS = [
  changeAnnouncementAct,
  createAnnouncement,
  removeAnnouncementAct,
  changeMailText,
  sendKnownMail,
  sendRawMail,
] as const;
