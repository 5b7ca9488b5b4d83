// Panel: a titled area that shows its content or its state. All states look the same on every
// screen.

import { CircleSlash, CloudOff, HelpCircle, Inbox, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useLook } from './look.tsx';
import type { PanelState } from './panel-state.ts';

export function Panel({
  after,
  children,
  className = '',
  dialogs,
  isTitleHidden = false,
  onRetry,
  signIn,
  skeletonRows = 6,
  state,
  title,
}: {
  title: string;
  state: PanelState;
  children: ReactNode;
  /** Rendered in every state: an empty list can get a first entry, and an error closes no form. */
  dialogs?: ReactNode;
  isTitleHidden?: boolean;
  /** Actions at the end of the title row. */
  after?: ReactNode;
  onRetry?: () => void;
  /** Sign-in link for a panel that needs a session. */
  signIn?: ReactNode;
  skeletonRows?: number;
  className?: string;
}) {
  const id = useId();
  const isShown = state.kind === 'ready' || state.kind === 'stale';
  return (
    <section
      aria-labelledby={id}
      aria-busy={state.kind === 'loading' || undefined}
      className={`relative flex min-h-0 min-w-0 flex-col overflow-hidden rounded bg-panel ${className}`}
    >
      <header
        className={
          isTitleHidden
            ? 'sr-only'
            : 'flex h-8 flex-none items-center justify-between gap-2 border-b border-line px-2'
        }
      >
        <h2 id={id} className="text-body font-semibold whitespace-nowrap">
          {title}
        </h2>
        {after}
      </header>
      {isShown ? (
        <div
          className={`flex min-h-0 flex-1 flex-col ${state.kind === 'stale' ? 'opacity-95 grayscale' : ''}`}
        >
          {children}
        </div>
      ) : (
        <StateView state={state} onRetry={onRetry} signIn={signIn} skeletonRows={skeletonRows} />
      )}
      {state.kind === 'stale' && <StaleMark sinceMs={state.sinceMs} />}
      {dialogs}
    </section>
  );
}

/** Shows for how long the data has been stale, updated every second. */
function StaleMark({ sinceMs }: { sinceMs: number }) {
  const { t } = useLook();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((nowMs - sinceMs) / 1_000));
  return (
    <div className="pointer-events-none absolute inset-x-0 top-9 z-2 flex justify-center">
      <span className="rounded border border-warn bg-panel px-2 py-0.5 text-label text-warn">
        {t('state.stale', { seconds })}
      </span>
    </div>
  );
}

function StateView({
  onRetry,
  signIn,
  skeletonRows,
  state,
}: {
  state: PanelState;
  onRetry: (() => void) | undefined;
  signIn: ReactNode;
  skeletonRows: number;
}) {
  const { t } = useLook();
  if (state.kind === 'loading') return <Skeleton rows={skeletonRows} />;
  const retry = onRetry !== undefined && (
    <button type="button" onClick={onRetry} className="mt-1 text-accent hover:underline">
      {t('shell.retry')}
    </button>
  );
  if (state.kind === 'empty') return <Notice icon={<Inbox />} title={state.text} />;
  if (state.kind === 'forbidden') {
    const isSession = state.needs === 'session';
    return (
      <Notice icon={<Lock />} title={t(isSession ? 'state.needsSession' : 'state.needsPermission')}>
        {isSession && signIn}
      </Notice>
    );
  }
  if (state.kind === 'unknown') {
    return (
      <Notice icon={<HelpCircle />} title={t('state.unknown')} color="text-warn">
        {state.message}
        {retry}
      </Notice>
    );
  }
  if (state.kind === 'refused') {
    return (
      <Notice icon={<CircleSlash />} title={state.message} color="text-down">
        {state.code !== undefined && t('state.code', { code: state.code })}
        {retry}
      </Notice>
    );
  }
  return <Notice icon={<CloudOff />} title="" />;
}

export function Notice({
  children,
  color = 'text-quiet',
  icon,
  title,
}: {
  icon: ReactNode;
  title: string;
  color?: string;
  children?: ReactNode;
}) {
  return (
    <div
      role="status"
      className="flex min-h-24 flex-1 flex-col items-center justify-center gap-1 p-4 text-center text-quiet"
    >
      <span aria-hidden="true" className={`[&>svg]:size-5 ${color}`}>
        {icon}
      </span>
      <p className="max-w-72 text-body text-text">{title}</p>
      <div className="flex flex-col items-center text-label">{children}</div>
    </div>
  );
}

function Skeleton({ rows }: { rows: number }) {
  const { t } = useLook();
  const widths = ['w-full', 'w-11/12', 'w-10/12', 'w-full', 'w-9/12'];
  return (
    <div role="status" className="flex flex-1 flex-col gap-2 overflow-hidden p-2">
      <span className="sr-only">{t('state.loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal rows that never change.
        <span key={row} className={`skeleton h-4 flex-none ${widths[row % widths.length]}`} />
      ))}
    </div>
  );
}
