// Checks compiled from schemas. Refuses inputs with the texts that clients rely on. A response that
// does not match its schema is a bug, checked only in tests.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { Refused } from '../../protocol/wire/index.ts';

export type InputCheck = (value: unknown) => Refused<'request_invalid'> | undefined;
/** Throws if the value does not match the schema. */
export type AnswerCheck = (value: unknown) => void;

/** Compiles a schema at its first use, because a process uses few of its routes often. */
export interface Checks {
  input(schema: TSchema): InputCheck;
  answer(schema: TSchema): AnswerCheck;
}

const DATE_TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Complete and in UTC: the only form in responses. */
const WIRE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Ajv's own optimizer takes as long as the rest of compiling, and the checks are not faster. */
const COMMON = { strict: false, code: { optimize: false } };

export function createChecks(): Checks {
  const inputs = new Ajv({ ...COMMON, allErrors: false, formats: inputFormats() });
  const answers = new Ajv({ ...COMMON, allErrors: true, formats: answerFormats() });
  return {
    input(schema) {
      let validate: ValidateFunction | undefined;
      return (value) => {
        validate ??= inputs.compile(schema);
        return validate(value) ? undefined : inputRefusal(validate.errors?.[0], schema);
      };
    },
    answer(schema) {
      let validate: ValidateFunction | undefined;
      return (value) => {
        validate ??= answers.compile(schema);
        if (validate(value)) return;
        throw new Error(
          `the response does not match its schema: ${answers.errorsText(validate.errors)}`,
        );
      };
    },
  };
}

function inputFormats() {
  const isTime = (text: string) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text));
  return { 'date-time': isTime };
}

function answerFormats() {
  return { 'date-time': WIRE_TIME };
}

function inputRefusal(error: ErrorObject | undefined, schema: TSchema): Refused<'request_invalid'> {
  const choice = error && choiceRefusal(error, schema);
  if (choice !== undefined) return new Refused('request_invalid', { detail: choice });
  const missing = error?.params.missingProperty as string | undefined;
  const unknown = error?.params.additionalProperty as string | undefined;
  const path = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  const name = [path, missing ?? unknown].filter(Boolean).join('.');
  const problem =
    missing !== undefined
      ? 'is required'
      : unknown !== undefined
        ? 'is unknown'
        : (error?.message ?? 'is invalid');
  return new Refused('request_invalid', { detail: `Parameter (${name}) ${problem}` });
}

/** Text for a query that must name one of several things and names none or too many. */
function choiceRefusal({ instancePath, keyword }: ErrorObject, schema: TSchema) {
  if (instancePath !== '') return undefined;
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  if (keyword === 'minProperties') {
    return `${names.map((name) => `Parameter (${name})`).join(' or ')} is required`;
  }
  return keyword === 'maxProperties' ? `Only one of (${names.join(', ')}) may be sent` : undefined;
}
