// Look of the page for all views below it: preferences, texts and number formats.

import { CSPProvider } from '@base-ui/react/csp-provider';
import { DirectionProvider } from '@base-ui/react/direction-provider';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import {
  formatCompact,
  formatDecimal,
  formatPercent,
  formatTime,
  type TimeForm,
} from '../decimals/index.ts';
import { type Area, fill, LoadedWords, type Word, type WordValues } from './catalogue.ts';
import {
  applyPreferences,
  directionOf,
  type Language,
  type Preferences,
  readPreferences,
} from './preferences.ts';

const STORED_AS = 'rialto.preferences';

/** An app can add its own texts and support fewer languages. */
export interface LookOptions {
  readonly languages?: readonly Language[];
  /** Areas that every page of the app needs, in addition to the frame. */
  readonly areas?: readonly Area[];
  readonly loadMore?: (language: Language) => Promise<Readonly<Record<string, string>>>;
}

/** An app with its own texts names their keys: `Look<Word | OwnWord>`. */
export interface Look<Known extends string = Word> {
  readonly preferences: Preferences;
  readonly direction: 'ltr' | 'rtl';
  prefer(change: Partial<Preferences>): void;
  /** Returns the text for a key, with its placeholders replaced. */
  t(word: Known, values?: WordValues): string;
  number(text: string, scale?: number): string;
  compact(text: string): string;
  percent(ratio: string, options?: { isSigned?: boolean; scale?: number }): string;
  time(time: string | number | Date, form?: TimeForm): string;
}

const LookContext = createContext<Look | undefined>(undefined);

export function useLook(): Look {
  const look = useContext(LookContext);
  if (look === undefined) throw new Error('useLook is called outside of LookProvider');
  return look;
}

/** Current language; screens add their areas to it. */
let shown: LoadedWords;

/** Call it before a screen is rendered: its texts are loaded when this resolves. */
export async function needWords(areas: readonly Area[]): Promise<void> {
  const now = shown;
  await now.add(areas);
  // The language has changed in the meantime.
  if (now !== shown) await needWords(areas);
}

interface LookStart {
  readonly preferences: Preferences;
  readonly loaded: LoadedWords;
}

let loadMore: LookOptions['loadMore'];

/** Resolves when the texts of the frame are loaded, so the first render is complete. */
export async function loadLook(options: LookOptions = {}): Promise<LookStart> {
  const { areas = [], languages } = options;
  loadMore = options.loadMore;
  const stored = localStorage.getItem(STORED_AS);
  const preferences = readPreferences(stored, navigator.languages, languages);
  applyPreferences(document.documentElement, preferences, systemTheme());
  shown = await ownWords(preferences.language);
  await shown.add(['shell', ...areas]);
  return { preferences, loaded: shown };
}

/** Loads the app's own texts in a language. */
async function ownWords(language: Language): Promise<LoadedWords> {
  const loaded = new LoadedWords(language);
  Object.assign(loaded.words, await loadMore?.(language));
  return loaded;
}

/** Loads another language, for all areas that the page needs now. */
async function translated(language: Language): Promise<LoadedWords> {
  if (language === shown.language) return shown;
  const next = await ownWords(language);
  // A screen can open while the files load.
  while (shown.areas.some((area) => !next.areas.includes(area))) await next.add(shown.areas);
  return next;
}

export function LookProvider({ children, initial }: { children: ReactNode; initial: LookStart }) {
  const [{ loaded, preferences }, setState] = useState(initial);
  const prefer = useCallback(
    async (change: Partial<Preferences>) => {
      const next = { ...preferences, ...change };
      localStorage.setItem(STORED_AS, JSON.stringify(next));
      // Loads texts first, so the page never mixes one language's direction with another's texts.
      shown = await translated(next.language);
      setState({ preferences: next, loaded: shown });
    },
    [preferences],
  );
  useLayoutEffect(() => {
    applyPreferences(document.documentElement, preferences, systemTheme());
  }, [preferences]);
  useSystemTheme(preferences);
  const look = useMemo(() => lookOf(preferences, loaded, prefer), [preferences, loaded, prefer]);
  return (
    <LookContext.Provider value={look}>
      <CSPProvider disableStyleElements>
        <DirectionProvider direction={look.direction}>{children}</DirectionProvider>
      </CSPProvider>
    </LookContext.Provider>
  );
}

function lookOf(preferences: Preferences, { words }: LoadedWords, prefer: Look['prefer']): Look {
  const direction = directionOf(preferences.language);
  return {
    preferences,
    direction,
    prefer,
    t: (word, values) =>
      values === undefined ? words[word] : fill(words[word], values, preferences.language),
    number: (text, scale) => formatDecimal(text, preferences, scale),
    compact: (text) => formatCompact(text, preferences),
    percent: (ratio, options) => formatPercent(ratio, preferences, options),
    time: (time, form = 'time') => formatTime(time, form, preferences),
  };
}

const LIGHT = '(prefers-color-scheme: light)';

function systemTheme(): 'dark' | 'light' {
  return matchMedia(LIGHT).matches ? 'light' : 'dark';
}

function useSystemTheme(preferences: Preferences): void {
  useEffect(() => {
    const media = matchMedia(LIGHT);
    const follow = () => applyPreferences(document.documentElement, preferences, systemTheme());
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, [preferences]);
}
