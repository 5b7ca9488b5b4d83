// Address of every screen. A screen is a file `screens/NAME.tsx` that exports `Screen`. The file
// and its texts are loaded on first use. An address without a file is not offered.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ScreenFailed } from '../shell/index.ts';
import { needWords } from '../ui/index.ts';
import { wasSignedIn } from './exchange.ts';
import { lastSymbol, storedSymbol } from './last-symbol.ts';
import { SCREENS, type ScreenEntry } from './screen-list.ts';
import { NotFound, Shell } from './shell.tsx';

const files = import.meta.glob<{ Screen: ComponentType }>('./screens/*.tsx');

/** The gallery of components is for developers, who set this item in their browser. */
const GALLERY = 'rialto.gallery';

export const offered: readonly ScreenEntry[] = (SCREENS as readonly ScreenEntry[]).filter(
  ({ screen }) =>
    files[`./screens/${screen}.tsx`] !== undefined &&
    (screen !== 'gallery' || localStorage.getItem(GALLERY) !== null),
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
    // A newcomer sees the markets first.
    const isNew = storedSymbol() === undefined && !wasSignedIn();
    throw redirect({ to: isNew ? '/markets' : `/trade/${lastSymbol()}` });
  },
});

const screens = offered.map(({ areas, path, screen }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(async () => {
      const [file] = await Promise.all([files[`./screens/${screen}.tsx`](), needWords(areas)]);
      return file;
    }, 'Screen'),
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([home, ...screens]),
  defaultPreload: 'intent',
});
