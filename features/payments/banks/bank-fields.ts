// Fields of a bank account: those that the operator defined for its type or, without a definition,
// any short texts. Pure.

import { Refused } from '../../../protocol/wire/index.ts';
import type { BankFields } from './bank-accounts.ts';

/** `user_payments` in the kit, as the operator wrote it. */
export type PaymentTypes = Readonly<Record<string, unknown>>;

export type FieldsRefusal =
  | 'bank_type_unknown'
  | 'bank_field_missing'
  | 'bank_field_unknown'
  | 'bank_field_invalid';

interface DefinedField {
  readonly key: string;
  readonly required: boolean;
}

/** Response fields that a client can send back; the exchange decides them. */
const OWN_FIELDS: readonly string[] = ['id', 'status', 'message', 'verified'];
const FIELD_NAME = /^[a-z][a-z0-9_]{0,31}$/;
const FIELDS_MAX = 20;

/** Returns the fields to store, with `type` if there is one. */
export function bankFields(
  given: Readonly<Record<string, string>>,
  types: PaymentTypes,
): BankFields | Refused<FieldsRefusal> {
  const { type, ...all } = given;
  const fields = Object.entries(all).filter(([name]) => !OWN_FIELDS.includes(name));
  const defined = Object.keys(types).length === 0 ? undefined : fieldsOfType(types, type ?? '');
  if (defined === 'unknown') return refused('bank_type_unknown', type ?? '');
  const strange = fields.find(([name]) => !isKnown(name, defined));
  if (strange !== undefined) return refused('bank_field_unknown', strange[0]);
  if (fields.length > FIELDS_MAX) {
    return refused('bank_field_unknown', fields[FIELDS_MAX][0]);
  }
  const filled = fields.filter(([, value]) => value.trim() !== '');
  const missing = (defined ?? [])
    .filter(({ required }) => required)
    .find(({ key }) => !filled.some(([name]) => name === key));
  if (missing !== undefined) return refused('bank_field_missing', missing.key);
  if (filled.length === 0) return refused('bank_field_missing', 'account_number');
  const mistyped = filled.find(([, value]) => isMistypedIban(value));
  if (mistyped !== undefined) return refused('bank_field_invalid', mistyped[0]);
  const trimmed = filled.map(([name, value]) => [name, value.trim()]);
  const typed = type === undefined ? trimmed : [['type', type], ...trimmed];
  return Object.fromEntries(typed);
}

/** Country and two check digits, then the account, in the form of ISO 13616. */
const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/;

/** Other account numbers have no check digits. */
function isMistypedIban(value: string): boolean {
  const iban = value.replaceAll(/\s/g, '').toUpperCase();
  if (!IBAN.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((one) => Number.parseInt(one, 36));
  return BigInt(digits.join('')) % 97n !== 1n;
}

function refused(key: FieldsRefusal, name: string): Refused<FieldsRefusal> {
  return new Refused(key, { name });
}

function isKnown(name: string, defined: readonly DefinedField[] | undefined): boolean {
  if (defined === undefined) return FIELD_NAME.test(name);
  return defined.some(({ key }) => key === name);
}

function fieldsOfType(types: PaymentTypes, type: string): readonly DefinedField[] | 'unknown' {
  if (!Object.hasOwn(types, type)) return 'unknown';
  const { data } = (types[type] ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data)) return [];
  return data.flatMap((field) =>
    typeof field?.key === 'string' ? [{ key: field.key, required: field.required === true }] : [],
  );
}
