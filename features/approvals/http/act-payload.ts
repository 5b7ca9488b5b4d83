// Converts operators' request bodies to action payloads: decimals as texts, without absent fields.

import type { JsonObject } from '../../audit/index.ts';

type Defined<Fields> = {
  [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
};

/** Removes undefined fields. */
export function definedOf<Fields extends Readonly<Record<string, unknown>>>(
  fields: Fields,
): Partial<Defined<Fields>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Defined<Fields>>;
}

/** The body reader keeps integers as numbers and all other numbers as texts. */
export function decimalText(given: number | string): string {
  return `${given}`;
}

export function optionalText(given: number | string | undefined): string | undefined {
  return given === undefined ? undefined : decimalText(given);
}

export function nullableText(given: number | string | null | undefined): string | null | undefined {
  return given === null ? null : optionalText(given);
}

export function jsonObject(given: Record<string, unknown> | undefined): JsonObject | undefined {
  return given as JsonObject | undefined;
}
