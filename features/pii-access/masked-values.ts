// Values that operators see masked, and send back. A mask that comes back unchanged keeps the value
// behind it; any other mask is refused, so that no mask is ever stored.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { PersonalData } from '../accounts/index.ts';
import type { Operator } from '../approvals/index.ts';
import { HIDDEN, hideText, maskEnding, maskName } from './masks.ts';
import { openReveal } from './reveals.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Of a bank account or a payment detail: names of fields and these values are shown. */
const SHOWN_OF_BANK: ReadonlySet<string> = new Set([
  'id',
  'type',
  'status',
  'message',
  'bank_name',
]);
const DATES_OF_DOCUMENT: ReadonlySet<string> = new Set(['issued_date', 'expiration_date']);

/** The last two characters of texts and numbers; nothing of lists and objects. */
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

/** Dates become null, as the interface knows no other mask of a date. Numbers, such as a status,
 * stay. */
export function maskDocument(document: Fields): Record<string, unknown> {
  return mapped(document, (value, name) => {
    if (name === 'type' || typeof value === 'number') return value;
    if (DATES_OF_DOCUMENT.has(name)) return null;
    return name === 'number' && typeof value === 'string' ? maskEnding(value) : hideValue(value);
  });
}

/** Of values that operators define: only that there is something. */
export function maskMeta(meta: Fields): Record<string, unknown> {
  return mapped(meta, hideValue);
}

function hideValue(value: unknown): unknown {
  if (value === null || value === '') return value;
  return typeof value === 'object' ? null : HIDDEN;
}

/** A text that was sent for one that was seen masked. */
export function unmaskText(
  sent: string,
  present: string,
  mask: (value: string) => string,
): string | Refused<'masked_value'> {
  if (present !== '' && sent === mask(present)) return present;
  return sent.includes(HIDDEN) ? new Refused('masked_value') : sent;
}

/** Fields that were sent for those that were seen masked. */
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

/**
 * The change that an operator means who sees masks in all fields but the clear ones. A masked
 * birthday is null, a masked gender false: they keep the values too.
 */
export function unmaskPersonal(
  present: PersonalData,
  change: Partial<PersonalData>,
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
    ...(masked('gender', gender) && { gender: gender || present.gender }),
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

/** The personal fields, as on the wire, that the operator sees of the user. */
export async function clearFieldsOf(
  statements: Statements,
  { powers, user: operator }: Pick<Operator, 'powers' | 'user'>,
  { nowMs, subject }: { readonly subject: UserId; readonly nowMs: number },
): Promise<ReadonlySet<string>> {
  if (powers.has('pii.unmasked') && (await isInReview(statements, subject, operator))) {
    return EVERY_FIELD;
  }
  const open = await openReveal(statements, { operator, subject, nowMs });
  return open?.fields ?? new Set();
}

const EVERY_FIELD: ReadonlySet<string> = new Set([
  'full_name',
  'phone_number',
  'nationality',
  'gender',
  'dob',
  'address',
  'id_data',
]);

/** In a review that the operator did not open. */
async function isInReview(
  statements: Statements,
  user: UserId,
  operator: UserId,
): Promise<boolean> {
  const { rows } = await statements.query(
    `select from personal_data
     where user_id = $1 and document_status = 1 and document_by is distinct from $2
     union all
     select from bank_accounts where user_id = $1 and removed_at is null and status = 'pending'
       and coalesce(decided_by, entered_by) is distinct from $2
     limit 1`,
    [user, operator],
  );
  return rows.length > 0;
}

function mapped(
  fields: Fields,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, map(value, name)]),
  );
}
