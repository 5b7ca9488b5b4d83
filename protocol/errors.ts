// The catalogue of errors: for each key its status, its number and its text. Everything that is
// refused over the network is refused with one of these; a key or number is never used anew.

import { accessErrors } from './errors/access-errors.ts';
import type { ErrorEntry } from './errors/error-entry.ts';
import { moneyErrors } from './errors/money-errors.ts';
import { orderErrors } from './errors/order-errors.ts';
import { requestErrors } from './errors/request-errors.ts';
import { translated } from './languages/translations.ts';
import type { ErrorBody } from './resources/error-body.ts';

export const errors = { ...accessErrors, ...requestErrors, ...orderErrors, ...moneyErrors };

export type ErrorKey = keyof typeof errors;
export const ERROR_KEYS = Object.keys(errors) as readonly ErrorKey[];

/** What fills the holes of a text. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
}

/**
 * Clients that sign match the English texts and must get `en`; people get their language, and
 * English where a text has no translation.
 */
export function errorAnswer(
  key: ErrorKey,
  language = 'en',
  details: ErrorDetails = {},
): ErrorAnswer {
  const { code, status, text }: ErrorEntry = errors[key];
  const translation = language === 'en' ? undefined : translated(language, key);
  const message = filled(translation ?? text, details);
  const lang = translation === undefined ? 'en' : language;
  return { status, body: { message, lang, code } };
}

// A hole that nobody fills at the end of a text is left out, together with what leads to it:
// `Invalid coin: {currency}` becomes `Invalid coin`.
const HOLE = /\{([a-z_]+)\}/g;
const LAST_HOLE = /[\s:,;]*\{([a-z_]+)\}$/;

function filled(text: string, details: ErrorDetails): string {
  if (!text.includes('{')) return text;
  const last = LAST_HOLE.exec(text);
  const isOpen = last !== null && !Object.hasOwn(details, last[1]);
  const closed = isOpen ? text.slice(0, last.index) : text;
  return closed.replace(HOLE, (hole, name: string) =>
    Object.hasOwn(details, name) ? `${details[name]}` : hole,
  );
}
