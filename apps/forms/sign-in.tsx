// Sign-in for every app: a passkey first, or the password and then the code that the exchange asks
// for. The app decides what follows and what is shown below the form.

import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { RialtoClient } from '../../client/index.ts';
import { Button, Checkbox, useLook } from '../ui/index.ts';
import { ActForm, isCode, Refusal, useAct } from './act.tsx';
import { withCaptcha } from './captcha.ts';
import { Card, OrLine } from './card.tsx';
import { CodeField, EmailField, PasswordField } from './fields.tsx';
import { hasPasskeys, signInWithPasskey } from './passkey.ts';
import { VerifyEmail } from './verify-email.tsx';

const CODES = { unverified: 16, otp: 52, suspicious: 207, passkeyOnly: 2330 } as const;

type Step = 'start' | 'otp' | 'recovery' | 'mail' | 'verify';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly isLong: boolean;
}

export interface SignInProps {
  readonly exchange: RialtoClient;
  /** Called when the exchange has opened a session. */
  onSignedIn(): Promise<void>;
  /** Content below the first step. */
  readonly footer?: ReactNode;
  /** Introduction above the first step. */
  readonly text?: ReactNode;
  /** Whether to offer a longer session. */
  readonly isLongOffered?: boolean;
}

export function SignIn(props: SignInProps) {
  const { exchange, onSignedIn } = props;
  const { t } = useLook();
  const [step, setStep] = useState<Step>('start');
  const [given, setGiven] = useState<Credentials>({ email: '', password: '', isLong: false });

  const logIn = useAct(async (code: string) => {
    const { email, isLong, password } = given;
    try {
      await withCaptcha(exchange, (captcha) =>
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
    await onSignedIn();
  });

  if (step === 'verify') {
    return (
      <Card title={t('signUp.verifyTitle')} step={step}>
        <VerifyEmail
          exchange={exchange}
          email={given.email.trim()}
          onVerified={() => logIn.run('')}
          isSent={false}
        />
        <Refusal error={logIn.error} isRepeatable />
      </Card>
    );
  }
  if (step === 'mail') {
    return <MailStep exchange={exchange} onConfirmed={() => logIn.run('')} after={logIn.error} />;
  }
  if (step === 'start') {
    return (
      <StartStep
        {...props}
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
  exchange,
  footer,
  given,
  isBusy,
  isLongOffered = true,
  onGiven,
  onPassword,
  onSignedIn,
  text,
}: SignInProps & {
  given: Credentials;
  onGiven(given: Credentials): void;
  onPassword(): void;
  isBusy: boolean;
  error: unknown;
}) {
  const { t } = useLook();
  const passkey = useAct(async () => {
    await signInWithPasskey(exchange, given.email.trim(), given.isLong);
    await onSignedIn();
  });
  return (
    <Card title={t('signIn.title')} text={text} step="start">
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
        <Refusal error={passkey.error} isRepeatable />
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
        <Refusal error={error} isRepeatable />
      </ActForm>
      {isLongOffered && (
        <Checkbox
          label={t('signIn.long')}
          isOn={given.isLong}
          onChange={(isLong) => onGiven({ ...given, isLong })}
        />
      )}
      {footer !== undefined && (
        <footer className="flex flex-wrap justify-between gap-x-4 gap-y-2 border-t border-line pt-4 text-body">
          {footer}
        </footer>
      )}
    </Card>
  );
}

/** Second factor: a code from the app, or a recovery code for a passkey-only account. */
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
        <Refusal error={error} isRepeatable />
      </ActForm>
      <a href="/sign-in" className="text-body text-accent hover:underline">
        {t('people.startAgain')}
      </a>
    </Card>
  );
}

/** New device or country: the exchange has emailed a code. */
function MailStep({
  after,
  exchange,
  onConfirmed,
}: {
  exchange: RialtoClient;
  onConfirmed(): void;
  after: unknown;
}) {
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
        <Refusal error={confirm.error ?? after} isRepeatable />
      </ActForm>
    </Card>
  );
}
