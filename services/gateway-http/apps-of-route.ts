// Which web apps may call a route with their session cookie. A page with a fault then cannot act
// where the other app acts: the terminal not for an operator, the console not with own money.
// Tokens and keys are not concerned.

import type { BrowserApp } from '../../infra/access/index.ts';
import type { Route } from '../../protocol/index.ts';

const BOTH: readonly BrowserApp[] = ['terminal', 'console'];
const TERMINAL: readonly BrowserApp[] = ['terminal'];
const CONSOLE: readonly BrowserApp[] = ['console'];
/** Writes with which people keep their own login. */
const LOGIN_TAGS = ['login', 'second factors', 'sign-up and passwords'];
const LOGOUT = '/v2/logout';

export function appsOfRoute({ effect, path, permission, tag }: Route): readonly BrowserApp[] {
  if (permission.who === 'operator') return CONSOLE;
  if (permission.who === 'anyone' || effect === 'read') return BOTH;
  return LOGIN_TAGS.includes(tag) || path === LOGOUT ? BOTH : TERMINAL;
}
