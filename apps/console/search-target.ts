// The screen that shows a result of the search, if the operator has it.

import type { SearchResult } from '../../client/index.ts';

export interface SearchTarget {
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
}

/** The screen of each type, and the parameter that names the result there. */
const SCREEN_OF: Readonly<Record<string, readonly [path: string, parameter: string]>> = {
  user: ['/people', 'id'],
  deposit: ['/deposits', 'id'],
  withdrawal: ['/withdrawals', 'id'],
  approval: ['/approvals', 'id'],
  audit: ['/audit', 'id'],
  coin: ['/markets', 'coin'],
  market: ['/markets', 'pair'],
};
const OF_USER = '/people';

/** `paths` are the screens that exist and that the role may open. Undefined: none shows it. */
export function pathOfResult(
  { id, type, user_id: user }: Pick<SearchResult, 'id' | 'type' | 'user_id'>,
  paths: readonly string[],
): SearchTarget | undefined {
  const own = SCREEN_OF[type];
  if (own !== undefined && paths.includes(own[0]))
    return { path: own[0], search: { [own[1]]: id } };
  if (user === null || !paths.includes(OF_USER)) return undefined;
  return { path: OF_USER, search: { id: String(user) } };
}
