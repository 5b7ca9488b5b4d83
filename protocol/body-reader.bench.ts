// Measures the time to read an order body, compared with the parser alone, which would lose digits.

import { readBody } from './body-reader.ts';

const ROUNDS = 300_000;

const order =
  '{"symbol":"btc-usdt","side":"buy","size":0.0125,"type":"limit","price":51234.5,' +
  '"meta":{"post_only":true},"client_order_id":"mm-1-000184467"}';
const batch = `{"orders":[${Array.from({ length: 50 }, () => order).join(',')}]}`;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const rounds = quick ? ROUNDS / 10 : ROUNDS;
  return {
    order: compare(order, rounds),
    batch: compare(batch, rounds / 50),
  };
}

function compare(text: string, rounds: number): Record<string, number> {
  const [parseUs, readUs] = [JSON.parse, readBody].map((read) => {
    measure(read, text, rounds / 10);
    return measure(read, text, rounds);
  });
  return { characters: text.length, parseUs, readUs };
}

/** Microseconds for one body. */
function measure(read: (text: string) => unknown, text: string, rounds: number): number {
  const startMs = performance.now();
  for (let round = 0; round < rounds; round++) read(text);
  return Number((((performance.now() - startMs) * 1_000) / rounds).toFixed(2));
}
