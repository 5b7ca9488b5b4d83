// Texts of all emails, one JSON file per language. An email has one language: a kind missing from a
// file is written in English.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import english from './texts/en.json' with { type: 'json' };

/** Texts shared by several kinds: labels, hints, the footer. */
export type CommonTexts = Readonly<Record<keyof typeof english.common, string>>;

export interface KindTexts {
  /** Also used as the heading. */
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** '' if the email has no button. */
  readonly button: string;
}

/** Replaces the texts of the file. */
export type OwnMailTexts = Pick<KindTexts, 'subject' | 'paragraphs'>;

export interface MailTexts {
  /** Language of the file. */
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

/** Languages with a file, in alphabetical order. */
export function mailLanguages(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** Content of a language's file, without fallbacks. */
export function mailTextFile(language: string): TextFile {
  return JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as TextFile;
}

/**
 * Uses English if the language has no file, or the file lacks the kind. With `isOwn` the operator
 * wrote the kind in this language, so the other texts are in that language too.
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

/** A file name comes from the list of files, never from a row. */
function fileOf(language: string): TextFile | undefined {
  const known = read.get(language);
  if (known !== undefined || !mailLanguages().includes(language)) return known;
  const file = mailTextFile(language);
  read.set(language, file);
  return file;
}
