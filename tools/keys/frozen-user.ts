// The command `user unfreeze`: reopens an account frozen by its owner, or by a thief of an email.
// The operator has verified the owner.

import type { UserId } from '../../core/money/index.ts';
import { type IdentityClient, unfreezeUser } from '../../features/auth/index.ts';
import { accessChangeFeed } from '../../infra/access/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { audited } from '../audited-change.ts';
import { ToolFault } from '../command-line.ts';
import type { Context } from './keys-context.ts';

/** The email to the owner shows no address and no country. */
const OPERATOR: IdentityClient = {
  address: '',
  network: '',
  userAgent: 'an operator of the exchange',
  isBrowserApp: false,
};

export async function unfreeze(
  user: UserId,
  { config, openVault, pool, withBus }: Context,
): Promise<readonly string[]> {
  const countries = { countryOf: () => '' };
  const vault = await openVault();
  const ports = { vault, clock: systemClock, identity: { countries } };
  const lines = await audited(pool, vault, 'tool.user_unfreeze', async (connection) => {
    const isDone = await unfreezeUser(connection, ports, { user, client: OPERATOR });
    if (!isDone) throw new ToolFault(`User ${user} is not frozen.`);
    const lines = [
      `user ${user} is active again`,
      'Sessions have ended; the owner confirms keys that trade or withdraw again.',
    ];
    return { lines, object: `user ${user}`, subject: user };
  });
  await withBus(async (bus) =>
    accessChangeFeed(bus, config.exchange).announce({ user, key: 0, session: 0, isRevoked: false }),
  );
  return lines;
}
