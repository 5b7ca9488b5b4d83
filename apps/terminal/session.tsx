// Session: the signed-in user, and the one stream that all screens share. The stream opens with the
// session cookie, so signing in or out opens a new one.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { RialtoStream, type StreamStatus, type User } from '../../client/index.ts';
import { Cell, showToast, useLook } from '../ui/index.ts';
import { type AccountState, applyEvents, NO_ACCOUNT } from './account-state.ts';
import { exchange, refreshSession, userQuery } from './exchange.ts';
import { type Protection, resumeProtection } from './protection.ts';

export interface Connection {
  readonly status: StreamStatus;
  readonly why: string;
  /** Time of the last status change. */
  readonly sinceMs: number;
  readonly latencyMs: number | undefined;
}

export interface Session {
  /** Undefined while loading, null if signed out. */
  readonly user: User | null | undefined;
  readonly stream: RialtoStream | undefined;
  readonly connection: Cell<Connection>;
  /** The user's orders, fills and balances, live. */
  readonly account: Cell<AccountState>;
  /**
   * Whether this page has armed the switch that cancels the user's orders; undefined while unknown.
   */
  readonly protection: Cell<Protection | undefined>;
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

// Traders need to see a lost connection within seconds, so pings are more frequent than default.
const TIMINGS = {
  pingEveryMs: 2_000,
  silentMsMax: 6_000,
  backoff: { firstMs: 250, maxMs: 5_000 },
} as const;

const SWITCH_RETRY_MS = 2_000;

const UNCONNECTED: Connection = {
  status: 'connecting',
  why: '',
  sinceMs: 0,
  latencyMs: undefined,
};

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const { data: user } = useQuery(userQuery);
  const [stream, setStream] = useState<RialtoStream>();
  const [connection] = useState(() => new Cell<Connection>(UNCONNECTED));
  const [account] = useState(() => new Cell<AccountState>(NO_ACCOUNT));
  const [protection] = useState(() => new Cell<Protection | undefined>(undefined));
  const identity = user === undefined ? undefined : (user?.id ?? 0);

  useEffect(() => {
    if (identity === undefined) return;
    // Browsers hide why a socket was refused, so a lost stream checks whether the session has ended.
    // Its rejection deletes the cookie, and the stream opens again for a guest.
    const opened = openStream(connection, () => {
      if (identity > 0) void queries.invalidateQueries({ queryKey: userQuery.queryKey });
    });
    // Every screen shows the connection, so the stream always has a subscription.
    opened.subscribe('price', { onMessage() {}, onError() {} });
    account.set(NO_ACCOUNT);
    protection.set(undefined);
    if (identity > 0) {
      void resumeProtection({
        stream: opened,
        readSwitch: () => exchange.getDeadManSwitch(),
        show: (state) => protection.set(state),
        wait: () => new Promise((resolve) => setTimeout(resolve, SWITCH_RETRY_MS)),
      });
      opened.account({
        onMessage: (events) => account.set(applyEvents(account.latest, events)),
        // The session might have expired; refetching the user shows it.
        onError: () => void queries.invalidateQueries({ queryKey: userQuery.queryKey }),
      });
    }
    setStream(opened);
    return () => opened.close();
  }, [identity, connection, account, protection, queries]);

  const refresh = useCallback(() => refreshSession(queries), [queries]);
  const isLeaving = useRef(false);
  const signOut = useCallback(async () => {
    isLeaving.current = true;
    try {
      await exchange.logout();
      await refresh();
    } finally {
      isLeaving.current = false;
    }
  }, [refresh]);
  useEnded(user, isLeaving);
  const session = useMemo(
    () => ({ user, stream, connection, account, protection, refresh, signOut }),
    [user, stream, connection, account, protection, refresh, signOut],
  );
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

/** Shows a notice if the session ended without a sign-out on this page. */
function useEnded(user: User | null | undefined, isLeaving: { readonly current: boolean }): void {
  const { t } = useLook();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (user === null && wasSignedIn.current && !isLeaving.current)
      showToast('plain', t('banner.sessionEnded'));
    if (user !== undefined) wasSignedIn.current = user !== null;
  }, [user, isLeaving, t]);
}

function openStream(connection: Cell<Connection>, onLost: () => void): RialtoStream {
  let isCurrent = true;
  const opened = new RialtoStream({
    url: location.origin,
    timings: TIMINGS,
    onStatus(status, why) {
      if (!isCurrent) return;
      if (status === 'closed') {
        isCurrent = false;
        return;
      }
      connection.set({ ...connection.latest, status, why, sinceMs: Date.now() });
      if (status === 'waiting') onLost();
    },
    onLatency(latencyMs) {
      if (isCurrent) connection.set({ ...connection.latest, latencyMs: Math.round(latencyMs) });
    },
  });
  return opened;
}
