// Asks for the code emailed to a new address, and sends another one on request.

import { useState } from 'react';
import type { RialtoClient } from '../../client/index.ts';
import { Button, showToast, useLook } from '../ui/index.ts';
import { ActForm, Refusal, useAct } from './act.tsx';
import { withCaptcha } from './captcha.ts';
import { CodeField } from './fields.tsx';

export function VerifyEmail({
  email,
  exchange,
  isSent = true,
  onVerified,
}: {
  exchange: RialtoClient;
  email: string;
  onVerified(): void;
  /** Whether a code has already been sent. */
  isSent?: boolean;
}) {
  const { t } = useLook();
  const [code, setCode] = useState('');
  const verify = useAct(async () => {
    await exchange.verifyEmail({ email, verification_code: code });
    onVerified();
  });
  const resend = useAct(async () => {
    const { message } = await withCaptcha(exchange, (captcha) =>
      exchange.resendVerification({ email, version: 'v4', ...captcha }),
    );
    showToast('plain', message);
  });
  return (
    <ActForm onSubmit={verify.run}>
      <p className="text-body text-quiet">
        {t(isSent ? 'signUp.codeSent' : 'signUp.needsCode', { email })}
      </p>
      <CodeField label={t('people.mailCode')} value={code} onValue={setCode} />
      <Button type="submit" look="main" size="large" isBusy={verify.isBusy}>
        {t('people.confirm')}
      </Button>
      <Refusal error={verify.error ?? resend.error} isRepeatable />
      <Button look="quiet" onClick={() => resend.run()} isBusy={resend.isBusy}>
        {t('people.sendAgain')}
      </Button>
    </ActForm>
  );
}
