// Adds an authenticator app to an operator's account, shows the recovery codes once, and ends the
// session: the role applies to a sign-in with the second factor.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ActForm,
  Card,
  CodeField,
  CopyButton,
  QrCode,
  RecoveryCodes,
  Refusal,
  useAct,
} from '../../forms/index.ts';
import { Button } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { useLook } from '../use-words.ts';

export function EnrollFactor({ email }: { email: string }) {
  const { t } = useLook();
  const { signOut } = useSession();
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  const secret = useQuery({
    queryKey: ['private', 'otp-secret'],
    queryFn: ({ signal }) => exchange.requestOtp({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const enable = useAct(async () => {
    const { recovery_codes: shown = [] } = await exchange.activateOtp({ code });
    if (shown.length === 0) await signOut();
    else setCodes(shown);
  });
  if (codes !== undefined) {
    return (
      <Card title={t('recovery.title')} text={t('setup.thenSignIn')} step="codes">
        <RecoveryCodes codes={codes} onKept={() => void signOut()} />
      </Card>
    );
  }
  return (
    <Card title={t('console.noFactor')} text={t('console.noFactorText', { email })} step="factor">
      <Refusal error={secret.error} />
      {secret.data === undefined ? (
        secret.error === null && <span className="skeleton mx-auto block size-44" />
      ) : (
        <ActForm onSubmit={enable.run}>
          <p className="text-body text-quiet">{t('otp.scan')}</p>
          <QrCode text={secret.data.uri} label={t('otp.qr')} />
          <div className="flex flex-wrap items-center justify-between gap-2">
            <code
              dir="ltr"
              className="min-w-0 flex-1 break-all rounded bg-raised p-2 text-body select-all"
            >
              {secret.data.secret}
            </code>
            <CopyButton label={t('people.copy')} text={secret.data.secret} />
          </div>
          <CodeField label={t('otp.firstCode')} value={code} onValue={setCode} />
          <Refusal error={enable.error} />
          <Button type="submit" look="main" size="large" isBusy={enable.isBusy}>
            {t('otp.enable')}
          </Button>
        </ActForm>
      )}
      <Button onClick={() => void signOut()}>{t('shell.signOut')}</Button>
    </Card>
  );
}
