// Parts of the account panels: a rejection in the session, and the confirmation dialog for
// removals.

import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ActForm, isCode, Refusal, useAct } from '../../forms/index.ts';
import { Button, Dialog, useLook } from '../../ui/index.ts';
import { useSession } from '../session.tsx';
import { useProof } from './proof.tsx';

const SESSION_TOO_OLD = 2309;

/** Shows a rejection. If the session is too old for the action, offers to sign in again. */
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
