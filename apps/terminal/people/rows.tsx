// Parts of the account's panels: a refusal in the session, and the dialog that asks before
// something is gone.

import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ActForm, isCode, Refusal, useAct } from '../../forms/index.ts';
import { Button, Dialog, useLook } from '../../ui/index.ts';
import { useSession } from '../session.tsx';
import { useProof } from './proof.tsx';

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
