// Actions of operators in messages.

export {
  changeAnnouncementAct,
  createAnnouncement,
  removeAnnouncementAct,
} from './announcements.ts';
export { htmlOfLines, linesOfHtml } from './mail-html.ts';
export { changeMailText, type MailTextRow, readMailText } from './mail-texts.ts';
export { RAW_RECEIVERS_MAX, rawMail, sendKnownMail, sendRawMail } from './send-mail.ts';
