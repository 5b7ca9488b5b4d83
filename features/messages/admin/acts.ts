// Actions in this feature that can need approval. Votes find them by name.

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
