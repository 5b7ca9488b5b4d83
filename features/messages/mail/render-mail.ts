// Renders a mail: subject, text and HTML of its kind in its language.

import { type MailSettings, type MailToRender, mailContent } from './mail-content.ts';
import { mailHtml, mailText } from './mail-layout.ts';

export interface RenderedMail {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail(mail: MailToRender, settings: MailSettings): RenderedMail {
  const content = mailContent(mail, settings);
  return { subject: content.subject, text: mailText(content), html: mailHtml(content) };
}
