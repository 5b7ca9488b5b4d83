// The texts of errors in the languages of their readers. English is the catalogue itself; what is
// missing in a language is said in English.

import { de } from './de.ts';
import { es } from './es.ts';
import { fa } from './fa.ts';
import { fr } from './fr.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { mn } from './mn.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { tr } from './tr.ts';
import type { Texts } from './translated-texts.ts';
import { ur } from './ur.ts';
import { vi } from './vi.ts';
import { zh } from './zh.ts';

/** In the order in which clients list them. */
export const LANGUAGES = [
  'en',
  'de',
  'es',
  'fa',
  'fr',
  'id',
  'it',
  'ja',
  'ko',
  'mn',
  'nl',
  'pt',
  'ru',
  'tr',
  'ur',
  'vi',
  'zh',
] as const;
export type Language = (typeof LANGUAGES)[number];

export const translations: Readonly<Record<Exclude<Language, 'en'>, Texts>> = {
  de,
  es,
  fa,
  fr,
  id,
  it,
  ja,
  ko,
  mn,
  nl,
  pt,
  ru,
  tr,
  ur,
  vi,
  zh,
};

export function translated(language: string, key: string): string | undefined {
  if (!isTranslated(language)) return undefined;
  const texts = translations[language];
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

function isTranslated(language: string): language is keyof typeof translations {
  return Object.hasOwn(translations, language);
}
