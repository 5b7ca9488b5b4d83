// Dialog for an action: its effect, a reason and the operator's second factor if required, and the
// outcome, which is done or pending approval.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ActForm, CodeField, provePasskey, Refusal, useAct } from '../../forms/index.ts';
import { Button, Dialog, Field, showToast } from '../../ui/index.ts';
import { ApprovalNote } from '../approvals/approval-note.tsx';
import type { Needed } from '../approvals/consent.ts';
import { exchange, userQuery } from '../exchange.ts';
import { useLook } from '../use-words.ts';
import { pendingId } from './pending.ts';

export interface ActInput {
  /** Empty unless the dialog asks for it. */
  readonly reason: string;
  /** Empty if the dialog does not ask for it, or a passkey has verified the session. */
  readonly otpCode: string;
}

export interface ActDialogProps {
  readonly title: string;
  readonly submit: string;
  /** Sends the request and returns the response. */
  act(input: ActInput): Promise<unknown>;
  onClose(): void;
  /** Runs after the response; closes the dialog by default. */
  onDone?(): void;
  readonly children?: ReactNode;
  readonly reason?: 'required' | 'optional';
  /** Approvals that the action needs in team mode; the dialog tells what that means now. */
  readonly approvals?: Needed;
  readonly needsFactor?: boolean;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly form?: 'centre' | 'wide';
}

export function ActDialog(props: ActDialogProps) {
  const { children, isDanger = false, needsFactor = false, onClose, submit, title } = props;
  const { t } = useLook();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const factor = useFactor();
  const send = useAct(async () => {
    const otpCode = needsFactor ? await factor.prove() : '';
    const answer = await props.act({ reason: reason.trim(), otpCode });
    const id = pendingId(answer);
    if (id === undefined) showToast('done', t('console.done'), title);
    else showToast('plain', t('console.pending'), t('console.pendingText', { id }));
    // Reload everything that the action might have changed.
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'private' });
    (props.onDone ?? onClose)();
  });
  return (
    <Dialog title={title} isOpen onClose={onClose} form={props.form ?? 'centre'}>
      <ActForm onSubmit={send.run}>
        {children}
        {props.reason !== undefined && (
          <Field
            label={t('console.reason')}
            hint={t('console.reasonHint')}
            required={props.reason === 'required'}
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
        {needsFactor && factor.view}
        {props.approvals !== undefined && <ApprovalNote needed={props.approvals} />}
        <Refusal error={send.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button
            type="submit"
            look={isDanger ? 'danger' : 'main'}
            isBusy={send.isBusy}
            disabled={props.isDisabled === true}
          >
            {submit}
          </Button>
        </div>
      </ActForm>
    </Dialog>
  );
}

/** Operator's second factor: a code from the app, or the session's passkey. */
function useFactor(): { readonly view: ReactNode; prove(): Promise<string> } {
  const { t } = useLook();
  const { data: user } = useQuery(userQuery);
  const [code, setCode] = useState('');
  if (user?.otp_enabled === true) {
    return {
      view: <CodeField label={t('people.appCode')} isAppCode value={code} onValue={setCode} />,
      prove: async () => code,
    };
  }
  return {
    view: <p className="text-body text-quiet">{t('people.passkeyWillAsk')}</p>,
    prove: async () => {
      await provePasskey(exchange);
      return '';
    },
  };
}
