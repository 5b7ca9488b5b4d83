// Forgotten password: a code by email, then a new password.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  ActForm,
  Card,
  CodeField,
  EmailField,
  PasswordField,
  Refusal,
  useAct,
  withCaptcha,
} from '../../forms/index.ts';
import { Button, Field, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';

export function Screen() {
  const { t } = useLook();
  const [email, setEmail] = useState('');
  const [step, setStep] = useState<'address' | 'password' | 'done'>('address');
  const request = useAct(async () => {
    await withCaptcha(exchange, (captcha) =>
      exchange.requestPasswordReset({ email: email.trim(), version: 'v4', ...captcha }),
    );
    setStep('password');
  });
  if (step === 'password') {
    return (
      <PasswordStep
        email={email.trim()}
        onDone={() => setStep('done')}
        onAgain={() => setStep('address')}
      />
    );
  }
  if (step === 'done') {
    return (
      <Card title={t('reset.doneTitle')} text={t('reset.doneText')} step={step}>
        <Link
          to="/sign-in"
          className="flex min-h-10 items-center justify-center rounded bg-accent px-4 text-value font-semibold text-on-fill"
        >
          {t('signIn.title')}
        </Link>
      </Card>
    );
  }
  return (
    <Card title={t('reset.title')} text={t('reset.text')} step={step}>
      <ActForm onSubmit={request.run}>
        <EmailField value={email} onValue={setEmail} />
        <Button type="submit" look="main" size="large" isBusy={request.isBusy}>
          {t('reset.send')}
        </Button>
        <Refusal error={request.error} />
      </ActForm>
      <Link to="/sign-in" className="text-body text-accent hover:underline">
        {t('signUp.hasAccount')}
      </Link>
    </Card>
  );
}

function PasswordStep({
  email,
  onAgain,
  onDone,
}: {
  email: string;
  onDone(): void;
  onAgain(): void;
}) {
  const { t } = useLook();
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [otpCode, setOtpCode] = useState('');
  const reset = useAct(async () => {
    await exchange.resetPassword({
      code,
      new_password: password,
      ...(otpCode.trim() === '' ? {} : { otp_code: otpCode.trim() }),
    });
    onDone();
  });
  return (
    <Card title={t('reset.newTitle')} text={t('reset.sent', { email })} step="password">
      <ActForm onSubmit={reset.run}>
        <CodeField label={t('people.mailCode')} value={code} onValue={setCode} />
        <PasswordField
          isNew
          label={t('reset.newPassword')}
          value={password}
          onValue={setPassword}
        />
        <Field
          label={t('reset.otp')}
          hint={t('reset.otpHint')}
          dir="ltr"
          autoComplete="one-time-code"
          value={otpCode}
          onChange={({ target }) => setOtpCode(target.value)}
        />
        <Button type="submit" look="main" size="large" isBusy={reset.isBusy}>
          {t('reset.submit')}
        </Button>
        <Refusal error={reset.error} />
      </ActForm>
      <Button look="quiet" onClick={onAgain}>
        {t('people.sendAgain')}
      </Button>
    </Card>
  );
}
