// Prepares and runs actions in tests without votes. Throws rejections to keep tests short;
// `refusal` is the key.

import { Refused } from '../../protocol/wire/index.ts';
import type { JsonObject, JsonValue } from '../audit/index.ts';
import type { Act, ActContext, Executed, Prepared } from './act.ts';

export async function prepareForTest<Payload extends JsonObject, Result extends JsonValue>(
  act: Act<Payload, Result, string>,
  context: ActContext,
  payload: Payload,
): Promise<Prepared<Result>> {
  return allowed(await act.prepare(context, payload));
}

export async function runForTest<Payload extends JsonObject, Result extends JsonValue>(
  act: Act<Payload, Result, string>,
  context: ActContext,
  payload: Payload,
): Promise<Executed<Result>> {
  return allowed(await (await prepareForTest(act, context, payload)).run());
}

/** Throws a rejection. */
export function allowed<Result>(result: Result): Exclude<Result, Refused> {
  if (result instanceof Refused) throw new RefusedInTest(result.key);
  return result as Exclude<Result, Refused>;
}

export class RefusedInTest extends Error {
  override readonly name = 'RefusedInTest';
  readonly refusal: string;

  constructor(refusal: string) {
    super(refusal);
    this.refusal = refusal;
  }
}
