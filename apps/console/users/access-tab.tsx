// Sessions and logins of a user. API keys appear in the timeline.

import { useState } from 'react';
import type { LoginOfUser, UserSession } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import { Button, type Column } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { Named } from '../parts/named.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

export function AccessTab({ user }: { user: number }) {
  const { may } = useOperator();
  return (
    <div className="flex flex-col gap-1">
      {may('readSessions') && <Sessions user={user} />}
      {may('readLogins') && <Logins user={user} />}
    </div>
  );
}

function Sessions({ user }: { user: number }) {
  const { t, time } = useLook();
  const { id: own, may } = useOperator();
  const [ended, setEnded] = useState<UserSession>();
  const columns: Column<UserSession>[] = [
    {
      key: 'state',
      label: t('users.state'),
      cell: ({ status }) => (
        <Chip color={status ? 'text-up' : 'text-quiet'}>
          {t(status ? 'users.valid' : 'users.ended')}
        </Chip>
      ),
    },
    { key: 'since', label: t('users.since'), cell: ({ created_at: at }) => time(at, 'short') },
    {
      key: 'seen',
      label: t('people.lastUsed'),
      cell: ({ last_seen: at }) => (at === null ? '–' : time(at, 'short')),
    },
    { key: 'ip', label: t('users.ip'), cell: ({ login }) => <bdi dir="ltr">{login.ip}</bdi> },
    { key: 'country', label: t('users.country'), cell: ({ login }) => login.country || '–' },
    {
      key: 'device',
      label: t('users.device'),
      isExtra: true,
      cell: ({ login }) => <Device text={login.device} />,
    },
    ...(may('endSession') && user !== own
      ? [
          {
            key: 'act',
            label: <span className="sr-only">{t('users.acts')}</span>,
            cell: (session: UserSession) =>
              session.status && (
                <Button size="small" look="danger" onClick={() => setEnded(session)}>
                  {t('users.endSession')}
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <>
      <PagedPanel
        title={t('users.sessions')}
        queryKey={['sessions of', user]}
        load={(page, signal) => exchange.getSessionsOfUsers({ user_id: user, ...page }, { signal })}
        columns={columns}
        keyOf={({ id }) => String(id)}
        emptyText={t('users.noSessions')}
      />
      {ended !== undefined && (
        <ActDialog
          title={t('users.endSession')}
          submit={t('users.endSession')}
          isDanger
          act={() => exchange.revokeSessionOfUser({ session_id: ended.id })}
          onClose={() => setEnded(undefined)}
        >
          <p className="text-value">
            {t('users.endSessionText', {
              time: time(ended.created_at, 'full'),
              ip: ended.login.ip,
              user,
            })}
          </p>
        </ActDialog>
      )}
    </>
  );
}

function Device({ text }: { text: string }) {
  return (
    <bdi dir="ltr" className="block max-w-64 truncate" title={text}>
      {text || '–'}
    </bdi>
  );
}

function Logins({ user }: { user: number }) {
  const { t, time } = useLook();
  const columns: Column<LoginOfUser>[] = [
    { key: 'at', label: t('overview.when'), cell: ({ timestamp }) => time(timestamp, 'full') },
    {
      key: 'outcome',
      label: t('users.outcome'),
      cell: ({ outcome, status }) => (
        <Chip color={status ? 'text-up' : 'text-down'}>
          <Named area="event.login" name={outcome} />
        </Chip>
      ),
    },
    { key: 'ip', label: t('users.ip'), cell: ({ ip }) => <bdi dir="ltr">{ip}</bdi> },
    { key: 'country', label: t('users.country'), cell: ({ country }) => country || '–' },
    {
      key: 'device',
      label: t('users.device'),
      isExtra: true,
      cell: ({ device }) => <Device text={device} />,
    },
  ];
  return (
    <PagedPanel
      title={t('users.logins')}
      queryKey={['logins of', user]}
      load={(page, signal) => exchange.getLoginsOfUsers({ user_id: user, ...page }, { signal })}
      columns={columns}
      keyOf={({ id }) => String(id)}
      emptyText={t('users.noLogins')}
    />
  );
}
