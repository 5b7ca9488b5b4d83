// Handler for the support form. Must never reveal anything about accounts: the response is the same
// for every sender.

import { withConnection } from '../../../infra/postgres/index.ts';
import { answerEvenly, type HandlersOf } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { isEmailAddress, normalEmail } from '../../accounts/index.ts';
import { chargeAddress } from '../../auth/index.ts';
import { sendSupportMessage } from '../support/support-messages.ts';

export const supportRoutes: HandlersOf<'support'> = {
  sendSupportMessage: ({ body, client }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const { clock, identity, registry, supportEmail: to, vault } = dependencies;
      if (to === undefined) return new Refused('support_off');
      const nowMs = clock.nowMs();
      const retryAfterS = await chargeAddress(registry, vault, {
        network: `support ${client.network}`,
        attemptsMax: identity.callsPerAddressMax,
        nowMs,
      });
      if (retryAfterS > 0) return new Refused('rate_limit_exceeded', {}, retryAfterS);
      const { category, description, email, subject } = body;
      if (!isEmailAddress(normalEmail(email))) return new Refused('email_invalid');
      const content = { email, category, subject, description };
      const sent = await withConnection(registry, (connection) =>
        sendSupportMessage(connection, vault, { content, to, nowMs }),
      );
      if (sent instanceof Refused) return sent;
      return { message: 'Your message was sent', reference: sent.reference };
    }),
};
