// The program behind the snapshot figures: fills an exchange, writes it down, restores it, and
// prints one JSON object. Run by snapshot.ts with the number of orders and accounts.

import {
  accountsOf,
  hashExchange,
  restoreExchange,
  snapshotExchange,
} from '../../../core/engine/index.ts';
import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import { Recorder, restingOrder, seeded, setUp, USERS } from './flow.ts';

const BATCH = 250;
const size = Number(process.argv[2]);
const recorder = new Recorder();
setUp(recorder, USERS);
const random = seeded(1);
for (let placed = 0; placed < size; placed += BATCH) {
  recorder.apply(Array.from({ length: BATCH }, () => restingOrder(recorder, random)));
}
const { exchange } = recorder;
let sequence = exchange.channelSequences[1];
for (let user = USERS + 1; exchange.ledger.accounts.size < size; user++) {
  recorder.apply([
    {
      kind: 'CreditDeposit',
      ...recorder.id(),
      channel: 1,
      channelSequence: ++sequence,
      user: user as UserId,
      asset: 1 as AssetId,
      amountAtoms: 1_000n as Atoms,
      reference: 'bench',
    },
  ]);
}

const [bytes, snapshotMs] = timed(() => snapshotExchange(exchange));
const [restored, restoreMs] = timed(() => restoreExchange(bytes));
const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
const [hash, hashMs] = timed(() => hashExchange(exchange));
const hashEqual = hash === hashExchange(restored);
const figures = {
  orders: exchange.books.orders.size,
  accounts: accountsOf(restored).length,
  bytes: bytes.length,
  snapshotMs,
  restoreMs,
  hashMs,
  peakMiB,
  hashEqual,
};
console.log(JSON.stringify(figures));

function timed<Result>(work: () => Result): [Result, number] {
  const start = performance.now();
  const result = work();
  return [result, Math.round(performance.now() - start)];
}
