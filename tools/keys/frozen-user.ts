// The command `user unfreeze`: opens an account again that its owner, or a thief of a mail, has
// frozen. The operator has verified the owner.

import type { UserId } from '../../core/money/index.ts';
import { type IdentityClient, unfreezeUser } from '../../domain/identity/index.ts';
import { accessChangeFeed } from '../../infra/access/index.ts';
import { inTransaction, withConnection } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { ToolFault } from '../command-line.ts';
import type { Context } from './keys-context.ts';

/** The mail to the owner shows no address and no country. */
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
  const ports = { vault: await openVault(), clock: systemClock, identity: { countries } };
  const isDone = await withConnection(pool, (connection) =>
    inTransaction(connection, () => unfreezeUser(connection, ports, { user, client: OPERATOR })),
  );
  if (!isDone) throw new ToolFault(`User ${user} is not frozen.`);
  await withBus(async (bus) =>
    accessChangeFeed(bus, config.exchange).announce({ user, key: 0, session: 0, isRevoked: false }),
  );
  return [
    `user ${user} is active again`,
    'Sessions have ended; the owner confirms keys that trade or withdraw again.',
  ];
}
