// Verifies Turnstile tokens. Fails closed: without a clear yes in time, the token is rejected.

import type { Logger } from '../../../infra/process/index.ts';
import type { CaptchaVerifier } from './captcha.ts';

export interface TurnstileOptions {
  readonly url: string;
  readonly secret: string;
  readonly log: Pick<Logger, 'warn'>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;

export function turnstile(options: TurnstileOptions): CaptchaVerifier {
  const { log, secret, timeoutMs = TIMEOUT_MS, url } = options;
  return {
    async verify(token, address) {
      try {
        const answer = await fetch(url, {
          method: 'POST',
          body: new URLSearchParams({ secret, response: token, remoteip: address }),
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'error',
        });
        const { success } = (await answer.json()) as { readonly success?: unknown };
        return answer.ok && success === true;
      } catch (err) {
        log.warn({ err }, 'captcha verification failed');
        return false;
      }
    },
  };
}
