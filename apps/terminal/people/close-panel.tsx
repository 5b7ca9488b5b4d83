// Closes the account: it must be empty, closes after 14 days, and needs both proofs.

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '../../../client/index.ts';
import { ActForm, Line, useAct } from '../../forms/index.ts';
import { Button, Dialog, Panel, READY, showToast, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { MailCodeField, otpField, useProof } from './proof.tsx';
import { SessionRefusal } from './rows.tsx';

export function ClosePanel({ user }: { user: User }) {
  const { t } = useLook();
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title={t('close.title')} state={READY}>
      <Line
        act={
          <Button look="danger" onClick={() => setOpen(true)}>
            {t('close.act')}
          </Button>
        }
      >
        {t('close.text')}
      </Line>
      {isOpen && <CloseAccount email={user.email} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function CloseAccount({ email, onClose }: { email: string; onClose(): void }) {
  const { t } = useLook();
  const { refresh } = useSession();
  const navigate = useNavigate();
  const proof = useProof();
  const [mailCode, setMailCode] = useState('');
  const close = useAct(async () => {
    const code = otpField(await proof.prove());
    const { message } = await exchange.closeAccount({ email_code: mailCode, ...code });
    showToast('done', message);
    await refresh();
    await navigate({ to: '/sign-in' });
  });
  return (
    <Dialog title={t('close.title')} isOpen onClose={onClose}>
      <ActForm onSubmit={close.run}>
        <p className="text-body">{t('close.confirm', { email })}</p>
        <MailCodeField value={mailCode} onValue={setMailCode} />
        {proof.view}
        <SessionRefusal error={close.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button type="submit" look="danger" isBusy={close.isBusy}>
            {t('close.act')}
          </Button>
        </div>
      </ActForm>
    </Dialog>
  );
}
