// Parts of the account panels: a rejection in the session, and the confirmation dialog for
// removals.

import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ActForm, isCode, Refusal, useAct } from '../../forms/index.ts';
import { Button, Dialog, Field, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { useProof } from './proof.tsx';

const SESSION_TOO_OLD = 2309;

/** Shows a rejection. If the session is too old for the action, asks for the password in place. */
export function SessionRefusal({
  error,
  onConfirmed,
}: {
  error: unknown;
  /** Repeats the action; without it, the user sends the form again. */
  onConfirmed?: () => void;
}) {
  const { t } = useLook();
  const { signOut, user } = useSession();
  const navigate = useNavigate();
  const signInAgain = async () => {
    await signOut();
    await navigate({ to: '/sign-in', search: { next: location.pathname } });
  };
  return (
    <Refusal error={error}>
      {isCode(error, SESSION_TOO_OLD) && user?.otp_enabled === false && (
        <ConfirmPassword {...(onConfirmed !== undefined && { onConfirmed })} />
      )}
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

/**
 * Starts a new session with the password. It is inside a form, so it is not a form itself, and Enter
 * must not send the form around it.
 */
function ConfirmPassword({ onConfirmed }: { onConfirmed?: () => void }) {
  const { t } = useLook();
  const { user } = useSession();
  const [password, setPassword] = useState('');
  const [isNew, setNew] = useState(false);
  const confirm = useAct(async () => {
    await exchange.logIn({ email: user?.email ?? '', password, version: 'v4' });
    setNew(true);
    onConfirmed?.();
  });
  if (isNew) return <p role="status">{t('people.sessionNew')}</p>;
  return (
    <div className="flex flex-col gap-2 py-2">
      <p>{t('people.sessionOld')}</p>
      <div className="flex items-end gap-2">
        <Field
          label={t('people.password')}
          type="password"
          dir="ltr"
          autoComplete="current-password"
          className="min-w-0 flex-1"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            confirm.run();
          }}
        />
        <Button isBusy={confirm.isBusy} disabled={password === ''} onClick={() => confirm.run()}>
          {t('people.confirm')}
        </Button>
      </div>
      <Refusal error={confirm.error} isRepeatable />
    </div>
  );
}

/** Asks for the account's proof, then runs the action. The text describes the effect. */
export function ProofDialog({
  act,
  children,
  isDanger = false,
  onClose,
  submit,
  title,
}: {
  title: string;
  /** Receives the one-time code; empty if the session is verified. */
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
