// The code of the last mail to an address, from the inbox of the notifier.

import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Stage } from './stage.ts';

interface InboxMail {
  readonly kind: string;
  readonly code?: string;
}

/** `kind` if the person has got mails of several kinds. */
export async function mailedCode(
  stage: Pick<Stage, 'sandbox' | 'patienceMs'>,
  email: string,
  kind?: string,
): Promise<string> {
  let code = '';
  await waitUntil({
    what: `the mail to ${email} has arrived`,
    timeoutMs: stage.patienceMs,
    question: async () => {
      const answer = await fetch(`${stage.sandbox.inboxUrl}/messages.json?to=${email}`);
      const mails = (await answer.json()) as InboxMail[];
      const isIt = (mail: InboxMail) =>
        Boolean(mail.code) && (kind === undefined || mail.kind === kind);
      code = mails.find(isIt)?.code ?? '';
      return code !== '';
    },
  });
  return code;
}
