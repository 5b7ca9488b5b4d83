// The cookie that binds a short code to the browser that requested it.

import type { SetCookie } from '../../infra/access/index.ts';

/** A code may be requested again some time after it has expired. */
const LIFE_S = 3_600;

/** Of an answer to a request for a code. */
export function flowCookies(flowToken: string | undefined): readonly SetCookie[] {
  return flowToken === undefined ? [] : [{ name: 'flow', value: flowToken, maxAgeS: LIFE_S }];
}
