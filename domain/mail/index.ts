// Mail: the kinds that exist, their values, and the outbox that the notifier sends.

export {
  type Circumstances,
  CODE_MAIL_KINDS,
  type CodeValues,
  type FactorName,
  type MailKind,
  type MailValues,
} from './mail-kinds.ts';
export { CODE_LIFE_MS, enqueueMail, mailBound, type NewMail } from './mail-outbox.ts';
