// The looks (theme, language, size) in which every screen is checked, and the list of screens.

export interface Look {
  readonly name: string;
  readonly preferences: Readonly<Record<string, string>>;
  readonly width: number;
  readonly height: number;
  readonly isPhone?: true;
}

export interface ScreenToSee {
  /** File name in `apps/terminal/screens`. */
  readonly name: string;
  readonly path: string;
  /** Whether the screen is also checked signed out. */
  readonly isForGuests?: true;
}

const DESKTOP = { width: 1440, height: 900 } as const;
const PHONE = { width: 390, height: 844, isPhone: true } as const;

export const LOOKS: readonly Look[] = [
  { name: 'dark', preferences: { language: 'en', theme: 'dark' }, ...DESKTOP },
  { name: 'light', preferences: { language: 'en', theme: 'light' }, ...DESKTOP },
  { name: 'fa', preferences: { language: 'fa', theme: 'dark' }, ...DESKTOP },
  { name: 'phone', preferences: { language: 'en', theme: 'dark' }, ...PHONE },
];

/** Additional looks for pictures: the longest words, and phones from right to left. */
export const MORE_LOOKS: readonly Look[] = [
  { name: 'de', preferences: { language: 'de', theme: 'dark' }, ...DESKTOP },
  { name: 'de-phone', preferences: { language: 'de', theme: 'dark' }, ...PHONE },
  { name: 'fa-phone', preferences: { language: 'fa', theme: 'dark' }, ...PHONE },
];

export const SCREENS: readonly ScreenToSee[] = [
  { name: 'trade', path: '/trade/btc-usdt' },
  { name: 'markets', path: '/markets' },
  { name: 'convert', path: '/convert' },
  { name: 'wallet', path: '/wallet' },
  { name: 'orders', path: '/orders' },
  { name: 'portfolio', path: '/portfolio' },
  { name: 'fees', path: '/fees', isForGuests: true },
  { name: 'account', path: '/account' },
  { name: 'settings', path: '/settings' },
  { name: 'status', path: '/status' },
  { name: 'sign-in', path: '/sign-in', isForGuests: true },
  { name: 'sign-up', path: '/sign-up', isForGuests: true },
  { name: 'reset-password', path: '/reset-password', isForGuests: true },
  { name: 'gallery', path: '/gallery' },
];
