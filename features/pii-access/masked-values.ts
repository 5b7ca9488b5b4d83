// Values that operators see masked and send back. A mask sent back unchanged keeps the stored
// value; any other mask is rejected, so no mask is ever stored.

import { Refused } from '../../protocol/wire/index.ts';
import type { PersonalData } from '../accounts/index.ts';
import { HIDDEN, hideText, maskEnding, maskName } from './masks.ts';

type Fields = Readonly<Record<string, unknown>>;

/** For a bank account or a payment detail, field names and these values are shown. */
const SHOWN_OF_BANK: ReadonlySet<string> = new Set([
  'id',
  'type',
  'status',
  'message',
  'bank_name',
]);
const DATES_OF_DOCUMENT: ReadonlySet<string> = new Set(['issued_date', 'expiration_date']);

/** Shows the last two characters of texts and numbers, and nothing of lists and objects. */
export function maskBank(account: Fields): Record<string, unknown> {
  return mapped(account, (value, name) => {
    if (SHOWN_OF_BANK.has(name) || typeof value === 'boolean') return value;
    if (typeof value === 'string') return maskEnding(value);
    return typeof value === 'number' ? maskEnding(`${value}`) : null;
  });
}

export function maskAddress(address: Fields): Record<string, unknown> {
  return mapped(address, (value, name) => (name === 'country' ? value : hideValue(value)));
}

/**
 * Dates become null, because the interface has no other mask for a date. Numbers, such as a status,
 * stay.
 */
export function maskDocument(document: Fields): Record<string, unknown> {
  return mapped(document, (value, name) => {
    if (name === 'type' || typeof value === 'number') return value;
    if (DATES_OF_DOCUMENT.has(name)) return null;
    return name === 'number' && typeof value === 'string' ? maskEnding(value) : hideValue(value);
  });
}

/** For operator-defined values, shows only that a value exists. */
export function maskMeta(meta: Fields): Record<string, unknown> {
  return mapped(meta, hideValue);
}

function hideValue(value: unknown): unknown {
  if (value === null || value === '') return value;
  return typeof value === 'object' ? null : HIDDEN;
}

/** Returns the value for a text sent back for a masked one. */
export function unmaskText(
  sent: string,
  present: string,
  mask: (value: string) => string,
): string | Refused<'masked_value'> {
  if (present !== '' && sent === mask(present)) return present;
  return sent.includes(HIDDEN) ? new Refused('masked_value') : sent;
}

/** Returns the values for fields sent back for masked ones. */
export function unmaskFields(
  sent: Fields,
  present: Fields,
  mask: (fields: Fields) => Fields,
): Record<string, unknown> | Refused<'masked_value'> {
  const seen = mask(present);
  const isSeen = (name: string, value: unknown) =>
    Object.hasOwn(seen, name) && value === seen[name];
  const isForeignMask = ([name, value]: [string, unknown]) =>
    !isSeen(name, value) && typeof value === 'string' && value.includes(HIDDEN);
  if (Object.entries(sent).some(isForeignMask)) return new Refused('masked_value');
  return mapped(sent, (value, name) => (isSeen(name, value) ? present[name] : value));
}

/** A change as operators send it; a gender of null is a mask. */
export type PersonalChange = Partial<
  Omit<PersonalData, 'gender'> & { readonly gender: boolean | null }
>;

/**
 * Returns the change intended by an operator who sees masks in all fields except the unmasked ones.
 * A masked birthday or gender is null, which keeps the value.
 */
export function unmaskPersonal(
  present: PersonalData,
  change: PersonalChange,
  clear: ReadonlySet<string>,
): Partial<PersonalData> | Refused<'masked_value'> {
  const { address, dob, fullName, gender, idData, nationality, phoneNumber } = change;
  const masked = <Value>(field: string, value: Value | undefined): value is Value =>
    value !== undefined && !clear.has(field);
  const unmasked = {
    ...(masked('full_name', fullName) && {
      fullName: unmaskText(fullName, present.fullName, maskName),
    }),
    ...(masked('phone_number', phoneNumber) && {
      phoneNumber: unmaskText(phoneNumber, present.phoneNumber, maskEnding),
    }),
    ...(masked('nationality', nationality) && {
      nationality: unmaskText(nationality, present.nationality, hideText),
    }),
    ...(gender !== undefined && { gender: gender ?? present.gender }),
    ...(masked('dob', dob) && { dob: dob ?? present.dob }),
    ...(masked('address', address) && {
      address: unmaskFields(address, present.address, maskAddress),
    }),
    ...(masked('id_data', idData) && {
      idData: unmaskFields(idData, present.idData, maskDocument),
    }),
  };
  const refused = Object.values(unmasked).find((value) => value instanceof Refused);
  return refused ?? ({ ...change, ...unmasked } as Partial<PersonalData>);
}

function mapped(
  fields: Fields,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, map(value, name)]),
  );
}
