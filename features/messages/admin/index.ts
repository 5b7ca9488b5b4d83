// Actions of operators in messages.

export {
  changeAnnouncementAct,
  createAnnouncement,
  removeAnnouncementAct,
} from './announcements.ts';
export { changeMailText } from './mail-texts.ts';
export { sendKnownMail, sendRawMail } from './send-mail.ts';
