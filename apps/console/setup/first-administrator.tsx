// Creates the first administrator with the one-time token that the admin gateway logs, and signs
// in. The exchange refuses every token once it has an administrator.

import { useState } from 'react';
import { ActForm, Card, EmailField, PasswordField, Refusal, useAct } from '../../forms/index.ts';
import { Button, Field } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useLook } from '../use-words.ts';

export function FirstAdministrator({
  onBack,
  onSignedIn,
}: {
  onBack(): void;
  onSignedIn(): Promise<void>;
}) {
  const { t } = useLook();
  const [token, setToken] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const create = useAct(async () => {
    await exchange.signUpAdministrator({ token: token.trim(), email: email.trim(), password });
    try {
      await exchange.logIn({ email: email.trim(), password, version: 'v4' });
    } catch {
      // The account exists and the token is spent. The sign-in page asks for what is missing.
      onBack();
      return;
    }
    await onSignedIn();
  });
  return (
    <Card title={t('setup.first')} text={t('setup.firstText')} step="first">
      <ActForm onSubmit={create.run}>
        <Field
          label={t('setup.token')}
          hint={t('setup.tokenHint')}
          required
          dir="ltr"
          autoComplete="off"
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
        <EmailField value={email} onValue={setEmail} />
        <PasswordField label={t('setup.password')} value={password} onValue={setPassword} />
        <Refusal error={create.error} />
        <Button type="submit" look="main" size="large" isBusy={create.isBusy}>
          {t('setup.create')}
        </Button>
        <Button onClick={onBack}>{t('setup.back')}</Button>
      </ActForm>
    </Card>
  );
}
