// Mail: the kinds that exist, their values and texts, and the outbox that the notifier sends.

export { EXAMPLE_VALUES, MAIL_KINDS } from './example-values.ts';
export { Html, html } from './html.ts';
export { confirmUrl, type MailSettings, type MailToRender } from './mail-content.ts';
export {
  type DeferralRules,
  deferMail,
  type LeasedMail,
  leaseMails,
  type MailBacklog,
  type MailState,
  mailBacklog,
  settleMail,
} from './mail-delivery.ts';
export {
  type Circumstances,
  CODE_MAIL_KINDS,
  type CodeValues,
  type FactorName,
  type MailKind,
  type MailValues,
  type TransferEnd,
  type TransferTerms,
  type TransferValues,
} from './mail-kinds.ts';
export {
  CODE_LIFE_MS,
  enqueueMail,
  hasMailBudget,
  mailBound,
  type NewMail,
  recordSuppressedMail,
} from './mail-outbox.ts';
export { mailLanguages, mailTexts, type OwnMailTexts } from './mail-texts.ts';
export { type RenderedMail, renderMail } from './render-mail.ts';
