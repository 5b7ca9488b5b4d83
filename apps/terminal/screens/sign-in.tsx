// Sign in: a passkey first; or the password, and then the code that the exchange asks for.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, Checkbox, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActForm, isCode, Refusal, useAct } from '../people/act.tsx';
import { withCaptcha } from '../people/captcha.ts';
import { Card, OrLine } from '../people/card.tsx';
import { CodeField, EmailField, PasswordField } from '../people/fields.tsx';
import { nextPath } from '../people/next-path.ts';
import { hasPasskeys, signInWithPasskey } from '../people/passkey.ts';
import { VerifyEmail } from '../people/verify-email.tsx';
import { useSession } from '../session.tsx';

const CODES = { unverified: 16, otp: 52, suspicious: 207, passkeyOnly: 2330 } as const;

type Step = 'start' | 'otp' | 'recovery' | 'mail' | 'verify';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly isLong: boolean;
}

export function Screen() {
  const { t } = useLook();
  const { refresh, user } = useSession();
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false }) as { next?: unknown };
  const [step, setStep] = useState<Step>('start');
  const [given, setGiven] = useState<Credentials>({ email: '', password: '', isLong: false });
  const isSignedIn = user !== null && user !== undefined;

  useEffect(() => {
    if (isSignedIn) void navigate({ to: nextPath(next), replace: true });
  }, [isSignedIn, navigate, next]);

  const logIn = useAct(async (code: string) => {
    const { email, isLong, password } = given;
    try {
      await withCaptcha((captcha) =>
        exchange.logIn({
          email: email.trim(),
          password,
          long_term: isLong,
          version: 'v4',
          ...(code === '' ? {} : { otp_code: code }),
          ...captcha,
        }),
      );
    } catch (error) {
      const asked = stepAskedBy(error);
      if (asked === undefined || (asked === step && code !== '')) throw error;
      setStep(asked);
      return;
    }
    await refresh();
  });

  if (step === 'verify') {
    return (
      <Card title={t('signUp.verifyTitle')} step={step}>
        <VerifyEmail email={given.email.trim()} onVerified={() => logIn.run('')} isSent={false} />
        <Refusal error={logIn.error} />
      </Card>
    );
  }
  if (step === 'mail') return <MailStep onConfirmed={() => logIn.run('')} after={logIn.error} />;
  if (step === 'start') {
    return (
      <StartStep
        given={given}
        onGiven={setGiven}
        onPassword={() => logIn.run('')}
        error={logIn.error}
        isBusy={logIn.isBusy}
      />
    );
  }
  return <CodeStep step={step} onCode={logIn.run} isBusy={logIn.isBusy} error={logIn.error} />;
}

function stepAskedBy(error: unknown): Step | undefined {
  if (isCode(error, CODES.otp)) return 'otp';
  if (isCode(error, CODES.passkeyOnly)) return 'recovery';
  if (isCode(error, CODES.suspicious)) return 'mail';
  return isCode(error, CODES.unverified) ? 'verify' : undefined;
}

function StartStep({
  error,
  given,
  isBusy,
  onGiven,
  onPassword,
}: {
  given: Credentials;
  onGiven(given: Credentials): void;
  onPassword(): void;
  isBusy: boolean;
  error: unknown;
}) {
  const { t } = useLook();
  const { refresh } = useSession();
  const passkey = useAct(async () => {
    await signInWithPasskey(given.email.trim(), given.isLong);
    await refresh();
  });
  return (
    <Card title={t('signIn.title')} step="start">
      <ActForm onSubmit={passkey.run}>
        <EmailField value={given.email} onValue={(email) => onGiven({ ...given, email })} />
        <Button
          type="submit"
          look="main"
          size="large"
          isBusy={passkey.isBusy}
          disabled={!hasPasskeys()}
        >
          <KeyRound size={16} aria-hidden="true" />
          {t('signIn.withPasskey')}
        </Button>
        <Refusal error={passkey.error} />
      </ActForm>
      <OrLine>{t('signIn.orPassword')}</OrLine>
      <ActForm onSubmit={onPassword}>
        <PasswordField
          label={t('people.password')}
          value={given.password}
          onValue={(password) => onGiven({ ...given, password })}
        />
        <Button
          type="submit"
          size="large"
          isBusy={isBusy}
          disabled={given.email.trim() === '' || given.password === ''}
        >
          {t('signIn.withPassword')}
        </Button>
        <Refusal error={error} />
      </ActForm>
      <Checkbox
        label={t('signIn.long')}
        isOn={given.isLong}
        onChange={(isLong) => onGiven({ ...given, isLong })}
      />
      <footer className="flex flex-wrap justify-between gap-x-4 gap-y-2 border-t border-line pt-4 text-body">
        <Link to="/sign-up" className="text-accent hover:underline">
          {t('signIn.noAccount')}
        </Link>
        <Link to="/reset-password" className="text-accent hover:underline">
          {t('signIn.forgotten')}
        </Link>
      </footer>
    </Card>
  );
}

/** The second factor: a code of the app, or a recovery code of an account with passkeys only. */
function CodeStep({
  error,
  isBusy,
  onCode,
  step,
}: {
  step: 'otp' | 'recovery';
  onCode(code: string): void;
  isBusy: boolean;
  error: unknown;
}) {
  const { t } = useLook();
  const [code, setCode] = useState('');
  const isOtp = step === 'otp';
  return (
    <Card
      title={t(isOtp ? 'signIn.otpTitle' : 'signIn.passkeyOnlyTitle')}
      text={isOtp ? undefined : t('signIn.passkeyOnlyText')}
      step={step}
    >
      <ActForm onSubmit={() => onCode(code)}>
        <CodeField
          label={t(isOtp ? 'people.appCode' : 'people.recoveryCode')}
          isAppCode={isOtp}
          value={code}
          onValue={setCode}
        />
        <Button type="submit" look="main" size="large" isBusy={isBusy}>
          {t('signIn.title')}
        </Button>
        <Refusal error={error} />
      </ActForm>
      <a href="/sign-in" className="text-body text-accent hover:underline">
        {t('people.startAgain')}
      </a>
    </Card>
  );
}

/** A new device or country: the exchange has mailed a code. */
function MailStep({ after, onConfirmed }: { onConfirmed(): void; after: unknown }) {
  const { t } = useLook();
  const [code, setCode] = useState('');
  const confirm = useAct(async () => {
    await exchange.confirmLogin({ token: code });
    onConfirmed();
  });
  return (
    <Card title={t('signIn.newDeviceTitle')} text={t('signIn.newDeviceText')} step="mail">
      <ActForm onSubmit={confirm.run}>
        <CodeField label={t('people.mailCode')} value={code} onValue={setCode} />
        <Button type="submit" look="main" size="large" isBusy={confirm.isBusy}>
          {t('people.confirm')}
        </Button>
        <Refusal error={confirm.error ?? after} />
      </ActForm>
    </Card>
  );
}
