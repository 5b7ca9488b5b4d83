// The port through which mails leave: an SMTP server, or the inbox of a development exchange.

import {
  type LeasedMail,
  type MailKind,
  type MailSettings,
  renderMail,
} from '../../features/messages/index.ts';
import { isMailAddress, type MailFrom } from '../../infra/settings/index.ts';

export interface OutgoingMail {
  /** With the angle brackets. */
  readonly messageId: string;
  readonly kind: MailKind;
  readonly language: string;
  readonly from: MailFrom;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly createdAt: Date;
  /** The code in the mail; '' without one. Only the development inbox shows it apart. */
  readonly code: string;
}

/**
 * deferred: another attempt may succeed. refused: the server will never accept this mail. Errors
 * contain no address.
 */
export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'deferred' | 'refused'; readonly error: string };

export interface MailTransport {
  /** Never rejects. */
  send(mail: OutgoingMail): Promise<SendOutcome>;
  close(): void;
}

export interface MailIdentity extends MailSettings {
  readonly from: MailFrom;
}

/** Undefined if the address could mean more than one recipient. */
export function composeMail(
  mail: LeasedMail & { readonly sealed: NonNullable<LeasedMail['sealed']> },
  identity: MailIdentity,
): OutgoingMail | undefined {
  const { createdAt, kind, language, messageId, ownTexts, sealed, word } = mail;
  const { from } = identity;
  const { to, values } = sealed;
  if (!isMailAddress(to)) return undefined;
  const { html, subject, text } = renderMail({ kind, language, values, word, ownTexts }, identity);
  const host = from.address.slice(from.address.indexOf('@') + 1);
  const code = 'code' in values ? values.code : '';
  return {
    messageId: `<${messageId}@${host}>`,
    kind,
    language,
    from,
    to,
    subject,
    text,
    html,
    createdAt,
    code,
  };
}
