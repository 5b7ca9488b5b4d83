// Sign-up: email address and password, the code from the email, then a passkey.

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import {
  ActForm,
  addPasskey,
  Card,
  EmailField,
  hasPasskeys,
  isCode,
  PasswordField,
  RecoveryCodes,
  Refusal,
  useAct,
  VerifyEmail,
  withCaptcha,
} from '../../forms/index.ts';
import { Button, Field, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { operatorPages } from '../money/bank-fields.ts';
import { kitQuery } from '../money/queries.ts';
import { useSession } from '../session.tsx';

const INVITATION_NEEDED = 2300;

type Step = 'details' | 'verify' | 'passkey' | 'codes';

interface Details {
  readonly email: string;
  readonly password: string;
  readonly referral: string;
  readonly invitation: string;
}

export function Screen() {
  const { t } = useLook();
  const { refresh } = useSession();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { referral?: unknown };
  const [step, setStep] = useState<Step>('details');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [details, setDetails] = useState<Details>({
    email: '',
    password: '',
    referral: typeof search.referral === 'string' ? search.referral : '',
    invitation: '',
  });
  const email = details.email.trim();
  const finish = () => void navigate({ to: '/' });

  const logIn = useAct(async () => {
    await exchange.logIn({ email, password: details.password, version: 'v4' });
    await refresh();
    setStep('passkey');
  });

  if (step === 'details') {
    return (
      <DetailsStep details={details} onDetails={setDetails} onSent={() => setStep('verify')} />
    );
  }
  if (step === 'verify') {
    return (
      <Card title={t('signUp.verifyTitle')} step={step}>
        <VerifyEmail exchange={exchange} email={email} onVerified={logIn.run} />
        <Refusal error={logIn.error} isRepeatable>
          <Link to="/sign-in" className="mt-1 block text-accent hover:underline">
            {t('signIn.title')}
          </Link>
        </Refusal>
      </Card>
    );
  }
  if (step === 'passkey') {
    return (
      <PasskeyStep
        onLater={finish}
        onAdded={(given) => {
          setCodes(given);
          if (given.length === 0) finish();
          else setStep('codes');
        }}
      />
    );
  }
  return (
    <Card title={t('recovery.title')} step={step}>
      <RecoveryCodes codes={codes} onKept={finish} />
    </Card>
  );
}

function DetailsStep({
  details,
  onDetails,
  onSent,
}: {
  details: Details;
  onDetails(details: Details): void;
  onSent(): void;
}) {
  const { t } = useLook();
  const send = useAct(async () => {
    const { email, invitation, password, referral } = details;
    await withCaptcha(exchange, (captcha) =>
      exchange.signUp({
        email: email.trim(),
        password,
        version: 'v4',
        ...(referral.trim() === '' ? {} : { referral: referral.trim() }),
        ...(invitation.trim() === '' ? {} : { invitation: invitation.trim() }),
        ...captcha,
      }),
    );
    onSent();
  });
  const needsInvitation = isCode(send.error, INVITATION_NEEDED) || details.invitation !== '';
  return (
    <Card title={t('signUp.title')} text={t('signUp.text')} step="details">
      <ActForm onSubmit={send.run}>
        <EmailField value={details.email} onValue={(email) => onDetails({ ...details, email })} />
        <PasswordField
          isNew
          label={t('people.password')}
          value={details.password}
          onValue={(password) => onDetails({ ...details, password })}
        />
        {needsInvitation && (
          <Field
            label={t('signUp.invitation')}
            dir="ltr"
            value={details.invitation}
            onChange={({ target }) => onDetails({ ...details, invitation: target.value })}
          />
        )}
        <Field
          label={t('signUp.referral')}
          dir="ltr"
          autoComplete="off"
          value={details.referral}
          onChange={({ target }) => onDetails({ ...details, referral: target.value })}
        />
        <Terms />
        <Button type="submit" look="main" size="large" isBusy={send.isBusy}>
          {t('signUp.submit')}
        </Button>
        <Refusal error={send.error} isRepeatable />
      </ActForm>
      <footer className="border-t border-line pt-4 text-body">
        <Link to="/sign-in" className="text-accent hover:underline">
          {t('signUp.hasAccount')}
        </Link>
      </footer>
    </Card>
  );
}

/** The operator's terms and privacy pages, if there are any. */
function Terms() {
  const { t } = useLook();
  const { data: kit } = useQuery(kitQuery);
  const pages = operatorPages(kit?.links ?? {}).filter(({ page }) => page !== 'support');
  if (pages.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-2 text-body text-quiet">
      {t('signUp.accept')}
      {pages.map(({ link, page }) => (
        <a key={page} href={link} rel="noreferrer" className="text-accent hover:underline">
          {t(`help.${page}`)}
        </a>
      ))}
    </p>
  );
}

function PasskeyStep({
  onAdded,
  onLater,
}: {
  onAdded(recoveryCodes: readonly string[]): void;
  onLater(): void;
}) {
  const { t } = useLook();
  const add = useAct(async () => {
    const { recovery_codes: codes = [] } = await addPasskey(exchange, '', '');
    onAdded(codes);
  });
  return (
    <Card title={t('passkey.addTitle')} text={t('passkey.why')} step="passkey">
      <Button
        look="main"
        size="large"
        onClick={() => add.run()}
        isBusy={add.isBusy}
        disabled={!hasPasskeys()}
      >
        <KeyRound size={16} aria-hidden="true" />
        {t('passkey.add')}
      </Button>
      {!hasPasskeys() && <p className="text-body text-quiet">{t('passkey.unsupported')}</p>}
      <Refusal error={add.error} />
      <Button size="large" look="quiet" onClick={onLater}>
        {t('people.later')}
      </Button>
    </Card>
  );
}
