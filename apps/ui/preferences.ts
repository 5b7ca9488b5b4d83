// User preferences for appearance, stored in this browser. The stored text is validated, and the
// values become attributes of the document, which select the tokens.

export const LANGUAGES = ['en', 'fa', 'ar', 'zh', 'de', 'es', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language in its own words. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  fa: 'فارسی',
  ar: 'العربية',
  zh: '中文',
  de: 'Deutsch',
  es: 'Español',
  ja: '日本語',
};

const RIGHT_TO_LEFT: readonly Language[] = ['fa', 'ar'];

export interface Preferences {
  readonly language: Language;
  readonly theme: 'dark' | 'light' | 'system';
  readonly colours: 'teal' | 'vision' | 'classic';
  readonly up: 'first' | 'red';
  readonly density: 'compact' | 'comfortable';
  readonly digits: 'latn' | 'native';
  /** Whether to confirm before an order is sent. */
  readonly confirms: boolean;
  readonly hidesBalances: boolean;
  /** Whether shortcuts cancel orders. No shortcut places one. */
  readonly sendsByKey: boolean;
}

const CHOICES: { readonly [Name in keyof Preferences]: readonly Preferences[Name][] } = {
  language: LANGUAGES,
  theme: ['dark', 'light', 'system'],
  colours: ['teal', 'vision', 'classic'],
  up: ['first', 'red'],
  density: ['compact', 'comfortable'],
  digits: ['latn', 'native'],
  confirms: [true, false],
  hidesBalances: [false, true],
  sendsByKey: [false, true],
};

/** Returns the first choice of each, in the browser's first supported language. */
export function readPreferences(
  stored: string | null,
  browserLanguages: readonly string[],
  languages: readonly Language[] = LANGUAGES,
): Preferences {
  const kept = parsed(stored);
  const spoken = browserLanguages.map((tag) => tag.split('-')[0]);
  const defaults: Record<string, unknown> = {
    language: spoken.find((tag) => (languages as readonly string[]).includes(tag)) ?? 'en',
  };
  const chosen = Object.entries({ ...CHOICES, language: languages }).map(([name, choices]) => {
    const value = kept[name];
    const isKnown = (choices as readonly unknown[]).includes(value);
    return [name, isKnown ? value : (defaults[name] ?? choices[0])];
  });
  return Object.fromEntries(chosen) as unknown as Preferences;
}

function parsed(stored: string | null): Record<string, unknown> {
  try {
    const value = JSON.parse(stored ?? '{}') as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr';
}

export function applyPreferences(
  root: HTMLElement,
  preferences: Preferences,
  systemTheme: 'dark' | 'light',
): void {
  const { colours, density, language, theme, up } = preferences;
  root.lang = language;
  root.dir = directionOf(language);
  root.dataset.theme = theme === 'system' ? systemTheme : theme;
  root.dataset.colours = colours;
  root.dataset.density = density;
  root.dataset.up = up;
}
