// Screen that shows a search result, if the operator can open it.

import type { SearchResult } from '../../client/index.ts';

export interface SearchTarget {
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
}

/** Screen for each type, and the parameter that selects the result there. */
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

/** `paths` are existing screens that the role can open. Returns undefined if none shows it. */
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

const NUMBERED = ['user', 'deposit', 'withdrawal', 'approval', 'audit'];

/** Number that tells results of the same type apart; undefined if the title names it. */
export function numberOf({ id, type }: Pick<SearchResult, 'id' | 'type'>): string | undefined {
  if (NUMBERED.includes(type)) return `#${id}`;
  return type === 'coin' ? id.toUpperCase() : undefined;
}
