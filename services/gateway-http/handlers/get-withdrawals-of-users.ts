// Withdrawals of everybody, for operators.

import type { UserId } from '../../../core/money/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import type { Call, JsonText, StreamedAnswer } from '../handler.ts';
import { requestAnswerOfUser } from '../money/request-json.ts';
import { answerRequests } from '../money/request-list.ts';
import type { Parts } from '../parts.ts';

export function getWithdrawalsOfUsers(
  call: Call<Routes['getWithdrawalsOfUsers']>,
  parts: Parts,
): Promise<JsonText | StreamedAnswer> {
  return answerRequests(parts, {
    call,
    type: 'withdrawal',
    user: call.query.user_id as UserId | undefined,
    write: (row) => requestAnswerOfUser(row, parts.exchange.name),
  });
}
