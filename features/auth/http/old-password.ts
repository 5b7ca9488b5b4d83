// Old password as the proof for a change. Wrong ones are counted per user, so a stolen session
// cannot search for it.

import type { Dependencies } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Caller } from '../credentials/caller.ts';
import { oldPasswordCounter, readPassword } from '../passwords/passwords.ts';
import { Throttles } from '../throttles.ts';

const RETRY_AFTER_S = 300;

export async function requireOldPassword(
  { clock, identity, registry, vault }: Dependencies,
  { user }: Pick<Caller, 'user'>,
  text: string,
): Promise<Refused<'old_password_wrong' | 'rate_limit_exceeded'> | undefined> {
  const throttled = { ...oldPasswordCounter(user), nowMs: clock.nowMs() };
  const blocked = () => new Refused('rate_limit_exceeded', {}, RETRY_AFTER_S);
  if (!(await Throttles.check(registry, vault, throttled))) return blocked();
  const tag = await readPassword(registry, vault, user);
  if (await identity.hasher.verify(text, tag, { isKnownDevice: true })) {
    const isAdmitted = await Throttles.succeed(registry, vault, throttled);
    return isAdmitted ? undefined : blocked();
  }
  if ((await Throttles.fail(registry, vault, throttled)) === 'blocked') return blocked();
  return new Refused('old_password_wrong');
}
