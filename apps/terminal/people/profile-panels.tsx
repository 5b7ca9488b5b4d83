// The account itself: its name, its password, its anti-phishing word, and freezing it.

import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '../../../client/index.ts';
import {
  ActForm,
  Chip,
  CodeField,
  type Fact,
  Facts,
  Line,
  PasswordField,
  Refusal,
  useAct,
} from '../../forms/index.ts';
import { Button, Dialog, Field, Panel, READY, showToast, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { ChangeEmail } from './email-change.tsx';
import { otpField, useProof } from './proof.tsx';
import { SessionRefusal } from './rows.tsx';

type Change = 'email' | 'password' | 'username' | 'word';

export function ProfilePanel({ user }: { user: User }) {
  const { t, time } = useLook();
  const [dialog, setDialog] = useState<Change>();
  const close = () => setDialog(undefined);
  const change = (what: Change) => (
    <Button
      size="small"
      onClick={() => setDialog(what)}
      aria-label={`${t('people.change')}: ${t(`profile.change_${what}`)}`}
    >
      {t('people.change')}
    </Button>
  );
  const word = wordOf(user);
  const facts: readonly Fact[] = [
    {
      label: t('people.email'),
      value: <bdi dir="ltr">{user.email}</bdi>,
      act: change('email'),
    },
    {
      label: t('profile.username'),
      value: user.username === null ? '–' : <bdi dir="ltr">{user.username}</bdi>,
      act: change('username'),
    },
    { label: t('profile.id'), value: <bdi dir="ltr">{user.id}</bdi> },
    { label: t('profile.level'), value: user.verification_level },
    { label: t('profile.since'), value: time(user.created_at, 'full') },
    {
      label: t('profile.withdrawals'),
      value:
        user.withdrawal_blocked === null ? (
          <Chip color="text-up">{t('profile.free')}</Chip>
        ) : (
          <Chip color="text-warn">
            {t('profile.heldUntil', { time: time(user.withdrawal_blocked, 'full') })}
          </Chip>
        ),
    },
    { label: t('people.password'), value: '••••••••', act: change('password') },
    {
      label: t('profile.word'),
      value: word === '' ? t('profile.noWord') : word,
      act: change('word'),
    },
  ];
  return (
    <Panel title={t('profile.title')} state={READY}>
      <Facts facts={facts} />
      {dialog === 'email' && <ChangeEmail onClose={close} />}
      {dialog === 'password' && <ChangePassword onClose={close} />}
      {dialog === 'username' && <ChooseUsername user={user} onClose={close} />}
      {dialog === 'word' && <ChooseWord word={word} onClose={close} />}
    </Panel>
  );
}

function wordOf({ settings }: User): string {
  const mail = settings.mail as { anti_phishing?: unknown } | undefined;
  return typeof mail?.anti_phishing === 'string' ? mail.anti_phishing : '';
}

function ChangePassword({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const proof = useProof();
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const [isSent, setSent] = useState(false);
  const [code, setCode] = useState('');
  const request = useAct(async () => {
    const proven = await proof.prove();
    const body = { old_password: old, new_password: password, version: 'v4' } as const;
    await exchange.changePassword({ ...body, ...otpField(proven) });
    setSent(true);
  });
  const confirm = useAct(async () => {
    const { message } = await exchange.confirmPasswordChange({ code });
    showToast('done', message);
    onClose();
    // The change puts withdrawals on hold.
    await queries.invalidateQueries({ queryKey: ['user'] });
  });
  return (
    <Dialog title={t('profile.change_password')} isOpen onClose={onClose}>
      {isSent ? (
        <ActForm onSubmit={confirm.run}>
          <p className="text-body text-quiet">{t('profile.passwordSent')}</p>
          <CodeField label={t('people.mailCode')} value={code} onValue={setCode} />
          <Refusal error={confirm.error} />
          <Button type="submit" look="main" size="large" isBusy={confirm.isBusy}>
            {t('profile.change_password')}
          </Button>
        </ActForm>
      ) : (
        <ActForm onSubmit={request.run}>
          <PasswordField label={t('profile.oldPassword')} value={old} onValue={setOld} />
          <PasswordField
            isNew
            label={t('reset.newPassword')}
            value={password}
            onValue={setPassword}
          />
          {proof.view}
          <p className="text-label text-quiet">{t('profile.passwordHolds')}</p>
          <SessionRefusal error={request.error} />
          <Button type="submit" look="main" size="large" isBusy={request.isBusy}>
            {t('people.sendCode')}
          </Button>
        </ActForm>
      )}
    </Dialog>
  );
}

function ChooseUsername({ onClose, user }: { user: User; onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const [username, setUsername] = useState(user.username ?? '');
  const save = useAct(async () => {
    await exchange.chooseUsername({ username });
    await queries.invalidateQueries({ queryKey: ['user'] });
    onClose();
  });
  return (
    <Dialog title={t('profile.change_username')} isOpen onClose={onClose}>
      <ActForm onSubmit={save.run}>
        <Field
          label={t('profile.username')}
          hint={t('profile.usernameHint')}
          dir="ltr"
          required
          pattern="[a-z0-9_]{3,15}"
          value={username}
          onChange={({ target }) => setUsername(target.value.toLowerCase())}
        />
        <Refusal error={save.error} />
        <Button type="submit" look="main" size="large" isBusy={save.isBusy}>
          {t('shell.save')}
        </Button>
      </ActForm>
    </Dialog>
  );
}

function ChooseWord({ onClose, word: before }: { word: string; onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const [word, setWord] = useState(before);
  const save = useAct(async () => {
    await exchange.changeSettings({ mail: { anti_phishing: word.trim() } });
    await queries.invalidateQueries({ queryKey: ['user'] });
    onClose();
  });
  return (
    <Dialog title={t('profile.change_word')} isOpen onClose={onClose}>
      <ActForm onSubmit={save.run}>
        <Field
          label={t('profile.word')}
          hint={t('profile.wordHint')}
          maxLength={32}
          value={word}
          onChange={({ target }) => setWord(target.value)}
        />
        <Refusal error={save.error} />
        <Button type="submit" look="main" size="large" isBusy={save.isBusy}>
          {t('shell.save')}
        </Button>
      </ActForm>
    </Dialog>
  );
}

export function FreezePanel({ user }: { user: User }) {
  const { t } = useLook();
  const { refresh } = useSession();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const freeze = useAct(async () => {
    await exchange.deactivateUserByPost();
    await refresh();
    await navigate({ to: '/sign-in' });
  });
  return (
    <Panel title={t('freeze.title')} state={READY}>
      <Line
        act={
          <Button look="danger" onClick={() => setOpen(true)}>
            {t('freeze.act')}
          </Button>
        }
      >
        {t('freeze.text')}
      </Line>
      <Dialog title={t('freeze.title')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ActForm onSubmit={freeze.run}>
          <p className="text-body">{t('freeze.confirm', { email: user.email })}</p>
          <Refusal error={freeze.error} />
          <div className="flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>{t('shell.cancel')}</Button>
            <Button type="submit" look="danger" isBusy={freeze.isBusy}>
              {t('freeze.act')}
            </Button>
          </div>
        </ActForm>
      </Dialog>
    </Panel>
  );
}
