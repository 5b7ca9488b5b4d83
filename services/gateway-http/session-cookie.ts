// The cookies that hold and delete the session of a browser.

import type { SetCookie } from '../../infra/access/index.ts';

export const END_SESSION_COOKIE: SetCookie = { name: 'session', value: '', maxAgeS: 0 };

/** It lives as long as its session. */
export function sessionCookie(token: string, lifeMs: number): SetCookie {
  return { name: 'session', value: token, maxAgeS: Math.floor(lifeMs / 1_000) };
}
