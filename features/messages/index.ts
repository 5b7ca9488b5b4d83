// Messages: emails and their texts, announcements, and support messages.

export { Html, html } from './mail/html.ts';
export { confirmUrl, type MailSettings, type MailToRender } from './mail/mail-content.ts';
export {
  type DeferralRules,
  deferMail,
  type LeasedMail,
  leaseMails,
  type MailBacklog,
  mailBacklog,
  settleMail,
} from './mail/mail-delivery.ts';
export {
  type Circumstances,
  EXAMPLE_VALUES,
  type FactorName,
  MAIL_KINDS,
  type MailKind,
  type MailValues,
  type TransferEnd,
  type TransferValues,
} from './mail/mail-kinds.ts';
export {
  CODE_LIFE_MS,
  enqueueMail,
  hasMailBudget,
  mailBound,
  recordSuppressedMail,
} from './mail/mail-outbox.ts';
export { mailLanguages } from './mail/mail-texts.ts';
export { type RenderedMail, renderMail } from './mail/render-mail.ts';
export { listSupportMessages, supportBound } from './support/support-messages.ts';
