// The old password, as the proof of a change. Wrong ones are counted for each user, so that a
// stolen session cannot search for it.

import { ApiRefusal, type Dependencies } from '../../../platform/http/index.ts';
import type { Caller } from '../credentials/caller.ts';
import { oldPasswordCounter, readPassword } from '../passwords/passwords.ts';
import { Throttles } from '../throttles.ts';

const RETRY_AFTER_S = 300;

export async function requireOldPassword(
  { clock, identity, registry, vault }: Dependencies,
  { user }: Pick<Caller, 'user'>,
  text: string,
): Promise<void> {
  const throttled = { ...oldPasswordCounter(user), nowMs: clock.nowMs() };
  const blocked = () => new ApiRefusal('rate_limit_exceeded', {}, RETRY_AFTER_S);
  if (!(await Throttles.check(registry, vault, throttled))) throw blocked();
  const tag = await readPassword(registry, vault, user);
  if (await identity.hasher.verify(text, tag, { isKnownDevice: true })) {
    if (!(await Throttles.succeed(registry, vault, throttled))) throw blocked();
    return;
  }
  if ((await Throttles.fail(registry, vault, throttled)) === 'blocked') throw blocked();
  throw new ApiRefusal('old_password_wrong');
}
