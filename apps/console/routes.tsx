// Address of every screen. A screen is a file `screens/NAME.tsx` that exports `Screen` and is
// loaded on first use. `access.ts` lists the screens. A screen without a file is not offered, and a
// role sees only the screens whose calls it has.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ScreenFailed } from '../shell/index.ts';
import { SCREENS, type ScreenEntry } from './access.ts';
import { NotFound, Shell } from './shell.tsx';

const files = import.meta.glob<{ Screen: ComponentType }>('./screens/*.tsx');

const offered: readonly ScreenEntry[] = SCREENS.filter(
  ({ name }) => files[`./screens/${name}.tsx`] !== undefined,
);

const root = createRootRoute({
  component: () => <Shell screens={offered} />,
  notFoundComponent: NotFound,
  errorComponent: ScreenFailed,
});

const screens = offered.map(({ name, path }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(files[`./screens/${name}.tsx`], 'Screen'),
  }),
);

export const router = createRouter({
  routeTree: root.addChildren(screens),
  defaultPreload: 'intent',
});
