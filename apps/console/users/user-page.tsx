// User page: header, tabs that the role can read, and the available actions.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OperatorUser } from '../../../client/index.ts';
import { Button, type Tab, Tabs } from '../../ui/index.ts';
import { useParameters } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { AccessTab } from './access-tab.tsx';
import { Marks } from './marks.tsx';
import { BalancesTab, OrdersTab, TransfersTab } from './money-tabs.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { TimelineTab } from './timeline-tab.tsx';
import { UserActDialog } from './user-act-dialog.tsx';
import { actsOn, type UserActName } from './user-view.ts';

type TabName = 'timeline' | 'balances' | 'orders' | 'transfers' | 'access' | 'profile';

export function UserPage({ user }: { user: OperatorUser }) {
  const { t } = useLook();
  const [{ tab: asked }, change] = useParameters();
  const tabs = useTabs(user);
  const tab = tabs.find(({ value }) => value === asked)?.value ?? tabs[0].value;
  return (
    <div className="flex flex-col gap-1">
      <Header user={user} />
      <div className="grid gap-1 lg:grid-cols-[1fr_15rem]">
        <div className="min-w-0 rounded bg-panel">
          <Tabs
            label={t('console.userNumber', { id: user.id })}
            tabs={tabs}
            value={tab}
            onValue={(next) => change({ tab: next })}
          />
        </div>
        <ActsOfUser user={user} />
      </div>
    </div>
  );
}

function useTabs(user: OperatorUser): Tab<TabName>[] {
  const { t } = useLook();
  const { may } = useOperator();
  const { id } = user;
  const all: (Tab<TabName> & { isShown: boolean })[] = [
    {
      value: 'timeline',
      label: t('users.timeline'),
      isShown: may('readTimeline'),
      content: <TimelineTab user={id} />,
    },
    {
      value: 'balances',
      label: t('users.balances'),
      isShown: may('readBalances'),
      content: <BalancesTab user={id} />,
    },
    {
      value: 'orders',
      label: t('users.orders'),
      isShown: may('readOrders'),
      content: <OrdersTab user={id} />,
    },
    {
      value: 'transfers',
      label: t('users.transfers'),
      isShown: may('readDeposits') || may('readWithdrawals'),
      content: <TransfersTab user={id} />,
    },
    {
      value: 'access',
      label: t('users.access'),
      isShown: may('readSessions') || may('readLogins'),
      content: <AccessTab user={id} />,
    },
    {
      value: 'profile',
      label: t('users.profile'),
      isShown: true,
      content: <ProfileTab user={user} />,
    },
  ];
  return all.filter(({ isShown }) => isShown);
}

function Header({ user }: { user: OperatorUser }) {
  const { t, time } = useLook();
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded bg-panel px-3 py-2">
      <h1 className="text-title font-semibold">{t('console.userNumber', { id: user.id })}</h1>
      <bdi dir="ltr" className="text-value">
        {user.email}
      </bdi>
      {user.full_name !== '' && <bdi className="text-value text-quiet">{user.full_name}</bdi>}
      <span className="text-body text-quiet">
        {t('users.tierIs', { tier: user.verification_level })}
      </span>
      {user.discount !== '0' && (
        <span className="text-body text-quiet">
          {t('users.discountIs', { percent: user.discount })}
        </span>
      )}
      <span className="text-body text-quiet">
        {t('users.sinceDate', { time: time(user.created_at, 'short') })}
      </span>
      <Marks user={user} />
      <Link to="/people" className="ms-auto text-body text-accent hover:underline">
        {t('users.allUsers')}
      </Link>
    </header>
  );
}

function ActsOfUser({ user }: { user: OperatorUser }) {
  const { t } = useLook();
  const operator = useOperator();
  const [open, setOpen] = useState<UserActName>();
  const acts = actsOn(user, operator, Date.now());
  const chosen = acts.find(({ name }) => name === open);
  return (
    <section aria-label={t('users.acts')} className="flex flex-col gap-1 rounded bg-panel p-2">
      <h2 className="text-body font-semibold">{t('users.acts')}</h2>
      {acts.length === 0 && (
        <p className="text-body text-quiet">
          {t(user.id === operator.id ? 'users.ownAccount' : 'users.noActs')}
        </p>
      )}
      {acts.map(({ isDanger, name }) => (
        <Button
          key={name}
          look={isDanger ? 'danger' : 'plain'}
          className="justify-start"
          onClick={() => setOpen(name)}
        >
          {t(`userAct.${name}`)}
        </Button>
      ))}
      <p className="mt-auto pt-2 text-label text-quiet">{t('users.actsNote')}</p>
      {chosen !== undefined && (
        <UserActDialog user={user} act={chosen} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}
