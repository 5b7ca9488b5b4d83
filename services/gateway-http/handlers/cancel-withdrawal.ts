// A user takes back a withdrawal that nobody has begun to pay.

import { cancelWithdrawalRequest } from '../../../domain/transfers/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { DepositOrWithdrawal, Routes } from '../../../protocol/index.ts';
import type { Call } from '../handler.ts';
import { changeRefusal } from '../money/change-refusal.ts';
import { requestAnswer } from '../money/request-json.ts';
import { settleRequest } from '../money/settle-request.ts';
import { tellRequest } from '../money/tell-request.ts';
import type { Parts } from '../parts.ts';

export async function cancelWithdrawal(
  { caller, query }: Call<Routes['cancelWithdrawal']>,
  parts: Parts,
): Promise<DepositOrWithdrawal> {
  const { user } = caller;
  const changed = await withConnection(parts.registry, (session) =>
    cancelWithdrawalRequest(session, { id: query.id }, { user }),
  );
  if (changed.kind === 'refused') throw changeRefusal('withdrawal', changed.refusal);
  await settleRequest(parts, changed.position);
  return requestAnswer(await tellRequest(parts, { type: 'withdrawal', id: query.id }));
}
