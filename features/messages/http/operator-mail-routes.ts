// Handlers for operator emails.

import type { UserId } from '../../../core/money/index.ts';
import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUser } from '../../accounts/index.ts';
import { answerAct, refusePower } from '../../approvals/http/index.ts';
import { htmlOfLines } from '../admin/mail-html.ts';
import { changeMailText, readMailText } from '../admin/mail-texts.ts';
import { rawMail, sendKnownMail, sendRawMail } from '../admin/send-mail.ts';
import { MAIL_KINDS } from '../mail/mail-kinds.ts';

const SUCCESS = { message: 'Success' };

type Handlers = HandlersOf<'operatorMails'>;
type Data = Parameters<typeof sendKnownMail.prepare>[1]['data'];

export const operatorMailsRoutes: Handlers = {
  getMailTypes: () => [...MAIL_KINDS],

  getMailText: ({ query: { language, type: kind } }, dependencies) =>
    textJson(dependencies, { kind, language }),

  changeMailText(call, dependencies) {
    const { html, language, title, type: kind } = call.body;
    const given = { kind, language, title, html };
    return answerAct(call, dependencies, changeMailText, given, () =>
      textJson(dependencies, { kind, language }),
    );
  },

  sendMail(call, dependencies) {
    const { data, mail_type: type, user_id: user } = call.body;
    if (type === 'alert') return sendAlert(call, dependencies);
    // The body is JSON, and its fractions are texts.
    const sent = { user, type, data: data as Data };
    return answerAct(call, dependencies, sendKnownMail, sent, () => SUCCESS);
  },

  async sendRawMail(call, dependencies) {
    const refused = refusePower(call.caller, 'mail.raw');
    if (refused !== undefined) return refused;
    const { html, receivers, text = '', title = '' } = call.body;
    const content = { receivers, title, html, text };
    const mail = rawMail(content);
    if (mail instanceof Refused) return mail;
    return answerAct(call, dependencies, sendRawMail, mail, () => SUCCESS);
  },
};

/** An alert is an operator's own text, so it counts like any other. */
async function sendAlert(call: Parameters<Handlers['sendMail']>[0], dependencies: Dependencies) {
  const { data, user_id } = call.body;
  const found = await findUser(dependencies.registry, user_id as UserId);
  if (found === undefined || found.state === 'erased') return new Refused('user_not_found');
  const { data: message, type: title = '' } = data as Partial<Record<string, unknown>>;
  if (typeof message !== 'string' || typeof title !== 'string') {
    return new Refused('mail_refused', { detail: 'data.type and data.data must be strings' });
  }
  const mail = rawMail({ receivers: [found.email], title, html: message, text: '' });
  if (mail instanceof Refused) return mail;
  return answerAct(call, dependencies, sendRawMail, mail, () => SUCCESS);
}

async function textJson(
  { registry }: Dependencies,
  name: { readonly kind: string; readonly language: string },
) {
  const found = await readMailText(registry, name);
  if (found === undefined) {
    return new Refused('mail_refused', { detail: 'No email has this type and language' });
  }
  const { isOwn, kind, language, paragraphs, subject } = found;
  return { type: kind, language, title: subject, html: htmlOfLines(paragraphs), is_own: isOwn };
}
