// Account and security: factors, sessions, keys, sub-accounts, and account settings.

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { User } from '../../../client/index.ts';
import { LOADING, Panel, type Tab, Tabs, useLook } from '../../ui/index.ts';
import { kitQuery } from '../money/queries.ts';
import { ClosePanel } from '../people/close-panel.tsx';
import { DevicesPanel } from '../people/device-panel.tsx';
import { ExportPanel } from '../people/export-panel.tsx';
import { AuthenticatorPanel, PasskeysPanel, RecoveryPanel } from '../people/factor-panels.tsx';
import { KeysPanel } from '../people/key-panel.tsx';
import { FreezePanel, ProfilePanel } from '../people/profile-panels.tsx';
import { ReferralPanels } from '../people/referral-panel.tsx';
import { LoginsPanel, SessionsPanel } from '../people/session-panels.tsx';
import { AccessPanel, GuestsPanel } from '../people/shared-panel.tsx';
import { StatementPanel } from '../people/statement-panel.tsx';
import { SubAccountsPanel } from '../people/sub-account-panel.tsx';
import { useSession } from '../session.tsx';

type Place = 'security' | 'sessions' | 'keys' | 'subs' | 'shared' | 'referral' | 'exports';

export function Screen() {
  const { t } = useLook();
  const { user } = useSession();
  if (user === undefined || user === null) {
    return (
      <Page>
        <Panel
          title={t('nav.account')}
          state={user === undefined ? LOADING : { kind: 'forbidden', needs: 'session' }}
          signIn={
            <Link
              to="/sign-in"
              search={{ next: '/account' }}
              className="text-accent hover:underline"
            >
              {t('shell.signIn')}
            </Link>
          }
        >
          {null}
        </Panel>
      </Page>
    );
  }
  return (
    <Page>
      <AccountTabs user={user} />
    </Page>
  );
}

function Page({ children }: { children: ReactNode }) {
  const { t } = useLook();
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-3 px-2 py-4">
      <h1 className="text-price font-semibold">{t('nav.account')}</h1>
      {children}
    </div>
  );
}

function AccountTabs({ user }: { user: User }) {
  const { t } = useLook();
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false }) as { tab?: unknown };
  const { data: kit } = useQuery(kitQuery);
  const hasReferral = kit?.referral_history_config.active === true;
  const all: readonly Tab<Place>[] = [
    { value: 'security', label: t('account.security'), content: <Security user={user} /> },
    {
      value: 'sessions',
      label: t('account.sessions'),
      content: (
        <Stack>
          <SessionsPanel />
          <DevicesPanel />
          <LoginsPanel />
        </Stack>
      ),
    },
    { value: 'keys', label: t('account.keys'), content: stacked(<KeysPanel />) },
    { value: 'subs', label: t('account.subs'), content: stacked(<SubAccountsPanel />) },
    {
      value: 'shared',
      label: t('account.shared'),
      content: (
        <Stack>
          <GuestsPanel />
          <AccessPanel />
        </Stack>
      ),
    },
    { value: 'referral', label: t('account.referral'), content: stacked(<ReferralPanels />) },
    {
      value: 'exports',
      label: t('account.exports'),
      content: (
        <Stack>
          <StatementPanel />
          <ExportPanel />
        </Stack>
      ),
    },
  ];
  // Promises nothing that the exchange does not pay.
  const tabs = all.filter(({ value }) => value !== 'referral' || hasReferral);
  const place = tabs.find(({ value }) => value === tab)?.value ?? 'security';
  return (
    <Tabs
      label={t('nav.account')}
      tabs={tabs}
      value={place}
      onValue={(next) => void navigate({ to: '/account', search: { tab: next }, replace: true })}
    />
  );
}

function Security({ user }: { user: User }) {
  return (
    <div className="grid gap-2 pt-2 lg:grid-cols-2 lg:items-start">
      <Stack>
        <PasskeysPanel />
        <AuthenticatorPanel />
        <RecoveryPanel />
      </Stack>
      <Stack>
        <ProfilePanel user={user} />
        <FreezePanel user={user} />
        <ClosePanel user={user} />
      </Stack>
    </div>
  );
}

function stacked(panels: ReactNode) {
  return <Stack>{panels}</Stack>;
}

function Stack({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-col gap-2 pt-2 [.grid>&]:pt-0">{children}</div>;
}
