// The command `invite`: an invitation to sign up, for exchanges without open sign-up.

import { createInvitation, INVITATION_LIFE_MS } from '../../features/auth/index.ts';
import { enqueueMail } from '../../features/messages/index.ts';
import { inTransaction, withConnection } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import type { Context } from './keys-context.ts';
import type { KeysRequest } from './keys-request.ts';

/** With an address, the invitation is also sent by email. */
export async function invite(
  { email }: Pick<KeysRequest, 'email'>,
  context: Context,
): Promise<readonly string[]> {
  const validUntil = new Date(systemClock.nowMs() + INVITATION_LIFE_MS).toISOString();
  const isForAnyone = email === '';
  const code = await withConnection(context.pool, (connection) =>
    inTransaction(connection, async () => {
      const lifeMs = INVITATION_LIFE_MS;
      if (isForAnyone) return createInvitation(connection, { lifeMs });
      const made = await createInvitation(connection, { email, lifeMs });
      await enqueueMail(connection, await context.openVault(), {
        user: null,
        to: email,
        language: 'en',
        kind: 'invitation',
        values: { code: made, validUntil },
      });
      return made;
    }),
  );
  return [
    `invitation   ${code}`,
    `for          ${isForAnyone ? 'anyone' : email}`,
    `valid until  ${validUntil}`,
    'Store it now: it is not shown again.',
  ];
}
