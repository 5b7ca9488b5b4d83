// Operator session: whether the console is open to the user, and the user's permissions.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import { forgetPrivateData } from '../shell/index.ts';
import { type ActName, may, type Operator, type Standing, standingOf } from './access.ts';
import { exchange, passkeysQuery, userQuery } from './exchange.ts';

export interface Session {
  readonly standing: Standing;
  /** Set if the session query failed because the exchange does not respond. */
  readonly error: unknown;
  /** Call it after signing in. */
  refresh(): Promise<void>;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession is called outside of SessionProvider');
  return session;
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const { data: user, error } = useQuery(userQuery);
  const needsPasskeys = user !== undefined && user !== null && !user.otp_enabled;
  const { data: passkeys } = useQuery({ ...passkeysQuery, enabled: needsPasskeys });
  const refresh = useCallback(() => forgetPrivateData(queries), [queries]);
  const signOut = useCallback(async () => {
    await exchange.logout();
    await refresh();
  }, [refresh]);
  const standing = useMemo(() => standingOf(user, passkeys?.length), [user, passkeys]);
  const session = useMemo(
    () => ({ standing, error, refresh, signOut }),
    [standing, error, refresh, signOut],
  );
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/** Returns the operator. The shell renders screens only for one, so it throws anywhere else. */
export function useOperator(): Operator & { may(act: ActName): boolean } {
  const { standing } = useSession();
  if (standing.kind !== 'in') throw new Error('useOperator is called without an operator');
  const { operator } = standing;
  return { ...operator, may: (act) => may(operator, act) };
}
