// Console texts, in addition to the shared ones in `apps/ui`. English defines the keys, and tsc
// reports a language that lacks one.

import type { Language, Word } from '../ui/index.ts';
import { words as english } from './words/en/words.ts';

export type OwnWords = Readonly<Record<keyof typeof english, string>>;
export type ConsoleWord = Word | keyof OwnWords;

/** Languages with a complete console translation. */
export const LANGUAGES = ['en', 'fa'] as const satisfies readonly Language[];

const LOADERS: Readonly<Record<(typeof LANGUAGES)[number], () => Promise<{ words: OwnWords }>>> = {
  en: async () => ({ words: english }),
  fa: () => import('./words/fa/words.ts'),
};

export async function loadOwnWords(language: Language): Promise<OwnWords> {
  const known = LANGUAGES.find((one) => one === language) ?? 'en';
  return (await LOADERS[known]()).words;
}

/** Returns the text for a key from data, such as a queue name; undefined if none exists. */
export function knownWord(key: string): keyof OwnWords | undefined {
  return Object.hasOwn(english, key) ? (key as keyof OwnWords) : undefined;
}
