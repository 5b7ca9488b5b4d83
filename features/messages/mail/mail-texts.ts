// The texts of all mails, one JSON file per language. A mail has one language: a kind that a file
// lacks is written in English.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import english from './texts/en.json' with { type: 'json' };

/** Texts that several kinds share: labels, hints, the footer. */
export type CommonTexts = Readonly<Record<keyof typeof english.common, string>>;

export interface KindTexts {
  /** Also the heading. */
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** '' if the mail has no button. */
  readonly button: string;
}

/** Instead of the texts of the file. */
export type OwnMailTexts = Pick<KindTexts, 'subject' | 'paragraphs'>;

export interface MailTexts {
  /** The language of the file. */
  readonly language: string;
  readonly common: CommonTexts;
  readonly kind: KindTexts;
}

interface TextFile {
  readonly common?: Partial<CommonTexts>;
  readonly kinds?: Readonly<Record<string, Partial<KindTexts>>>;
}

const FOLDER = join(import.meta.dirname, 'texts');
const FALLBACK = 'en';
const ENGLISH: TextFile = english;
const read = new Map<string, TextFile>();

/** The languages that have a file, in alphabetical order. */
export function mailLanguages(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** The content of a language's file, without fallbacks. */
export function mailTextFile(language: string): TextFile {
  return JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as TextFile;
}

/**
 * English if the language has no file, or the file lacks the kind. With `isOwn` the operator wrote
 * the kind in this language, so the other texts are of the language too.
 */
export function mailTexts(
  language: string,
  kind: string,
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): MailTexts {
  const file = fileOf(language);
  const own = file?.kinds?.[kind];
  const isEnglish = file === undefined || (own === undefined && !isOwn);
  return {
    language: isEnglish ? FALLBACK : language,
    common: { ...ENGLISH.common, ...(isEnglish ? {} : file.common) } as CommonTexts,
    kind: { button: '', ...ENGLISH.kinds?.[kind], ...own } as KindTexts,
  };
}

/** The name of a file comes from the list of files, never from a row. */
function fileOf(language: string): TextFile | undefined {
  const known = read.get(language);
  if (known !== undefined || !mailLanguages().includes(language)) return known;
  const file = mailTextFile(language);
  read.set(language, file);
  return file;
}
