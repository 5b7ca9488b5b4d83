// Compares a value with a documented shape. Additional fields are allowed, but missing and
// different ones are not.

import type { Fields, Scalar, Shape } from './shape.ts';

export interface Mismatch {
  /** For example `data[].User.email`. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}

export interface Matched {
  readonly mismatches: readonly Mismatch[];
  /** Paths of the documented fields that were present. */
  readonly fields: ReadonlySet<string>;
}

const WIRE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const SHOWN_MAX = 80;

const isOf: Readonly<Record<Scalar, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && WIRE_TIME.test(value),
  seconds: (value) =>
    Number.isInteger(value) && Math.abs(Number(value) - Date.now() / 1_000) < 3_600,
  object: isObject,
  array: Array.isArray,
};

export function matchShape(value: unknown, shape: Shape): Matched {
  const mismatches: Mismatch[] = [];
  const fields = new Set<string>();
  visit(value, shape, '');
  return { mismatches, fields };

  function visit(found: unknown, wanted: Shape, path: string): void {
    if (typeof wanted === 'string') {
      if (wanted === 'any') return;
      const [scalar, ...rest] = wanted.split('?') as [Scalar, ...string[]];
      if ((rest.length > 0 && found === null) || isOf[scalar](found)) return;
      differ(path, rest.length > 0 ? `${scalar} or null` : scalar, found);
    } else if ('orNull' in wanted) {
      if (found !== null) visit(found, wanted.orNull, path);
    } else if ('values' in wanted) {
      if (!wanted.values.includes(found as string)) differ(path, wanted.values.join(' or '), found);
    } else if ('fields' in wanted) {
      if (isObject(found)) visitFields(found, wanted.fields, path);
      else differ(path, 'object', found);
    } else if ('list' in wanted) {
      if (!Array.isArray(found)) differ(path, 'array', found);
      else for (const one of found) visit(one, wanted.list, `${path}[]`);
    } else if ('map' in wanted) {
      if (!isObject(found)) differ(path, 'object', found);
      else for (const one of Object.values(found)) visit(one, wanted.map, `${path}{}`);
    } else if ('tuple' in wanted) {
      if (!Array.isArray(found) || found.length !== wanted.tuple.length) {
        differ(path, `array of ${wanted.tuple.length}`, found);
      } else wanted.tuple.forEach((one, at) => void visit(found[at], one, `${path}[]`));
    } else if ('page' in wanted) {
      const row: Shape = { list: wanted.page };
      const page: Fields = { count: ['number', 'total rows'], data: [row, 'rows'] };
      visit(found, { fields: page }, path);
    } else if (isObject(found)) visitBalance(found, wanted.balance, path);
    else differ(path, 'object', found);
  }

  function visitFields(found: Readonly<Record<string, unknown>>, wanted: Fields, path: string) {
    for (const [name, [shape]] of Object.entries(wanted)) {
      const inner = path === '' ? name : `${path}.${name}`;
      if (found[name] === undefined) differ(inner, nameOf(shape), undefined);
      else {
        fields.add(inner);
        visit(found[name], shape, inner);
      }
    }
  }

  function visitBalance(found: Readonly<Record<string, unknown>>, more: Fields, path: string) {
    visitFields(found, more, path);
    const coins = Object.keys(found).filter((key) => key.endsWith('_balance'));
    if (coins.length === 0) differ(path, '<coin>_balance', found);
    for (const key of coins) {
      const available = key.replace(/_balance$/, '_available');
      visitFields(found, { [key]: ['number', ''], [available]: ['number', ''] }, path);
    }
  }

  function differ(path: string, expected: string, found: unknown): void {
    mismatches.push({ path, expected, seen: shown(found) });
  }
}

/** Returns paths of all documented fields of a shape, as `matchShape` names them. */
export function fieldsOf(shape: Shape, path = ''): readonly string[] {
  if (typeof shape === 'string' || 'values' in shape) return [];
  if ('orNull' in shape) return fieldsOf(shape.orNull, path);
  if ('list' in shape) return fieldsOf(shape.list, `${path}[]`);
  if ('map' in shape) return fieldsOf(shape.map, `${path}{}`);
  if ('tuple' in shape) return shape.tuple.flatMap((one) => fieldsOf(one, `${path}[]`));
  if ('page' in shape) {
    const at = path === '' ? '' : `${path}.`;
    return [`${at}count`, `${at}data`, ...fieldsOf(shape.page, `${at}data[]`)];
  }
  const fields = 'fields' in shape ? shape.fields : shape.balance;
  return Object.entries(fields).flatMap(([name, [inner]]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...fieldsOf(inner, at)];
  });
}

export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

function nameOf(shape: Shape): string {
  if (typeof shape === 'string') return shape.replace('?', ' or null');
  return 'list' in shape ? 'array' : 'values' in shape ? shape.values.join(' or ') : 'object';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
