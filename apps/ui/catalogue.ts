// The words of the screens: one folder of JSON files per language, one file per area. English
// defines the keys, tsc reports a language that lacks one, and each language is its own chunk.

import type { Language } from './preferences.ts';
import { words as english } from './words/en/words.ts';

export type Words = Readonly<Record<keyof typeof english, string>>;
export type Word = keyof Words;
export type WordValues = Readonly<Record<string, string | number>>;

const LOADERS: Readonly<Record<Language, () => Promise<{ words: Words }>>> = {
  en: async () => ({ words: english }),
  fa: () => import('./words/fa/words.ts'),
  ar: () => import('./words/ar/words.ts'),
  zh: () => import('./words/zh/words.ts'),
  de: () => import('./words/de/words.ts'),
  es: () => import('./words/es/words.ts'),
  ja: () => import('./words/ja/words.ts'),
};

export async function loadWords(language: Language): Promise<Words> {
  return (await LOADERS[language]()).words;
}

// Isolates keep a number together inside right-to-left text.
const [ISOLATE, END_ISOLATE] = ['\u2066', '\u2069'];

/** Puts the values into `{name}` places of a text. */
export function fill(text: string, values: WordValues, direction: 'ltr' | 'rtl'): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    return direction === 'rtl' ? ISOLATE + value + END_ISOLATE : String(value);
  });
}
