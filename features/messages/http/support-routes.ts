// The support form. It reveals nothing about accounts: the answer is the same for every sender.

import { withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, answerEvenly, type HandlersOf } from '../../../platform/http/index.ts';
import { isEmailAddress, normalEmail } from '../../accounts/index.ts';
import { chargeAddress } from '../../auth/index.ts';
import { sendSupportMessage } from '../support/support-messages.ts';

const RETRY_AFTER_S = 600;

export const supportRoutes: HandlersOf<'support'> = {
  sendSupportMessage: ({ body, client }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const { clock, identity, registry, supportEmail: to, vault } = dependencies;
      if (to === undefined) throw new ApiRefusal('support_off');
      const nowMs = clock.nowMs();
      const retryAfterS = await chargeAddress(registry, vault, {
        network: `support ${client.network}`,
        attemptsMax: identity.callsPerAddressMax,
        nowMs,
      });
      if (retryAfterS > 0) throw new ApiRefusal('rate_limit_exceeded', {}, retryAfterS);
      const { category, description, email, subject } = body;
      if (!isEmailAddress(normalEmail(email))) throw new ApiRefusal('email_invalid');
      const content = { email, category, subject, description };
      const sent = await withConnection(registry, (connection) =>
        sendSupportMessage(connection, vault, { content, to, nowMs }),
      );
      if (typeof sent === 'string') throw new ApiRefusal(sent, {}, RETRY_AFTER_S);
      return { message: 'Your message was sent', reference: sent.reference };
    }),
};
