// Shared accounts: guests who read and trade in this account, and accounts in which the user is a
// guest. A guest can never withdraw or change the account's security settings.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { SharedAccount } from '../../../client/index.ts';
import { ActForm, Chip, Refusal, useAct } from '../../forms/index.ts';
import {
  Button,
  type Column,
  Dialog,
  Field,
  Panel,
  stateOfList,
  useLook,
  WideTable,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActingToken } from './acting-token.tsx';
import { MailCodeField, useProof } from './proof.tsx';
import { SessionRefusal } from './rows.tsx';

const GUESTS_KEY = ['private', 'guests'];
const ACCESS_KEY = ['private', 'access'];

export function GuestsPanel() {
  const { t } = useLook();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'invite' | SharedAccount>();
  const query = useQuery({
    queryKey: GUESTS_KEY,
    queryFn: async ({ signal }) => (await exchange.getSharedAccounts({}, { signal })).data,
  });
  const act = useAct(async ({ call, id }: { call: 'pause' | 'remove'; id: number }) => {
    const name = { sharedaccount_id: id };
    await (call === 'pause'
      ? exchange.pauseSharedAccount(name)
      : exchange.removeSharedAccount(name));
    await queries.invalidateQueries({ queryKey: GUESTS_KEY });
  });
  const button = (guest: SharedAccount, text: string, onClick: () => void) => (
    <Button
      size="small"
      aria-label={`${text}: ${guest.email}`}
      isBusy={act.isBusy}
      onClick={onClick}
    >
      {text}
    </Button>
  );
  const acts = (guest: SharedAccount) => (
    <span className="inline-flex gap-1">
      {guest.active
        ? button(guest, t('shared.pause'), () => act.run({ call: 'pause', id: guest.id }))
        : button(guest, t('shared.resume'), () => setAsked(guest))}
      {button(guest, t('people.remove'), () => act.run({ call: 'remove', id: guest.id }))}
    </span>
  );
  const close = () => setAsked(undefined);
  return (
    <>
      <Panel
        title={t('shared.title')}
        state={stateOfList(query, t('shared.none'))}
        onRetry={() => void query.refetch()}
        after={
          <Button size="small" look="quiet" onClick={() => setAsked('invite')}>
            <UserPlus size={14} aria-hidden="true" />
            {t('shared.invite')}
          </Button>
        }
      >
        <Refusal error={act.error} />
        <SharedTable caption={t('shared.title')} rows={query.data ?? []} acts={acts} />
      </Panel>
      {asked === 'invite' && <ProvenShare onClose={close} />}
      {typeof asked === 'object' && <ProvenShare guest={asked} onClose={close} />}
    </>
  );
}

/** Other users' accounts that this user can enter. */
export function AccessPanel() {
  const { t } = useLook();
  const queries = useQueryClient();
  const [entered, setEntered] = useState<{ name: string; token: string }>();
  const query = useQuery({
    queryKey: ACCESS_KEY,
    queryFn: async ({ signal }) => (await exchange.getAccessibleAccounts({}, { signal })).data,
  });
  const enter = useAct(async ({ email, id }: SharedAccount) => {
    const { token } = await exchange.enterSharedAccount({ sharedaccount_id: id });
    setEntered({ name: email, token });
  });
  const leave = useAct(async (id: number) => {
    await exchange.removeSharedAccount({ sharedaccount_id: id });
    await queries.invalidateQueries({ queryKey: ACCESS_KEY });
  });
  const acts = (account: SharedAccount) => (
    <span className="inline-flex gap-1">
      <Button
        size="small"
        disabled={!account.active}
        aria-label={`${t('acting.act')}: ${account.email}`}
        isBusy={enter.isBusy}
        onClick={() => enter.run(account)}
      >
        {t('acting.act')}
      </Button>
      <Button
        size="small"
        aria-label={`${t('shared.leave')}: ${account.email}`}
        isBusy={leave.isBusy}
        onClick={() => leave.run(account.id)}
      >
        {t('shared.leave')}
      </Button>
    </span>
  );
  return (
    <>
      <Panel
        title={t('shared.access')}
        state={stateOfList(query, t('shared.noAccess'))}
        onRetry={() => void query.refetch()}
      >
        <Refusal error={enter.error ?? leave.error} />
        <SharedTable caption={t('shared.access')} rows={query.data ?? []} acts={acts} />
      </Panel>
      <ActingToken
        name={entered?.name ?? ''}
        token={entered?.token}
        onClose={() => setEntered(undefined)}
      />
    </>
  );
}

function SharedTable({
  acts,
  caption,
  rows,
}: {
  caption: string;
  rows: readonly SharedAccount[];
  acts(row: SharedAccount): React.ReactNode;
}) {
  const { t, time } = useLook();
  const columns: readonly Column<SharedAccount>[] = [
    {
      key: 'email',
      label: t('people.email'),
      cell: ({ active, email }) => (
        <span className="inline-flex items-center gap-2">
          <bdi dir="ltr">{email}</bdi>
          {!active && <Chip color="text-warn">{t('shared.paused')}</Chip>}
        </span>
      ),
    },
    {
      key: 'label',
      label: t('people.name'),
      isExtra: true,
      cell: ({ label }) => <bdi>{label}</bdi>,
    },
    {
      key: 'since',
      label: t('sessions.since'),
      isExtra: true,
      cell: ({ created_at }) => time(created_at, 'short'),
    },
    {
      key: 'acts',
      label: <span className="sr-only">{t('people.change')}</span>,
      isNumber: true,
      cell: acts,
    },
  ];
  return (
    <WideTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => String(id)} />
  );
}

/** Invites a guest or reactivates a paused one. Both need the second factor and an email code. */
function ProvenShare({ guest, onClose }: { guest?: SharedAccount; onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const proof = useProof();
  const [email, setEmail] = useState('');
  const [label, setLabel] = useState('');
  const [mailCode, setMailCode] = useState('');
  const share = useAct(async () => {
    const proofs = { otp_code: await proof.prove(), email_code: mailCode };
    if (guest === undefined) {
      const name = label.trim() === '' ? {} : { label: label.trim() };
      await exchange.shareAccount({ email: email.trim(), ...name, ...proofs });
    } else {
      await exchange.resumeSharedAccount({ sharedaccount_id: guest.id, ...proofs });
    }
    await queries.invalidateQueries({ queryKey: GUESTS_KEY });
    onClose();
  });
  const title = guest === undefined ? t('shared.invite') : `${t('shared.resume')}: ${guest.email}`;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <ActForm onSubmit={share.run}>
        <p className="text-body text-quiet">{t('shared.may')}</p>
        {guest === undefined && (
          <>
            <Field
              label={t('shared.guest')}
              type="email"
              dir="ltr"
              required
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
            <Field
              label={t('people.name')}
              maxLength={64}
              value={label}
              onChange={({ target }) => setLabel(target.value)}
            />
          </>
        )}
        <MailCodeField value={mailCode} onValue={setMailCode} />
        {proof.view}
        <SessionRefusal error={share.error} />
        <Button type="submit" look="main" size="large" isBusy={share.isBusy}>
          {t(guest === undefined ? 'shared.invite' : 'shared.resume')}
        </Button>
      </ActForm>
    </Dialog>
  );
}
