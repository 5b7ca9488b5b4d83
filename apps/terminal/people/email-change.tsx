// Changes the email address. Codes go to the old and the new address, and both are needed.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActForm, CodeField, Refusal, useAct } from '../../forms/index.ts';
import { Button, Dialog, Field, showToast, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { otpField, useProof } from './proof.tsx';
import { SessionRefusal } from './rows.tsx';

export function ChangeEmail({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Dialog title={t('profile.change_email')} isOpen onClose={onClose}>
      {sentTo === undefined ? (
        <Request onSent={setSentTo} />
      ) : (
        <Confirm email={sentTo} onDone={onClose} />
      )}
    </Dialog>
  );
}

function Request({ onSent }: { onSent(email: string): void }) {
  const { t } = useLook();
  const proof = useProof();
  const [email, setEmail] = useState('');
  const request = useAct(async () => {
    const code = otpField(await proof.prove());
    await exchange.requestEmailChange({ email: email.trim(), ...code });
    onSent(email.trim());
  });
  return (
    <ActForm onSubmit={request.run}>
      <Field
        label={t('profile.newEmail')}
        type="email"
        dir="ltr"
        required
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      {proof.view}
      <p className="text-label text-quiet">{t('profile.emailHolds')}</p>
      <SessionRefusal error={request.error} />
      <Button type="submit" look="main" size="large" isBusy={request.isBusy}>
        {t('profile.sendCodes')}
      </Button>
    </ActForm>
  );
}

function Confirm({ email, onDone }: { email: string; onDone(): void }) {
  const { t } = useLook();
  const { user } = useSession();
  const queries = useQueryClient();
  const [oldCode, setOldCode] = useState('');
  const [newCode, setNewCode] = useState('');
  const confirm = useAct(async () => {
    const { message } = await exchange.confirmEmailChange({ old_code: oldCode, new_code: newCode });
    showToast('done', message);
    onDone();
    await queries.invalidateQueries({ queryKey: ['user'] });
    await queries.invalidateQueries({ queryKey: ['private'] });
  });
  return (
    <ActForm onSubmit={confirm.run}>
      <CodeField
        label={t('profile.codeTo', { email: user?.email ?? '' })}
        value={oldCode}
        onValue={setOldCode}
      />
      <CodeField label={t('profile.codeTo', { email })} value={newCode} onValue={setNewCode} />
      <Refusal error={confirm.error} />
      <Button type="submit" look="main" size="large" isBusy={confirm.isBusy}>
        {t('profile.change_email')}
      </Button>
    </ActForm>
  );
}
