// Screens with their addresses, files and text areas. Add a line for each new address.

import type { Area, Word } from '../ui/index.ts';

export interface ScreenEntry {
  readonly path: string;
  /** File name in `screens/`. */
  readonly screen: string;
  /** Text areas in addition to those of the frame. */
  readonly areas: readonly Area[];
  /** Label in the navigation, if it is listed there. */
  readonly word?: Word;
  readonly place?: 'main' | 'user';
}

export const SCREENS = [
  {
    path: '/trade/$symbol',
    screen: 'trade',
    areas: ['trade', 'money'],
    word: 'nav.trade',
    place: 'main',
  },
  {
    path: '/markets',
    screen: 'markets',
    areas: ['money'],
    word: 'nav.markets',
    place: 'main',
  },
  {
    path: '/convert',
    screen: 'convert',
    areas: ['money'],
    word: 'nav.convert',
    place: 'main',
  },
  {
    path: '/wallet',
    screen: 'wallet',
    areas: ['money', 'account'],
    word: 'nav.wallet',
    place: 'main',
  },
  {
    path: '/orders',
    screen: 'orders',
    areas: ['money', 'trade'],
    word: 'nav.orders',
    place: 'main',
  },
  {
    path: '/portfolio',
    screen: 'portfolio',
    areas: ['money', 'account'],
    word: 'nav.portfolio',
    place: 'user',
  },
  { path: '/fees', screen: 'fees', areas: ['money'], word: 'nav.fees', place: 'user' },
  { path: '/account', screen: 'account', areas: ['account'], word: 'nav.account', place: 'user' },
  {
    path: '/settings',
    screen: 'settings',
    areas: ['account'],
    word: 'nav.settings',
    place: 'user',
  },
  { path: '/status', screen: 'status', areas: ['account'], word: 'nav.status', place: 'user' },
  { path: '/sign-in', screen: 'sign-in', areas: ['account'] },
  { path: '/sign-up', screen: 'sign-up', areas: ['account'] },
  { path: '/reset-password', screen: 'reset-password', areas: ['account'] },
  { path: '/gallery', screen: 'gallery', areas: [] },
] as const satisfies readonly ScreenEntry[];
