// Screen texts: one folder of JSON files per language, one file per area. A screen names its areas,
// which are loaded before it is rendered.

import { directionOf, type Language } from './preferences.ts';
import { type Area, WORD_FILES, type Words } from './word-files.ts';

export type { Area, Words };
export type Word = keyof Words;
export type WordValues = Readonly<Record<string, string | number>>;

/** Texts of these areas; those of other areas are missing. */
export async function loadWords(language: Language, areas: Iterable<Area>): Promise<Words> {
  const files = await Promise.all([...areas].map((area) => WORD_FILES[language][area]()));
  return Object.assign({}, ...files.map((file) => file.default)) as Words;
}

/** Loaded texts of one language, and their areas. */
export class LoadedWords {
  readonly language: Language;
  readonly words: Words;
  readonly #areas = new Map<Area, Promise<unknown>>();

  constructor(language: Language) {
    this.language = language;
    this.words = {} as Words;
  }

  get areas(): readonly Area[] {
    return [...this.#areas.keys()];
  }

  /** Resolves when the texts of these areas are loaded; each file is fetched once. */
  async add(areas: readonly Area[]): Promise<void> {
    await Promise.all(areas.map((area) => this.#areas.get(area) ?? this.#load(area)));
  }

  #load(area: Area): Promise<unknown> {
    const load = loadWords(this.language, [area]).then(
      (words) => Object.assign(this.words, words),
      (fault: unknown) => {
        // The next screen that needs the area tries again.
        this.#areas.delete(area);
        throw fault;
      },
    );
    this.#areas.set(area, load);
    return load;
  }
}

// Isolates keep a number together inside right-to-left text.
const [ISOLATE, END_ISOLATE] = ['\u2066', '\u2069'];
// A value with words, such as a duration, uses the direction of its first letter.
const WORDS_ISOLATE = '\u2068';
const RIGHT_TO_LEFT_LETTER = /[\u0590-\u08ff]/;

/** Matches `{name}`, or `{name|one=# day|other=# days}` with a form for each plural category. */
const PLACE = /\{(\w+)(?:\|([^}]*))?\}/g;

/** Replaces the placeholders in a text. In a plural, `#` is the value. */
export function fill(text: string, values: WordValues, language: Language): string {
  const isolate = directionOf(language) === 'rtl' ? isolated : String;
  return text.replaceAll(PLACE, (place, name: string, forms: string | undefined) => {
    const value = values[name];
    if (value === undefined) return place;
    if (forms === undefined) return isolate(value);
    return pluralForm(forms, value, language).replace('#', () => isolate(value));
  });
}

function isolated(value: string | number): string {
  const hasWords = RIGHT_TO_LEFT_LETTER.test(String(value));
  return (hasWords ? WORDS_ISOLATE : ISOLATE) + value + END_ISOLATE;
}

function pluralForm(forms: string, value: string | number, language: Language): string {
  const byCategory = pluralForms(forms);
  const category = new Intl.PluralRules(language).select(Number(value));
  return byCategory.get(category) ?? byCategory.get('other') ?? '#';
}

/** Returns the forms of a plural by category, such as `one` and `other`. */
export function pluralForms(forms: string): ReadonlyMap<string, string> {
  return new Map(
    forms.split('|').map((form) => {
      const at = form.indexOf('=');
      return [form.slice(0, at), form.slice(at + 1)];
    }),
  );
}
