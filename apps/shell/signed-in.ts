// The page's session: the signed-in user, and the data to remove when the user changes. Query keys
// for private data start with `private`.

import type { QueryClient } from '@tanstack/react-query';
import { type RialtoClient, RialtoError, type User } from '../../client/index.ts';

export const userQueryKey = ['user'] as const;

/** Returns null without a session. */
export async function userOrNull(
  exchange: RialtoClient,
  signal: AbortSignal,
): Promise<User | null> {
  try {
    return await exchange.getUser({ signal });
  } catch (error) {
    if (error instanceof RialtoError && error.status === 401) return null;
    throw error;
  }
}

/** Removes private data and reloads the user. Call it after signing in or out. */
export async function forgetPrivateData(queries: QueryClient): Promise<void> {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'private' });
  await queries.invalidateQueries({ queryKey: userQueryKey });
}
