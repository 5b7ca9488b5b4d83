// The texts of all mails, one JSON file for each language. A missing key falls back to English.

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
  kind(kind: string): KindTexts;
}

interface TextFile {
  readonly common?: Partial<CommonTexts>;
  readonly kinds?: Readonly<Record<string, Partial<KindTexts>>>;
}

const FOLDER = join(import.meta.dirname, 'texts');
const FALLBACK = 'en';
const ENGLISH: TextFile = english;
const read = new Map<string, MailTexts>();

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

/** English if the language has no file. */
export function mailTexts(language: string): MailTexts {
  const known = read.get(language);
  if (known !== undefined) return known;
  // The name of a file comes from the list of files, never from a row.
  const found = mailLanguages().find((one) => one === language);
  if (found === undefined) return mailTexts(FALLBACK);
  const texts = withFallback(found, mailTextFile(found));
  read.set(found, texts);
  return texts;
}

function withFallback(language: string, file: TextFile): MailTexts {
  return {
    language,
    common: { ...ENGLISH.common, ...file.common } as CommonTexts,
    kind(kind) {
      const base = { button: '', ...ENGLISH.kinds?.[kind] } as KindTexts;
      return { ...base, ...file.kinds?.[kind] };
    },
  };
}
