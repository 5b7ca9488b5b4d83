// Port through which emails are sent: an SMTP server, or the inbox of a development exchange.

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
  /** Code in the email; '' without one. Only the development inbox shows it separately. */
  readonly code: string;
}

/**
 * deferred: another attempt might succeed. refused: the server will never accept this email. Errors
 * must not contain an address.
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

/** Returns undefined if the address could mean more than one recipient. */
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
