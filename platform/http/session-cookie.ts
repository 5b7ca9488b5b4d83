// The cookies that hold and delete the session of a browser, one for each app.

import type { BrowserApp, SetCookie } from '../../infra/access/index.ts';

export function endSessionCookie(app: BrowserApp): SetCookie {
  return { name: app, value: '', maxAgeS: 0 };
}

/** It lives as long as its session. */
export function sessionCookie(app: BrowserApp, token: string, lifeMs: number): SetCookie {
  return { name: app, value: token, maxAgeS: Math.floor(lifeMs / 1_000) };
}
