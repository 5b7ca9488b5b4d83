// The commands `sign-up open`, `closed` and `invitation`: who can sign up. The kit stores the mode,
// and gateways reload it within seconds.

import { describeKit } from '../../features/listings/index.ts';
import { audited } from '../audited-change.ts';
import type { Context } from './keys-context.ts';

export type SignUpModeName = 'open' | 'closed' | 'invitation';

const KIT: Record<SignUpModeName, Readonly<Record<string, boolean>>> = {
  open: { new_user_is_activated: true, invitation_only: false },
  closed: { new_user_is_activated: false, invitation_only: false },
  invitation: { new_user_is_activated: true, invitation_only: true },
};

const SAID: Record<SignUpModeName, string> = {
  open: 'sign-up is open',
  closed: 'sign-up is closed',
  invitation: 'sign-up is by invitation',
};

export async function setSignUpMode(
  mode: SignUpModeName,
  { openVault, pool }: Context,
): Promise<readonly string[]> {
  return audited(pool, await openVault(), 'tool.sign_up', async (connection) => {
    await describeKit(connection, KIT[mode]);
    return { lines: [SAID[mode]], object: 'sign-up', after: mode };
  });
}
