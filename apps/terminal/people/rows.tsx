// Parts of the account's panels: facts in two columns, a headline with an act beside it, and the
// dialog that asks before something is gone.

import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, Dialog, useLook } from '../../ui/index.ts';
import { useSession } from '../session.tsx';
import { ActForm, isCode, Refusal, useAct } from './act.tsx';
import { useProof } from './proof.tsx';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly act?: ReactNode;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="flex flex-col">
      {facts.map(({ act, label, value }) => (
        <div
          key={label}
          className="flex min-h-9 items-center gap-3 border-b border-line px-2 py-1 text-body last:border-b-0"
        >
          <dt className="w-2/5 flex-none text-quiet">{label}</dt>
          <dd className="min-w-0 flex-1 break-words">{value}</dd>
          {act !== undefined && <dd className="flex-none">{act}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** A sentence and the act beside it. */
export function Line({ act, children }: { children: ReactNode; act?: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-2 py-2 text-body">
      <div className="min-w-0 flex-1 basis-56 text-quiet">{children}</div>
      {act}
    </div>
  );
}

export function Chip({ children, colour }: { children: ReactNode; colour: string }) {
  return (
    <span
      className={`inline-flex items-center rounded border border-current px-1.5 text-label whitespace-nowrap ${colour}`}
    >
      {children}
    </span>
  );
}

const SESSION_TOO_OLD = 2309;

/** A refusal in the session; if the password was proven too long ago, the way to prove it. */
export function SessionRefusal({ error }: { error: unknown }) {
  const { t } = useLook();
  const { signOut } = useSession();
  const navigate = useNavigate();
  const signInAgain = async () => {
    await signOut();
    await navigate({ to: '/sign-in', search: { next: location.pathname } });
  };
  return (
    <Refusal error={error}>
      {isCode(error, SESSION_TOO_OLD) && (
        <button
          type="button"
          onClick={() => void signInAgain()}
          className="mt-1 block text-accent hover:underline"
        >
          {t('people.signInAgain')}
        </button>
      )}
    </Refusal>
  );
}

/** Asks for the proof of the account and then does it; the text says what happens. */
export function ProofDialog({
  act,
  children,
  isDanger = false,
  onClose,
  submit,
  title,
}: {
  title: string;
  /** With the one-time code, empty if the session carries the proof. */
  act(otpCode: string): Promise<void>;
  onClose(): void;
  submit: string;
  children: ReactNode;
  isDanger?: boolean;
}) {
  const { t } = useLook();
  const proof = useProof();
  const send = useAct(async () => act(await proof.prove()));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <ActForm onSubmit={send.run}>
        {children}
        {proof.view}
        <SessionRefusal error={send.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button type="submit" look={isDanger ? 'danger' : 'main'} isBusy={send.isBusy}>
            {submit}
          </Button>
        </div>
      </ActForm>
    </Dialog>
  );
}
