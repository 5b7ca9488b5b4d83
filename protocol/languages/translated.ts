// The texts of errors in the languages of their readers. English is the catalogue itself; what is
// missing in a language is said in English.

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

/** By key of the catalogue. */
export type Texts = Readonly<Record<string, string>>;

export const translations: Readonly<Record<string, Texts>> = {};

export function translated(language: string, key: string): string | undefined {
  const texts = Object.hasOwn(translations, language) ? translations[language] : undefined;
  return texts !== undefined && Object.hasOwn(texts, key) ? texts[key] : undefined;
}
