// Frame around every screen: navigation by role, search, environment, approvals, and the leader.
// Shows only the sign-in page until an operator with a second factor has signed in.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { CircleUser, CloudOff, LockKeyhole, Menu as MenuIcon } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { SignIn } from '../forms/index.ts';
import { Brand, NotFound as NotFoundNotice, SkipLink, useExchangeName } from '../shell/index.ts';
import { Button, LookMenu, Menu, MenuItem, MenuLine, Notice } from '../ui/index.ts';
import { may, type Operator, type ScreenEntry, screensOf } from './access.ts';
import { LANGUAGES } from './catalogue.ts';
import {
  constantsQuery,
  controlQuery,
  exchange,
  kitQuery,
  pendingApprovalsQuery,
  workQuery,
} from './exchange.ts';
import { leaderOf } from './health/health-view.ts';
import { useHealth } from './health/use-health.ts';
import { SearchBox } from './search-box.tsx';
import { useSession } from './session.tsx';
import { useLook } from './use-words.ts';
import { WorkMenu } from './work/work-menu.tsx';

// Loaded when needed: most operators never see them.
const EnrollFactor = lazy(async () => ({
  default: (await import('./setup/enroll-factor.tsx')).EnrollFactor,
}));
const FirstAdministrator = lazy(async () => ({
  default: (await import('./setup/first-administrator.tsx')).FirstAdministrator,
}));

export function Shell({ screens }: { screens: readonly ScreenEntry[] }) {
  const { standing, error, refresh } = useSession();
  const { t } = useLook();
  const [isFirst, setFirst] = useState(false);
  if (standing.kind === 'in') {
    const own = screensOf(standing.operator).map(({ name }) => name);
    const offered = screens.filter(({ name }) => own.includes(name));
    return <Frame screens={offered} operator={standing.operator} />;
  }
  return (
    <Bare>
      <Suspense fallback={null}>
        {standing.kind === 'signed-out' &&
          (isFirst ? (
            <FirstAdministrator
              onSignedIn={async () => {
                await refresh();
                setFirst(false);
              }}
              onBack={() => setFirst(false)}
            />
          ) : (
            <SignIn
              exchange={exchange}
              onSignedIn={refresh}
              isLongOffered={false}
              text={t('console.forOperators')}
              footer={
                <Button look="quiet" onClick={() => setFirst(true)}>
                  {t('setup.newExchange')}
                </Button>
              }
            />
          ))}
        {standing.kind === 'no-role' && standing.hasFactor && (
          <Shut title={t('console.noRole')}>
            {t('console.noRoleText', { email: standing.email })}
          </Shut>
        )}
        {(standing.kind === 'no-factor' ||
          (standing.kind === 'no-role' && !standing.hasFactor)) && (
          <EnrollFactor email={standing.email} />
        )}
      </Suspense>
      {standing.kind === 'unknown' && error !== null && <Unreachable onRetry={refresh} />}
    </Bare>
  );
}

/** Page without an operator. */
function Bare({ children }: { children: ReactNode }) {
  const { t } = useLook();
  const exchangeName = useExchangeName();
  useEffect(() => {
    document.title = `${t('console.title')} · ${exchangeName}`;
  }, [exchangeName, t]);
  return (
    <div className="flex min-h-dvh flex-col">
      <EnvironmentEdge />
      <header className="flex h-11 flex-none items-center justify-between bg-panel px-3">
        <ConsoleBrand />
        <LookMenu languages={LANGUAGES} />
      </header>
      <main className="flex flex-1 flex-col">{children}</main>
    </div>
  );
}

const RETRY_EVERY_MS = 3_000;
const CONTROL_EVERY_MS = 30_000;

function Unreachable({ onRetry }: { onRetry(): Promise<void> }) {
  const { t } = useLook();
  useEffect(() => {
    const timer = setInterval(() => void onRetry(), RETRY_EVERY_MS);
    return () => clearInterval(timer);
  }, [onRetry]);
  return (
    <Notice icon={<CloudOff />} title={t('console.unreachable')} color="text-down">
      {t('console.unreachableText')}
    </Notice>
  );
}

function Shut({ children, title }: { title: string; children: ReactNode }) {
  const { t } = useLook();
  const { signOut } = useSession();
  return (
    <Notice icon={<LockKeyhole />} title={title} color="text-warn">
      <p className="max-w-md">{children}</p>
      <Button className="mt-3" onClick={() => void signOut()}>
        {t('shell.signOut')}
      </Button>
    </Notice>
  );
}

function Frame({ operator, screens }: { operator: Operator; screens: readonly ScreenEntry[] }) {
  const { t } = useLook();
  const exchangeName = useExchangeName();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isNavOpen, setNavOpen] = useState(false);
  const here = screens.find((screen) => isAt(screen, path));
  useEffect(() => {
    const name = here === undefined ? t('console.title') : t(`screen.${here.name}`);
    document.title = `${name} · ${exchangeName}`;
  }, [exchangeName, here, t]);
  // A new address closes the navigation on narrow pages.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on every address change.
  useEffect(() => setNavOpen(false), [path]);
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink />
      <EnvironmentEdge />
      <header className="flex h-11 flex-none items-center gap-2 bg-panel px-2">
        <Button
          look="quiet"
          size="icon"
          className="lg:hidden"
          aria-expanded={isNavOpen}
          aria-controls="navigation"
          aria-label={t('shell.menu')}
          onClick={() => setNavOpen(!isNavOpen)}
        >
          <MenuIcon size={16} aria-hidden="true" />
        </Button>
        <ConsoleBrand />
        {may(operator, 'search') ? (
          <SearchBox paths={screens.map((screen) => screen.path)} />
        ) : (
          <span className="flex-1" />
        )}
        <WorkMenu paths={screens.map((screen) => screen.path)} />
        {screens.some(({ name }) => name === 'approvals') && <Decisions />}
        <ModeLabel isLink={may(operator, 'readControl')} />
        {may(operator, 'readHealth') && <LeaderLight />}
        <LookMenu languages={LANGUAGES} />
        <OperatorMenu operator={operator} />
      </header>
      <div className="relative flex min-h-0 flex-1">
        <nav
          id="navigation"
          aria-label={t('nav.main')}
          className={`w-44 flex-none overflow-y-auto border-e border-line bg-panel py-2 max-lg:absolute max-lg:inset-y-0 max-lg:inset-s-0 max-lg:z-30 ${isNavOpen ? '' : 'max-lg:hidden'}`}
        >
          <NavGroups screens={screens} here={here} />
        </nav>
        <main
          id="content"
          tabIndex={-1}
          className="flex min-w-0 flex-1 flex-col overflow-y-auto p-1 outline-none"
        >
          {here === undefined && path !== '/' ? <NoScreen /> : <Outlet />}
        </main>
      </div>
    </div>
  );
}

function isAt({ path: own }: ScreenEntry, path: string): boolean {
  return own === '/' ? path === '/' : path === own || path.startsWith(`${own}/`);
}

function NavGroups({
  here,
  screens,
}: {
  screens: readonly ScreenEntry[];
  here: ScreenEntry | undefined;
}) {
  const { t } = useLook();
  const groups = [...new Set(screens.map(({ group }) => group))];
  return groups.map((group) => (
    <section key={group} className="mb-3">
      <h2 className="px-3 pb-1 text-label text-quiet">{t(`group.${group}`)}</h2>
      <ul>
        {screens
          .filter((screen) => screen.group === group)
          .map((screen) => (
            <li key={screen.name}>
              <Link
                to={screen.path}
                aria-current={screen === here ? 'page' : undefined}
                className="block border-s-2 border-transparent px-3 py-1.5 text-body text-quiet hover:text-text aria-[current=page]:border-accent aria-[current=page]:bg-raised aria-[current=page]:font-semibold aria-[current=page]:text-text"
              >
                {t(`screen.${screen.name}`)}
              </Link>
            </li>
          ))}
      </ul>
    </section>
  ));
}

/** Colored edge with a label that tells a demo from the real exchange. */
function EnvironmentEdge() {
  const { t } = useLook();
  const { data: constants } = useQuery(constantsQuery);
  const { data: kit } = useQuery(kitQuery);
  const isDemo = constants?.demo === true;
  if (!isDemo && kit?.info.is_trial !== true) return null;
  return (
    <div
      role="note"
      aria-label={t('console.environment')}
      className={`flex-none px-3 py-0.5 text-center text-label font-semibold text-on-fill ${isDemo ? 'bg-demo' : 'bg-warn'}`}
    >
      {t(isDemo ? 'console.demo' : 'console.test')}
    </div>
  );
}

/** When a request is no longer pending, reloads all lists, because it might have changed any. */
function Decisions() {
  const queries = useQueryClient();
  const { data: pending } = useQuery(pendingApprovalsQuery);
  const known = useRef<readonly number[]>([]);
  useEffect(() => {
    if (pending === undefined) return;
    const ids = pending.map(({ id }) => id);
    if (known.current.some((id) => !ids.includes(id))) {
      void queries.invalidateQueries({ queryKey: ['private'] });
    }
    known.current = ids;
  }, [pending, queries]);
  return null;
}

/** Control mode, whether it was chosen, and when a pending change to solo takes effect. */
function ModeLabel({ isLink }: { isLink: boolean }) {
  const { t, time } = useLook();
  const { data: work } = useQuery(workQuery);
  const { data: control } = useQuery({
    ...controlQuery,
    enabled: isLink,
    refetchInterval: CONTROL_EVERY_MS,
  });
  if (work === undefined) return null;
  const { control_mode: mode, is_mode_chosen: isChosen } = work;
  const soloFrom = control?.solo_from ?? null;
  const label = (
    <>
      <span className="sr-only">{t('control.mode')}</span>
      <span className={isChosen ? '' : 'text-warn'}>
        {t(`control.${mode}`)}
        {!isChosen && <span className="max-lg:sr-only"> · {t('control.notChosen')}</span>}
      </span>
      {soloFrom !== null && (
        <span className="text-warn max-sm:sr-only">
          {t('control.soloSoon', { time: time(soloFrom, 'short') })}
        </span>
      )}
    </>
  );
  const shape = 'flex h-8 items-center gap-1 rounded px-1 text-label whitespace-nowrap text-quiet';
  if (!isLink) {
    return (
      <span data-mode={mode} className={shape}>
        {label}
      </span>
    );
  }
  return (
    <Link
      to={isChosen ? '/control' : '/'}
      data-mode={mode}
      className={`${shape} hover:bg-raised hover:text-text`}
    >
      {label}
    </Link>
  );
}

function LeaderLight() {
  const { t } = useLook();
  const state = leaderOf(useHealth());
  const isOne = state.kind === 'one';
  const isUnknown = state.kind === 'unknown';
  const color = isOne ? 'text-up' : isUnknown ? 'text-warn' : 'text-down';
  const text =
    state.kind === 'one'
      ? t('console.leaderOne', { instance: state.leader.instance, epoch: state.leader.epoch })
      : state.kind === 'several'
        ? t('console.leaderSeveral', { count: state.count })
        : t(isUnknown ? 'console.leaderUnknown' : 'console.leaderNone');
  return (
    <div
      role="status"
      data-leader={state.kind}
      className="flex items-center gap-1.5 px-1 text-label whitespace-nowrap text-quiet"
    >
      <span aria-hidden="true" className={color}>
        {isOne ? '●' : isUnknown ? '◌' : '■'}
      </span>
      <span className="sr-only">{t('console.leader')}</span>
      <span className={`max-sm:sr-only ${isOne ? '' : color}`}>{text}</span>
    </div>
  );
}

function ConsoleBrand() {
  const { t } = useLook();
  return (
    <Brand className="me-1">
      {' '}
      <span className="font-normal text-quiet">{t('console.title')}</span>
    </Brand>
  );
}

function OperatorMenu({ operator }: { operator: Operator }) {
  const { t } = useLook();
  const { signOut } = useSession();
  return (
    <Menu
      label={t('shell.account', { name: operator.email })}
      trigger={
        <>
          <CircleUser size={16} aria-hidden="true" />
          <span className="max-w-32 truncate max-xl:hidden">{operator.email.split('@')[0]}</span>
        </>
      }
    >
      <div className="px-3 py-1 text-body">
        <bdi dir="ltr">{operator.email}</bdi>
        <p className="text-label text-quiet">{t('console.roleIs', { role: operator.role })}</p>
      </div>
      <MenuLine />
      <MenuItem onClick={() => void signOut()}>{t('shell.signOut')}</MenuItem>
    </Menu>
  );
}

function NoScreen() {
  const { t } = useLook();
  return (
    <Notice icon={<LockKeyhole />} title={t('console.noScreen')}>
      <Link to="/" className="text-accent hover:underline">
        {t('console.toOverview')}
      </Link>
    </Notice>
  );
}

export function NotFound() {
  const { t } = useLook();
  return <NotFoundNotice home={t('console.toOverview')} />;
}
