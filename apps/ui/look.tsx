// The look of the page for all views below it: preferences, words and number formats.

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
import { fill, loadWords, type Word, type Words, type WordValues } from './catalogue.ts';
import { applyPreferences, directionOf, type Preferences, readPreferences } from './preferences.ts';

const STORED_AS = 'rialto.preferences';

export interface Look {
  readonly preferences: Preferences;
  readonly direction: 'ltr' | 'rtl';
  prefer(change: Partial<Preferences>): void;
  /** The word or sentence for a key, with values in its places. */
  t(word: Word, values?: WordValues): string;
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

/** Resolves when the words of the stored language are loaded, so the first picture is complete. */
export async function loadLook(): Promise<{ preferences: Preferences; words: Words }> {
  const preferences = readPreferences(localStorage.getItem(STORED_AS), navigator.languages);
  applyPreferences(document.documentElement, preferences, systemTheme());
  return { preferences, words: await loadWords(preferences.language) };
}

export function LookProvider({
  children,
  initial,
}: {
  children: ReactNode;
  initial: { preferences: Preferences; words: Words };
}) {
  const [{ preferences, words }, setState] = useState(initial);
  const prefer = useCallback(
    async (change: Partial<Preferences>) => {
      const next = { ...preferences, ...change };
      localStorage.setItem(STORED_AS, JSON.stringify(next));
      // Words first: the page never mixes the direction of one language with the words of another.
      const nextWords = await loadWords(next.language);
      setState({ preferences: next, words: nextWords });
    },
    [preferences],
  );
  useLayoutEffect(() => {
    applyPreferences(document.documentElement, preferences, systemTheme());
  }, [preferences]);
  useSystemTheme(preferences);
  const look = useMemo(() => lookOf(preferences, words, prefer), [preferences, words, prefer]);
  return (
    <LookContext.Provider value={look}>
      <CSPProvider disableStyleElements>
        <DirectionProvider direction={look.direction}>{children}</DirectionProvider>
      </CSPProvider>
    </LookContext.Provider>
  );
}

function lookOf(preferences: Preferences, words: Words, prefer: Look['prefer']): Look {
  const direction = directionOf(preferences.language);
  return {
    preferences,
    direction,
    prefer,
    t: (word, values) =>
      values === undefined ? words[word] : fill(words[word], values, direction),
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
