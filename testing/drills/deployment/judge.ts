// Compares the clients' answers with the final state of the exchange: every acknowledged order and
// withdrawal exists once, every acknowledged cancel took effect, and nothing else exists.

import { RialtoClient } from '../../../client/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type { HonestClient } from './honest-client.ts';

export interface Verdict {
  acknowledged: number;
  lost: number;
  doubled: number;
  /** In a different state than acknowledged, or never sent. */
  wrong: number;
  withdrawals: number;
  /** Orders that the stream never showed. */
  unstreamed: number;
  readonly examples: string[];
}

const STREAMED_WITHIN_MS = 30_000;

export async function judge(url: string, clients: readonly HonestClient[]): Promise<Verdict> {
  const verdict: Verdict = {
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    wrong: 0,
    withdrawals: 0,
    unstreamed: 0,
    examples: [],
  };
  for (const client of clients) {
    const { key, secret } = client.person;
    const rest = new RialtoClient({ url, key, secret, timeoutMs: 30_000 });
    const { data: orders } = await rest.getOrders({ format: 'all' });
    judgeOrders(verdict, client, orders);
    const { data: withdrawals } = await rest.getWithdrawals({ format: 'all' });
    judgeWithdrawals(verdict, client, withdrawals);
    verdict.unstreamed += await unstreamed(client);
  }
  return verdict;
}

interface Listed {
  readonly id: string;
  readonly client_order_id?: string;
  readonly status: string;
}

function judgeOrders(verdict: Verdict, client: HonestClient, listed: readonly Listed[]): void {
  const byClientId = new Map<string, Listed>();
  for (const order of listed) {
    const id = order.client_order_id ?? '';
    if (byClientId.has(id)) report(verdict, 'doubled', `order ${id}`);
    if (!client.sentIds.has(id)) report(verdict, 'wrong', `order ${id} was never sent`);
    byClientId.set(id, order);
  }
  for (const { clientOrderId, id, isCanceled } of client.placed) {
    verdict.acknowledged += 1;
    const found = byClientId.get(clientOrderId);
    if (found === undefined) report(verdict, 'lost', `order ${clientOrderId}`);
    else if (found.id !== id) report(verdict, 'wrong', `order ${clientOrderId} has another id`);
    else if (isCanceled && found.status !== 'canceled') {
      report(verdict, 'lost', `the cancel of ${clientOrderId}: ${found.status}`);
    }
  }
}

function judgeWithdrawals(
  verdict: Verdict,
  client: HonestClient,
  listed: readonly { readonly amount: string }[],
): void {
  const counts = new Map<string, number>();
  for (const { amount } of listed) {
    const name = Number(amount).toFixed(8);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const amount of client.withdrawn) {
    verdict.withdrawals += 1;
    const count = counts.get(amount) ?? 0;
    if (count === 0) report(verdict, 'lost', `withdrawal ${amount}`);
    if (count > 1) report(verdict, 'doubled', `withdrawal ${amount}`);
  }
}

async function unstreamed(client: HonestClient): Promise<number> {
  const { placed, streamed } = client;
  const missing = () =>
    placed.filter(({ id, sentMs }) => sentMs > client.snapshotMs && !streamed.has(id)).length;
  await waitUntil({
    what: 'the stream has shown every order',
    timeoutMs: STREAMED_WITHIN_MS,
    question: () => missing() === 0,
  }).catch(() => {});
  return missing();
}

function report(verdict: Verdict, what: 'lost' | 'doubled' | 'wrong', example: string): void {
  verdict[what] += 1;
  if (verdict.examples.length < 20) verdict.examples.push(`${what}: ${example}`);
}
