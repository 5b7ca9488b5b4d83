// The account's passkeys, authenticator app and recovery codes.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, ShieldCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { OtpSecret, Passkey } from '../../../client/index.ts';
import {
  ActForm,
  addPasskey,
  Chip,
  CodeField,
  CopyButton,
  hasPasskeys,
  Line,
  QrCode,
  RecoveryCodes,
  useAct,
} from '../../forms/index.ts';
import {
  Button,
  type Column,
  Dialog,
  Field,
  Panel,
  READY,
  showToast,
  stateOfError,
  stateOfList,
  Table,
  useLook,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { otpField, passkeysQuery, useProof } from './proof.tsx';
import { ProofDialog, SessionRefusal } from './rows.tsx';

const LEFT_KEY = ['private', 'recovery-codes'];

/** Reloads the user, the passkeys and the recovery codes after a change. */
function useFactorsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['user'] }),
      queries.invalidateQueries({ queryKey: ['private'] }),
    ]);
  };
}

export function PasskeysPanel() {
  const { t } = useLook();
  const query = useQuery(passkeysQuery);
  const [dialog, setDialog] = useState<'add' | Passkey>();
  const add = (
    <Button size="small" look="quiet" onClick={() => setDialog('add')} disabled={!hasPasskeys()}>
      <KeyRound size={14} aria-hidden="true" />
      {t('passkey.add')}
    </Button>
  );
  return (
    <>
      <Panel
        title={t('passkey.title')}
        state={stateOfList(query, t('passkey.why'))}
        onRetry={() => void query.refetch()}
        after={add}
        skeletonRows={3}
      >
        <PasskeyTable passkeys={query.data ?? []} onRemove={setDialog} />
      </Panel>
      {dialog === 'add' && <AddPasskey onClose={() => setDialog(undefined)} />}
      {dialog !== undefined && dialog !== 'add' && (
        <RemovePasskey passkey={dialog} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

function PasskeyTable({
  onRemove,
  passkeys,
}: {
  passkeys: readonly Passkey[];
  onRemove(passkey: Passkey): void;
}) {
  const { t, time } = useLook();
  const columns: readonly Column<Passkey>[] = [
    { key: 'name', label: t('people.name'), cell: ({ name }) => name },
    {
      key: 'backup',
      label: t('passkey.kept'),
      isExtra: true,
      cell: ({ backed_up }) => t(backed_up ? 'passkey.synchronised' : 'passkey.onDevice'),
    },
    {
      key: 'created',
      label: t('people.added'),
      isExtra: true,
      cell: ({ created_at }) => time(created_at, 'short'),
    },
    {
      key: 'used',
      label: t('people.lastUsed'),
      cell: ({ last_used_at }) => (last_used_at === null ? '–' : time(last_used_at, 'short')),
    },
    {
      key: 'remove',
      label: <span className="sr-only">{t('people.remove')}</span>,
      isNumber: true,
      cell: (passkey) => (
        <Button
          size="icon"
          look="quiet"
          aria-label={t('passkey.remove', { name: passkey.name })}
          onClick={() => onRemove(passkey)}
        >
          <Trash2 size={14} aria-hidden="true" />
        </Button>
      ),
    },
  ];
  return (
    <Table
      caption={t('passkey.title')}
      columns={columns}
      rows={passkeys}
      keyOf={({ id }) => String(id)}
    />
  );
}

function AddPasskey({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const proof = useProof();
  const changed = useFactorsChanged();
  const [name, setName] = useState('');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const add = useAct(async () => {
    const { recovery_codes: shown = [] } = await addPasskey(exchange, name, await proof.prove());
    showToast('done', t('passkey.added'));
    if (shown.length === 0) onClose();
    else setCodes(shown);
    await changed();
  });
  return (
    <Dialog title={t(codes.length > 0 ? 'recovery.title' : 'passkey.add')} isOpen onClose={onClose}>
      {codes.length > 0 ? (
        <RecoveryCodes codes={codes} onKept={onClose} />
      ) : (
        <ActForm onSubmit={add.run}>
          <p className="text-body text-quiet">{t('passkey.why')}</p>
          <Field
            label={t('people.name')}
            hint={t('passkey.nameHint')}
            maxLength={64}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          {proof.view}
          <SessionRefusal error={add.error} />
          <Button type="submit" look="main" size="large" isBusy={add.isBusy}>
            {t('passkey.add')}
          </Button>
        </ActForm>
      )}
    </Dialog>
  );
}

function RemovePasskey({ onClose, passkey }: { passkey: Passkey; onClose(): void }) {
  const { t } = useLook();
  const changed = useFactorsChanged();
  const remove = async (code: string) => {
    await exchange.deletePasskey({ id: passkey.id, ...otpField(code) });
    onClose();
    await changed();
  };
  return (
    <ProofDialog
      title={t('passkey.remove', { name: passkey.name })}
      submit={t('people.remove')}
      act={remove}
      onClose={onClose}
      isDanger
    >
      <p className="text-body">{t('people.factorHolds')}</p>
    </ProofDialog>
  );
}

export function AuthenticatorPanel() {
  const { t } = useLook();
  const { user } = useSession();
  const changed = useFactorsChanged();
  const [dialog, setDialog] = useState<'enable' | 'disable'>();
  const isOn = user?.otp_enabled === true;
  const close = () => setDialog(undefined);
  const disable = async (code: string) => {
    await exchange.deactivateOtp({ code });
    close();
    await changed();
  };
  return (
    <Panel
      title={t('otp.title')}
      state={READY}
      after={
        isOn ? (
          <Chip color="text-up">{t('people.on')}</Chip>
        ) : (
          <Chip color="text-warn">{t('people.off')}</Chip>
        )
      }
    >
      <Line
        act={
          <Button
            look={isOn ? 'danger' : 'plain'}
            onClick={() => setDialog(isOn ? 'disable' : 'enable')}
          >
            {t(isOn ? 'otp.disable' : 'otp.enable')}
          </Button>
        }
      >
        {t(isOn ? 'otp.isOn' : 'otp.isOff')}
      </Line>
      {dialog === 'enable' && <EnableOtp onClose={close} />}
      {dialog === 'disable' && (
        <ProofDialog
          title={t('otp.disable')}
          submit={t('otp.disable')}
          act={disable}
          onClose={close}
          isDanger
        >
          <p className="text-body">{t('people.factorHolds')}</p>
        </ProofDialog>
      )}
    </Panel>
  );
}

function EnableOtp({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const query = useQuery({
    queryKey: ['private', 'otp-secret'],
    queryFn: ({ signal }) => exchange.requestOtp({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Dialog title={t(codes.length > 0 ? 'recovery.title' : 'otp.enable')} isOpen onClose={onClose}>
      {codes.length > 0 ? (
        <RecoveryCodes codes={codes} onKept={onClose} />
      ) : (
        <>
          <SessionRefusal error={query.error} onConfirmed={() => void query.refetch()} />
          {query.data === undefined ? (
            query.error === null && <span className="skeleton mx-auto block size-44" />
          ) : (
            <ScanForm secret={query.data} onEnabled={setCodes} onClose={onClose} />
          )}
        </>
      )}
    </Dialog>
  );
}

function ScanForm({
  onClose,
  onEnabled,
  secret,
}: {
  secret: OtpSecret;
  onEnabled(recoveryCodes: readonly string[]): void;
  onClose(): void;
}) {
  const { t } = useLook();
  const { user } = useSession();
  const queries = useQueryClient();
  const proof = useProof();
  const [code, setCode] = useState('');
  const enable = useAct(async () => {
    const proven = user?.otp_enabled === true ? '' : await proof.prove();
    const { recovery_codes: shown = [] } = await exchange.activateOtp({
      code,
      ...otpField(proven),
    });
    showToast('done', t('otp.enabled'));
    if (shown.length === 0) onClose();
    else onEnabled(shown);
    await queries.invalidateQueries({ queryKey: ['user'] });
    await queries.invalidateQueries({ queryKey: LEFT_KEY });
  });
  return (
    <ActForm onSubmit={enable.run}>
      <p className="text-body text-quiet">{t('otp.scan')}</p>
      <QrCode text={secret.uri} label={t('otp.qr')} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <code
          dir="ltr"
          className="min-w-0 flex-1 break-all rounded bg-raised p-2 text-body select-all"
        >
          {secret.secret}
        </code>
        <CopyButton label={t('people.copy')} text={secret.secret} />
      </div>
      {user?.otp_enabled !== true && proof.view}
      <CodeField label={t('otp.firstCode')} value={code} onValue={setCode} />
      <SessionRefusal error={enable.error} />
      <Button type="submit" look="main" size="large" isBusy={enable.isBusy}>
        {t('otp.enable')}
      </Button>
    </ActForm>
  );
}

/** Shown once the account has a second factor. */
export function RecoveryPanel() {
  const { t } = useLook();
  const { user } = useSession();
  const passkeys = useQuery(passkeysQuery);
  const [isOpen, setOpen] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const hasFactor = user?.otp_enabled === true || (passkeys.data?.length ?? 0) > 0;
  const left = useQuery({
    queryKey: LEFT_KEY,
    queryFn: ({ signal }) => exchange.getRecoveryCodes({ signal }),
    enabled: hasFactor,
  });
  const queries = useQueryClient();
  const renew = async (code: string) => {
    const { recovery_codes: shown } = await exchange.renewRecoveryCodes(otpField(code));
    setOpen(false);
    setCodes(shown);
    await queries.invalidateQueries({ queryKey: LEFT_KEY });
  };
  const close = () => setCodes([]);
  return (
    <Panel
      title={t('recovery.title')}
      dialogs={
        <>
          {isOpen && (
            <ProofDialog
              title={t('recovery.renew')}
              submit={t('recovery.renew')}
              act={renew}
              onClose={() => setOpen(false)}
            >
              <p className="text-body">{t('recovery.renewText')}</p>
            </ProofDialog>
          )}
          <Dialog title={t('recovery.title')} isOpen={codes.length > 0} onClose={close}>
            <RecoveryCodes codes={codes} onKept={close} />
          </Dialog>
        </>
      }
      state={left.error === null ? READY : stateOfError(left.error)}
      onRetry={() => void left.refetch()}
    >
      <Line act={hasFactor && <Button onClick={() => setOpen(true)}>{t('recovery.renew')}</Button>}>
        <ShieldCheck size={14} aria-hidden="true" className="me-1.5 inline" />
        {hasFactor ? t('recovery.left', { left: left.data?.left ?? '–' }) : t('recovery.none')}
      </Line>
    </Panel>
  );
}
