// An act whose answer is written as text, such as an order: its decimals keep their digits.

import { type Dependencies, JsonAnswer, type JsonText } from '../../../platform/http/index.ts';
import { answerAct, type OperatorCall } from '../../approvals/http/index.ts';
import type { Act } from '../../approvals/index.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';

export async function answerActWithText<Payload extends JsonObject, Result extends JsonValue>(
  call: OperatorCall,
  dependencies: Dependencies,
  act: Act<Payload, Result>,
  payload: Payload,
  answerOf: (result: Result) => Promise<JsonText>,
): Promise<JsonText | JsonAnswer<never>> {
  const answer = await answerAct(call, dependencies, act, payload, answerOf);
  // One that waits has a body of its own.
  return answer instanceof JsonAnswer
    ? (answer as JsonAnswer<unknown> as JsonAnswer<never>)
    : answer;
}
