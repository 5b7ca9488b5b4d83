// The address of every screen. A screen is a file `screens/NAME.tsx` that exports `Screen`; it is
// loaded when its address is first opened. An address whose file does not exist is not offered.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Word } from '../ui/index.ts';
import { lastSymbol } from './last-symbol.ts';
import { NotFound, ScreenFailed, Shell } from './shell.tsx';

const files = import.meta.glob<{ Screen: ComponentType }>('./screens/*.tsx');

interface ScreenEntry {
  readonly path: string;
  /** The name of its file. */
  readonly screen: string;
  /** Its name in the navigation, if it is listed there. */
  readonly word?: Word;
  readonly place?: 'main' | 'user';
}

/** Add a line for a further address. Screens read their filters with `useSearch({strict: false})`. */
const entries = [
  { path: '/trade/$symbol', screen: 'trade', word: 'nav.trade', place: 'main' },
  { path: '/markets', screen: 'markets', word: 'nav.markets', place: 'main' },
  { path: '/convert', screen: 'convert', word: 'nav.convert', place: 'main' },
  { path: '/wallet', screen: 'wallet', word: 'nav.wallet', place: 'main' },
  { path: '/orders', screen: 'orders', word: 'nav.orders', place: 'main' },
  { path: '/account', screen: 'account', word: 'nav.account', place: 'user' },
  { path: '/settings', screen: 'settings', word: 'nav.settings', place: 'user' },
  { path: '/status', screen: 'status', word: 'nav.status', place: 'user' },
  { path: '/sign-in', screen: 'sign-in' },
  { path: '/sign-up', screen: 'sign-up' },
  { path: '/reset-password', screen: 'reset-password' },
  { path: '/gallery', screen: 'gallery' },
] as const satisfies readonly ScreenEntry[];

export const offered: readonly ScreenEntry[] = entries.filter(
  ({ screen }) => files[`./screens/${screen}.tsx`] !== undefined,
);

const root = createRootRoute({
  component: () => <Shell screens={offered} />,
  notFoundComponent: NotFound,
  errorComponent: ScreenFailed,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: offered[0].path.replace('$symbol', lastSymbol()) });
  },
});

const screens = offered.map(({ path, screen }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(files[`./screens/${screen}.tsx`], 'Screen'),
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([home, ...screens]),
  defaultPreload: 'intent',
});
