// Cookies for a browser's sessions, one per app, and for its short codes.

import type { BrowserApp, SetCookie } from '../../infra/access/index.ts';

export function endSessionCookie(app: BrowserApp): SetCookie {
  return { name: app, value: '', maxAgeS: 0 };
}

/** It lives as long as its session. */
export function sessionCookie(app: BrowserApp, token: string, lifeMs: number): SetCookie {
  return { name: app, value: token, maxAgeS: Math.floor(lifeMs / 1_000) };
}

/** A code may be requested again some time after it has expired. */
const LIFE_S = 3_600;

/** Binds a short code to the browser that requested it. */
export function flowCookies(flowToken: string | undefined): readonly SetCookie[] {
  return flowToken === undefined ? [] : [{ name: 'flow', value: flowToken, maxAgeS: LIFE_S }];
}
