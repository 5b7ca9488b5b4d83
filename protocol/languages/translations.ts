// Error texts in other languages, one JSON file per language. English is the catalog itself
// (protocol/errors); a key that a language file lacks falls back to English.

import type { ErrorTable } from '../wire/index.ts';
import de from './de.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fa from './fa.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import id from './id.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import mn from './mn.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import ur from './ur.json' with { type: 'json' };
import vi from './vi.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

/** Texts by key of the error catalog; `{name}` placeholders are those of the English text. */
export type Texts = Readonly<Record<string, string>>;

export const translations: Readonly<Record<string, Texts>> = {
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

/** Languages for texts and emails. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(translations)];

/** Returns undefined if the language or the key has no translation. */
export function translated(language: string, key: string): string | undefined {
  if (!Object.hasOwn(translations, language)) return undefined;
  const texts = translations[language];
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/** Keys of user-facing errors without a translation, which fall back to English. */
export function missingTranslations(language: string, catalogue: ErrorTable): string[] {
  return Object.entries(catalogue)
    .filter(([key, { audience }]) => audience === undefined && !translated(language, key))
    .map(([key]) => key);
}
