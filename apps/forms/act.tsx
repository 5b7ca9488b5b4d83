// Form action: sent once, disabled while in progress, and its rejection as the exchange words it.

import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { RialtoError } from '../../client/index.ts';
import { useLook } from '../ui/index.ts';

export interface Act<Input> {
  run(input: Input): void;
  readonly isBusy: boolean;
  readonly error: unknown;
  forget(): void;
}

export function useAct<Input = void>(act: (input: Input) => Promise<void>): Act<Input> {
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: act,
    // An action queued while offline would run later, when the user no longer expects it.
    networkMode: 'always',
  });
  return {
    run: (input) => {
      if (!isPending) mutate(input);
    },
    isBusy: isPending,
    error,
    forget: reset,
  };
}

export function isCode(error: unknown, ...codes: number[]): boolean {
  return error instanceof RialtoError && error.code !== undefined && codes.includes(error.code);
}

/** Other clients match the text of this refusal, so the exchange cannot word it better. */
const FROZEN = 19;

/** Shows the text and code of a rejection, or nothing without an error. */
export function Refusal({
  children,
  error,
  isRepeatable = false,
}: {
  error: unknown;
  /** The request can safely be sent twice, so an unknown outcome needs no warning. */
  isRepeatable?: boolean;
  children?: ReactNode;
}) {
  const { t } = useLook();
  if (error === null || error === undefined) return null;
  return (
    <div role="alert" className="flex gap-2 rounded border border-down p-2 text-body">
      <CircleAlert size={16} aria-hidden="true" className="flex-none text-down" />
      <div className="min-w-0 flex-1">
        <RefusalText error={error} isRepeatable={isRepeatable} />
        {error instanceof RialtoError && error.code !== undefined && (
          <span className="text-label text-quiet"> {t('state.code', { code: error.code })}</span>
        )}
        {children}
      </div>
    </div>
  );
}

function RefusalText({ error, isRepeatable }: { error: unknown; isRepeatable: boolean }) {
  const { t } = useLook();
  if (error instanceof DOMException) {
    const isKnown = error.name === 'InvalidStateError';
    return <>{t(isKnown ? 'passkey.known' : 'passkey.cancelled')}</>;
  }
  if (!(error instanceof RialtoError)) return <>{String(error)}</>;
  if (error.isOutcomeUnknown && !isRepeatable) return <>{t('state.unknown')}</>;
  if (error.status === 0 || error.isOutcomeUnknown) return <>{t('act.unreachable')}</>;
  const waitMs = error.retryAfterMs;
  return (
    <>
      {isCode(error, FROZEN) ? t('refusal.frozen') : error.message}
      {waitMs !== undefined && ` ${t('act.waitSeconds', { seconds: Math.ceil(waitMs / 1_000) })}`}
    </>
  );
}

/** A form that runs an action: Enter submits it, and the browser checks required fields. */
export function ActForm({
  children,
  className = '',
  onSubmit,
}: {
  onSubmit(): void;
  children: ReactNode;
  className?: string;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} className={`flex flex-col gap-3 ${className}`}>
      {children}
    </form>
  );
}
