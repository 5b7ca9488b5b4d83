// A user's deposits, the newest first.

import type { Routes } from '../../../protocol/index.ts';
import type { Call, JsonText, StreamedAnswer } from '../handler.ts';
import { requestAnswer } from '../money/request-json.ts';
import { answerRequests } from '../money/request-list.ts';
import type { Parts } from '../parts.ts';

export function getDeposits(
  call: Call<Routes['getDeposits']>,
  parts: Parts,
): Promise<JsonText | StreamedAnswer> {
  const { user } = call.caller;
  return answerRequests(parts, { call, type: 'deposit', user, write: requestAnswer });
}
