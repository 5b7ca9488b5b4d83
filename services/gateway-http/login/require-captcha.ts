// Captchas of calls that anyone may make: refuses if one is demanded and the sent one is not good.

import { ApiRefusal } from '../api-refusal.ts';
import type { ClientContext } from '../client-context.ts';
import type { Dependencies } from '../dependencies.ts';

export async function requireCaptcha(
  { clock, identity, registry }: Pick<Dependencies, 'clock' | 'identity' | 'registry'>,
  client: Pick<ClientContext, 'address' | 'network'>,
  { captcha = '', isAlways = false }: { readonly captcha?: string; readonly isAlways?: boolean },
): Promise<void> {
  const sent = { captcha, client, isAlways, nowMs: clock.nowMs() };
  const detail = await identity.captcha.refuse(registry, sent);
  if (detail !== undefined) throw captchaRefusal(detail);
}

export function captchaRefusal(detail: string): ApiRefusal {
  return new ApiRefusal('captcha_invalid', { detail });
}
