// Reads the code in the last email to an address from the notifier's inbox.

import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Stage } from './stage.ts';

interface InboxMail {
  readonly kind: string;
  readonly code?: string;
}

/** Set `kind` if the user received several kinds of emails. */
export async function mailedCode(
  stage: Pick<Stage, 'sandbox' | 'patienceMs'>,
  email: string,
  kind?: string,
): Promise<string> {
  let code = '';
  await waitUntil({
    what: `the email to ${email} has arrived`,
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
