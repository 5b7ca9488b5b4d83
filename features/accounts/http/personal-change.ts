// Personal data sent by an operator, converted to domain names.

import { momentFilter } from '../../../platform/http/index.ts';
import type { BodyOf, Routes } from '../../../protocol/index.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';

type PersonalIn = BodyOf<Routes['updateUser']>;

/** Returns the fields that were sent. A date is a time in ISO 8601. */
export function personalChange(body: PersonalIn): JsonObject {
  const { address, dob, full_name, gender, id_data, nationality, phone_number } = body;
  const { expiration_date, issued_date, ...document } = id_data ?? {};
  const dates = { issued_date: moment(issued_date), expiration_date: moment(expiration_date) };
  return given({
    fullName: full_name,
    gender,
    nationality,
    phoneNumber: phone_number,
    dob: moment(dob),
    address: address && given(address),
    idData: id_data && given({ ...document, ...dates }),
  });
}

function moment(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? momentFilter(text)?.toISOString() : text;
}

function given(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const sent = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as JsonObject;
}
