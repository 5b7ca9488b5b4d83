// Random requests of every kind from a seed: deposits, withdrawals (some too large), completions
// and cancellations, burns and transfers.

import type { Atoms, UserId } from '../../core/money/index.ts';
import { completeIn, endIn } from '../../features/payments/admin/withdrawal-review.ts';
import { requestTransfer } from '../../features/payments/deposits/requests.ts';
import { requestDeposit } from '../../features/payments/index.ts';
import { addBurnRequest, openWithdrawalIn } from '../../features/payments/withdrawals/requests.ts';
import type { OwnConnection } from '../../infra/postgres/index.ts';
import type { Random } from '../flows/index.ts';
import { BTC, CLAIM, PROVEN_DESTINATION, USDT } from './exchange-for-test.ts';
import { inOwnTransaction } from './own-transaction.ts';

const completeWithdrawal = inOwnTransaction(completeIn);
const endWithdrawal = inOwnTransaction(endIn);
const requestBurn = inOwnTransaction(addBurnRequest);
const openWithdrawalRequest = inOwnTransaction(openWithdrawalIn);

export interface RequestsOptions {
  readonly session: OwnConnection;
  readonly users: readonly UserId[];
  readonly random: Random;
  readonly count: number;
}

/** Resolves with the number of outbox positions that the requests took. */
export async function makeRequests(options: RequestsOptions): Promise<number> {
  let positions = 0;
  for (let made = 0; made < options.count; made++) {
    const { kind } = await makeRequest(options);
    if (kind === 'requested') positions++;
  }
  return positions;
}

async function makeRequest({ random, session, users }: RequestsOptions): Promise<{ kind: string }> {
  const dice = random.below(100);
  const user = random.pick(users);
  const asset = random.pick([BTC, USDT]);
  const amountAtoms = BigInt(1 + random.below(1_000)) as Atoms;
  if (dice < 30) {
    return requestDeposit(session, { user, asset, amountAtoms, isChainCoin: asset === BTC });
  }
  if (dice < 70) {
    const feeAtoms = BigInt(random.below(5)) as Atoms;
    return openWithdrawalRequest(session, {
      user,
      asset,
      amountAtoms,
      feeAsset: USDT,
      feeAtoms,
      ...PROVEN_DESTINATION,
    });
  }
  if (dice < 75) return requestBurn(session, { user, asset, amountAtoms });
  if (dice < 82) {
    const receiver = random.pick(users);
    const transfer = { sender: user, receiver, asset, amountAtoms, description: 'for a test' };
    return requestTransfer(session, transfer);
  }
  const { rows } = await session.query(
    "select id from withdrawal_requests where state = 'approved' order by id limit 1 offset $1",
    [random.below(5)],
  );
  if (rows.length === 0) return { kind: 'refused' };
  const id = Number(rows[0].id);
  return dice < 92
    ? completeWithdrawal(session, { id }, { ...CLAIM, transactionId: `chain ${id}` })
    : endWithdrawal(session, { id }, { as: 'rejected', payer: CLAIM.payer });
}
