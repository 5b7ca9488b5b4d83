// Frame around every screen: navigation, connection indicator, language, theme and user menu.

import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  ChartCandlestick,
  CircleUser,
  List,
  type LucideIcon,
  Menu as MenuIcon,
  ScrollText,
  Wallet,
} from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Brand, NotFound as NotFoundNotice, SkipLink, useExchangeName } from '../shell/index.ts';
import {
  LANGUAGES,
  LookMenu,
  Menu,
  MenuItem,
  MenuLine,
  needWords,
  useLook,
  type Word,
} from '../ui/index.ts';
import { ConnectionLight } from './connection-light.tsx';
import { lastSymbol } from './last-symbol.ts';
import { useSession } from './session.tsx';

interface ShellScreen {
  readonly path: string;
  readonly word?: Word;
  readonly place?: 'main' | 'user';
}

// Loaded after the frame is rendered.
const Banners = lazy(async () => ({ default: (await import('./banners.tsx')).Banners }));
const NotificationBell = lazy(async () => ({
  default: (await import('./notification-bell.tsx')).NotificationBell,
}));
const HelpItems = lazy(async () => ({ default: (await import('./help-items.tsx')).HelpItems }));
const OrderToasts = lazy(async () => {
  const [file] = await Promise.all([import('./order-toasts.tsx'), needWords(['trade'])]);
  return { default: file.OrderToasts };
});

export function Shell({ screens }: { screens: readonly ShellScreen[] }) {
  const { t } = useLook();
  const { user } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useTitle(screens, path);
  const content = useRef<HTMLElement>(null);
  // On a phone the content scrolls above the navigation, and a new screen starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each path.
  useEffect(() => content.current?.scrollTo(0, 0), [path]);
  return (
    <div className="flex min-h-dvh flex-col max-md:h-dvh">
      <SkipLink />
      <header className="flex h-11 flex-none items-center gap-1 bg-panel px-2">
        <Brand className="me-2" />
        <nav aria-label={t('nav.main')} className="flex min-w-0 flex-1 items-center max-md:hidden">
          {screens
            .filter(({ place }) => place === 'main')
            .map((screen) => (
              <NavLink key={screen.path} screen={screen} path={path} />
            ))}
        </nav>
        <div className="ms-auto flex items-center gap-1">
          <ConnectionLight />
          <Suspense fallback={null}>
            <NotificationBell />
          </Suspense>
          <LookMenu languages={LANGUAGES} />
          <UserMenu screens={screens} />
        </div>
      </header>
      <Suspense fallback={null}>
        <Banners />
        {user !== null && user !== undefined && <OrderToasts />}
      </Suspense>
      <main
        id="content"
        ref={content}
        tabIndex={-1}
        className="flex min-h-0 flex-1 flex-col p-1 outline-none max-md:overflow-y-auto"
      >
        <Outlet />
      </main>
      <PhoneNav screens={screens} path={path} />
    </div>
  );
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  trade: ChartCandlestick,
  markets: List,
  convert: ArrowLeftRight,
  wallet: Wallet,
  orders: ScrollText,
};

/** The main screens, within reach of a thumb. */
function PhoneNav({ path, screens }: { screens: readonly ShellScreen[]; path: string }) {
  const { t } = useLook();
  return (
    <nav
      aria-label={t('nav.main')}
      className="flex flex-none border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {screens
        .filter(({ place }) => place === 'main')
        .map((screen) => {
          const Icon = ICONS[screen.path.split('/')[1]] ?? List;
          return (
            <Link
              key={screen.path}
              to={targetOf(screen)}
              aria-current={isAt(screen, path) ? 'page' : undefined}
              className="flex h-12 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-label text-quiet aria-[current=page]:font-semibold aria-[current=page]:text-accent"
            >
              <Icon size={18} aria-hidden="true" />
              <span className="max-w-full truncate px-0.5">
                {screen.word !== undefined && t(screen.word)}
              </span>
            </Link>
          );
        })}
    </nav>
  );
}

function targetOf({ path }: ShellScreen): string {
  return path.replace('$symbol', lastSymbol());
}

function isAt({ path: pattern }: ShellScreen, path: string): boolean {
  return path.split('/')[1] === pattern.split('/')[1];
}

function NavLink({ path, screen }: { screen: ShellScreen; path: string }) {
  const { t } = useLook();
  const isHere = isAt(screen, path);
  return (
    <Link
      to={targetOf(screen)}
      aria-current={isHere ? 'page' : undefined}
      className="rounded px-2.5 py-2 text-body whitespace-nowrap text-quiet hover:text-text aria-[current=page]:font-semibold aria-[current=page]:text-text"
    >
      {screen.word !== undefined && t(screen.word)}
    </Link>
  );
}

function useTitle(screens: readonly ShellScreen[], path: string): void {
  const { t } = useLook();
  const name = useExchangeName();
  useEffect(() => {
    const screen = screens.find((one) => isAt(one, path));
    document.title = screen?.word === undefined ? name : `${t(screen.word)} · ${name}`;
  }, [name, screens, path, t]);
}

function UserMenu({ screens }: { screens: readonly ShellScreen[] }) {
  const { t } = useLook();
  const { signOut, user } = useSession();
  const items = screens
    .filter(({ place }) => place === 'user')
    .map((screen) => (
      <MenuItem key={screen.path} render={<Link to={targetOf(screen)} />}>
        {screen.word !== undefined && t(screen.word)}
      </MenuItem>
    ));
  if (user === undefined) return <span className="skeleton h-6 w-16" />;
  const name = user?.email ?? t('shell.menu');
  return (
    <>
      {user === null && (
        <Link
          to="/sign-in"
          className="flex h-7 items-center rounded bg-accent px-3 text-body font-semibold whitespace-nowrap text-on-fill"
        >
          {t('shell.signIn')}
        </Link>
      )}
      <Menu
        label={user === null ? t('shell.menu') : t('shell.account', { name })}
        trigger={
          user === null ? (
            <MenuIcon size={16} aria-hidden="true" />
          ) : (
            <>
              <CircleUser size={16} aria-hidden="true" />
              <span className="max-w-32 truncate max-lg:hidden">{name.split('@')[0]}</span>
            </>
          )
        }
      >
        {items}
        <Suspense fallback={null}>
          <HelpItems />
        </Suspense>
        {user !== null && (
          <>
            <MenuLine />
            <MenuItem onClick={() => void signOut()}>{t('shell.signOut')}</MenuItem>
          </>
        )}
      </Menu>
    </>
  );
}

export function NotFound() {
  const { t } = useLook();
  return <NotFoundNotice home={t('nav.trade')} />;
}
