// Proof that an account change needs: a code from the app, the passkey if the account has nothing
// else, or nothing yet; and for some changes a code from an email.

import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CodeField, provePasskey, Refusal, useAct } from '../../forms/index.ts';
import { Button, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';

export const passkeysQuery = queryOptions({
  queryKey: ['private', 'passkeys'],
  queryFn: async ({ signal }) => (await exchange.getPasskeys({ signal })).data,
});

export interface Proof {
  readonly view: ReactNode;
  /** Returns the `otp_code` to send; empty if the session itself is verified. */
  prove(): Promise<string>;
}

export function useProof(): Proof {
  const { t } = useLook();
  const { user } = useSession();
  const { data: passkeys = [] } = useQuery(passkeysQuery);
  const [code, setCode] = useState('');
  if (user?.otp_enabled === true) {
    return {
      view: <CodeField label={t('people.appCode')} isAppCode value={code} onValue={setCode} />,
      prove: async () => code,
    };
  }
  if (passkeys.length > 0) {
    return {
      view: <p className="text-body text-quiet">{t('people.passkeyWillAsk')}</p>,
      prove: async () => {
        await provePasskey(exchange);
        return '';
      },
    };
  }
  return { view: null, prove: async () => '' };
}

/** Returns `otp_code` as a body field, or nothing if it is empty. */
export function otpField(code: string): { otp_code?: string } {
  return code === '' ? {} : { otp_code: code };
}

/** Code from `GET /v2/user/request-email-confirmation`, with the button that requests it. */
export function MailCodeField({ onValue, value }: { value: string; onValue(code: string): void }) {
  const { t } = useLook();
  const { user } = useSession();
  const [isSent, setSent] = useState(false);
  const send = useAct(async () => {
    await exchange.requestEmailConfirmation();
    setSent(true);
  });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <CodeField label={t('people.mailCode')} value={value} onValue={onValue} />
        </div>
        <Button onClick={() => send.run()} isBusy={send.isBusy}>
          {t(isSent ? 'people.sendAgain' : 'people.sendCode')}
        </Button>
      </div>
      {isSent && (
        <p role="status" className="text-label text-quiet">
          {t('people.codeSentTo', { email: user?.email ?? '' })}
        </p>
      )}
      <Refusal error={send.error} />
    </div>
  );
}
