// Tokens of personal data: keyed hashes that find users while the data stays sealed. A search tries
// every key of the vault, so it also works during a rotation.

import { idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

export type TokenField = 'phone' | 'document' | 'name' | 'birth' | 'gender' | 'nationality';

export interface PersonalToken {
  readonly field: TokenField;
  readonly mac: Buffer;
}

/** Personal data from which tokens are created. */
export interface TokenSource {
  readonly fullName: string;
  readonly gender: boolean;
  readonly nationality: string;
  readonly dob: string | null;
  readonly phoneNumber: string;
  readonly idData: Readonly<Record<string, unknown>>;
}

const MAC_BYTES = 16;
/** Shorter numbers find too many users. */
const PHONE_DIGITS_MIN = 5;
const WORDS_MAX = 8;
const PREFIX_MIN = 3;
/** Longer words are found by their beginning. */
const PREFIX_MAX = 12;

/** Returns every token of the data, under the active key. */
export function tokensOf(vault: Vault, data: TokenSource): PersonalToken[] {
  return textsOf(data).map(([field, text]) => ({
    field,
    mac: vault.mac(labelOf(field), text).subarray(0, MAC_BYTES),
  }));
}

/** Returns the tokens of each word of a name: a user must have one from every group. */
export function nameTokens(vault: Vault, name: string): Buffer[][] {
  return wordsOf(name).map((word) => macsOf(vault, 'name', word.slice(0, PREFIX_MAX)));
}

/** Returns undefined if the text cannot be a phone number. */
export function phoneTokens(vault: Vault, phone: string): Buffer[] | undefined {
  const digits = phoneDigits(phone);
  return digits.length < PHONE_DIGITS_MIN ? undefined : macsOf(vault, 'phone', digits);
}

/** Returns undefined if the text cannot be a document number. */
export function documentTokens(vault: Vault, number: string): Buffer[] | undefined {
  const text = documentText(number);
  return text === '' ? undefined : macsOf(vault, 'document', text);
}

export function nationalityTokens(vault: Vault, nationality: string): Buffer[] {
  return macsOf(vault, 'nationality', plainText(nationality));
}

/** Tokens of users whose gender is true; all others have none. */
export function genderTokens(vault: Vault): Buffer[] {
  return macsOf(vault, 'gender', 'true');
}

/**
 * Tokens of all birth dates from one day to another, both inclusive: full years, full months and
 * single days. The caller limits the range.
 */
export function birthTokens(
  vault: Vault,
  { from, to }: { readonly from: Date; readonly to: Date },
): Buffer[] {
  return birthTexts(dayOf(from), dayOf(to)).flatMap((text) => macsOf(vault, 'birth', text));
}

/** Exported for its test. */
export function birthTexts(from: string, to: string): string[] {
  const texts: string[] = [];
  let at = from;
  while (at <= to) {
    const [year, month] = [at.slice(0, 4), at.slice(0, 7)];
    const [yearEnd, monthEnd] = [`${year}-12-31`, lastDayOf(month)];
    if (at.endsWith('-01-01') && yearEnd <= to) {
      texts.push(year);
      at = nextDay(yearEnd);
    } else if (at.endsWith('-01') && monthEnd <= to) {
      texts.push(month);
      at = nextDay(monthEnd);
    } else {
      texts.push(at);
      at = nextDay(at);
    }
  }
  return texts;
}

/** With wire values; others count as empty. */
export function documentStatusOf({ idData }: TokenSource): number {
  const { status } = idData;
  return status === 1 || status === 2 || status === 3 ? status : 0;
}

/** Returns users whose tokens were made with another key, or who have none yet, lowest first. */
export async function listUsersWithOldTokens<Id extends number>(
  statements: Statements,
  vault: Vault,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Id[]> {
  const { rows } = await statements.query(
    `select user_id from personal_data
     where (token_kek_id is null or token_kek_id < $1 or token_kek_id > $1) and user_id > $2
     order by user_id limit $3`,
    [vault.activeId, after, limit],
  );
  return rows.map(({ user_id }) => idOf<Id>(user_id));
}

/** Whether tokens made with the key are still in use. */
export async function hasTokensOf(statements: Statements, kekId: number): Promise<boolean> {
  const { rows } = await statements.query(
    'select exists (select from personal_data where token_kek_id = $1) as found',
    [kekId],
  );
  return rows[0].found;
}

function textsOf({ dob, fullName, gender, idData, nationality, phoneNumber }: TokenSource) {
  const texts = new Map<string, [TokenField, string]>();
  const add = (field: TokenField, text: string) => texts.set(`${field} ${text}`, [field, text]);
  const digits = phoneDigits(phoneNumber);
  if (digits.length >= PHONE_DIGITS_MIN) add('phone', digits);
  const number = documentText(typeof idData.number === 'string' ? idData.number : '');
  if (number !== '') add('document', number);
  for (const word of wordsOf(fullName)) {
    const letters = [...word];
    if (letters.length < PREFIX_MIN) add('name', word);
    for (let end = PREFIX_MIN; end <= Math.min(letters.length, PREFIX_MAX); end++) {
      add('name', letters.slice(0, end).join(''));
    }
  }
  const birth = dob === null ? Number.NaN : Date.parse(dob);
  if (!Number.isNaN(birth)) {
    const day = dayOf(new Date(birth));
    for (const text of [day.slice(0, 4), day.slice(0, 7), day]) add('birth', text);
  }
  if (gender) add('gender', 'true');
  if (plainText(nationality) !== '') add('nationality', plainText(nationality));
  return [...texts.values()];
}

function macsOf(vault: Vault, field: TokenField, text: string): Buffer[] {
  return vault.macs(labelOf(field), text).map((mac) => mac.subarray(0, MAC_BYTES));
}

function labelOf(field: TokenField): string {
  return `personal ${field}`;
}

/** Removes accents and case: `José` and `jose` are one word. */
function plainText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

function wordsOf(name: string): string[] {
  const words = plainText(name).split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '').slice(0, WORDS_MAX);
}

/** `+41 44 …`, `0041 44 …` and `4144…` are one number. */
function phoneDigits(phone: string): string {
  return phone
    .normalize('NFKC')
    .replace(/[^0-9]/g, '')
    .replace(/^00/, '');
}

function documentText(number: string): string {
  return plainText(number).replace(/[^\p{L}\p{N}]/gu, '');
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function nextDay(day: string): string {
  return dayOf(new Date(Date.parse(day) + 86_400_000));
}

function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year, number, 0)));
}
