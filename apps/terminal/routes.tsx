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
import { lastSymbol } from './last-symbol.ts';
import { SCREENS, type ScreenEntry } from './screen-list.ts';
import { NotFound, Shell } from './shell.tsx';

const files = import.meta.glob<{ Screen: ComponentType }>('./screens/*.tsx');

export const offered: readonly ScreenEntry[] = (SCREENS as readonly ScreenEntry[]).filter(
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
