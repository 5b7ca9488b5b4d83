// Text files by language and area. Each is loaded when a screen needs it; tsc reports a file that
// lacks a key of its English file.

import type { Language } from './preferences.ts';
import type account from './words/en/account.json';
import type money from './words/en/money.json';
import shell from './words/en/shell.json' with { type: 'json' };
import type trade from './words/en/trade.json';

/** English defines the keys. */
interface English {
  readonly shell: typeof shell;
  readonly trade: typeof trade;
  readonly money: typeof money;
  readonly account: typeof account;
}

export type Area = keyof English;
export const AREAS = ['shell', 'trade', 'money', 'account'] as const satisfies readonly Area[];

type File<Of extends Area> = Readonly<Record<keyof English[Of], string>>;
type Files = { readonly [Of in Area]: () => Promise<{ readonly default: File<Of> }> };

export type Words = File<'shell'> & File<'trade'> & File<'money'> & File<'account'>;

export const WORD_FILES: Readonly<Record<Language, Files>> = {
  en: {
    shell: async () => ({ default: shell }),
    trade: () => import('./words/en/trade.json', { with: { type: 'json' } }),
    money: () => import('./words/en/money.json', { with: { type: 'json' } }),
    account: () => import('./words/en/account.json', { with: { type: 'json' } }),
  },
  fa: {
    shell: () => import('./words/fa/shell.json', { with: { type: 'json' } }),
    trade: () => import('./words/fa/trade.json', { with: { type: 'json' } }),
    money: () => import('./words/fa/money.json', { with: { type: 'json' } }),
    account: () => import('./words/fa/account.json', { with: { type: 'json' } }),
  },
  ar: {
    shell: () => import('./words/ar/shell.json', { with: { type: 'json' } }),
    trade: () => import('./words/ar/trade.json', { with: { type: 'json' } }),
    money: () => import('./words/ar/money.json', { with: { type: 'json' } }),
    account: () => import('./words/ar/account.json', { with: { type: 'json' } }),
  },
  zh: {
    shell: () => import('./words/zh/shell.json', { with: { type: 'json' } }),
    trade: () => import('./words/zh/trade.json', { with: { type: 'json' } }),
    money: () => import('./words/zh/money.json', { with: { type: 'json' } }),
    account: () => import('./words/zh/account.json', { with: { type: 'json' } }),
  },
  de: {
    shell: () => import('./words/de/shell.json', { with: { type: 'json' } }),
    trade: () => import('./words/de/trade.json', { with: { type: 'json' } }),
    money: () => import('./words/de/money.json', { with: { type: 'json' } }),
    account: () => import('./words/de/account.json', { with: { type: 'json' } }),
  },
  es: {
    shell: () => import('./words/es/shell.json', { with: { type: 'json' } }),
    trade: () => import('./words/es/trade.json', { with: { type: 'json' } }),
    money: () => import('./words/es/money.json', { with: { type: 'json' } }),
    account: () => import('./words/es/account.json', { with: { type: 'json' } }),
  },
  ja: {
    shell: () => import('./words/ja/shell.json', { with: { type: 'json' } }),
    trade: () => import('./words/ja/trade.json', { with: { type: 'json' } }),
    money: () => import('./words/ja/money.json', { with: { type: 'json' } }),
    account: () => import('./words/ja/account.json', { with: { type: 'json' } }),
  },
};
