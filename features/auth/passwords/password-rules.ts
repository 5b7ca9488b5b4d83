// Decides which passwords are accepted: length, and neither common nor obvious for this user. Kinds
// of characters are not checked, because such rules make passwords alike, not strong.

import { readFileSync } from 'node:fs';
import { Refused } from '../../../protocol/wire/index.ts';
import { BloomFilter } from './bloom-filter.ts';
import { normalPassword } from './password-hasher.ts';

export interface PasswordOwner {
  readonly email: string;
  readonly exchangeName: string;
  readonly isOperator: boolean;
}

export type PasswordRefusal = 'password_weak' | 'password_weak_for_operator';

const CHARACTERS_MIN = 8;
const CHARACTERS_MIN_FOR_OPERATORS = 15;
const CHARACTERS_MAX = 128;

/** Returns undefined if the password is accepted. */
export function checkPassword(
  password: string,
  { email, exchangeName, isOperator }: PasswordOwner,
): Refused<PasswordRefusal> | undefined {
  const normal = normalPassword(password);
  const length = [...normal].length;
  if (length < CHARACTERS_MIN || length > CHARACTERS_MAX) return new Refused('password_weak');
  const folded = normal.toLowerCase();
  const name = email.slice(0, email.lastIndexOf('@'));
  const obvious = [name, email, exchangeName].map((text) => normalPassword(text).toLowerCase());
  if (obvious.includes(folded) || commonPasswords().has(folded)) {
    return new Refused('password_weak');
  }
  if (isOperator && length < CHARACTERS_MIN_FOR_OPERATORS) {
    return new Refused('password_weak_for_operator');
  }
  return undefined;
}

/**
 * Bloom filter of the most common passwords, in lower case. tools/common-passwords generates it
 * from a published list.
 */
export const COMMON_PASSWORDS_FILE = new URL('common-passwords.bloom', import.meta.url);

let loaded: BloomFilter | undefined;

/** Loads the file on first use, because most processes never check a password. */
export function commonPasswords(): BloomFilter {
  loaded ??= new BloomFilter(readFileSync(COMMON_PASSWORDS_FILE));
  return loaded;
}
