// Measures identifying the sender of a request whose key is in memory, compared with the bare HMAC.
// Reads nothing from a server.

import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { SignedRequest } from '../../../infra/access/access.ts';
import { keyRow, NOW_S, openMemoryAccess, SECRET, signed } from './access-for-test.ts';

const BODY = '{"symbol":"btc-usdt","side":"buy","size":0.1,"type":"limit","price":30000}';
const SPACED = BODY.replaceAll(':', ': ').replaceAll(',"', ', "');
const ROUNDS = 5;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const count = quick ? 20_000 : 200_000;
  const opened = openMemoryAccess();
  const { access, clock, registry, vault } = opened;
  registry.keys = [keyRow(vault)];
  const first = access.identify(signed());
  clock.advance(0);
  await first;

  const order = { method: 'POST', target: '/v2/order', bodyIsExpected: true };
  const written = signed({ ...order, body: BODY });
  const wrong = { ...written, target: '/v2/orders' };
  const unknown = { ...wrong, headers: { ...wrong.headers, key: 'f'.repeat(40) } };
  const miss = access.identify(unknown);
  clock.advance(0);
  await miss;
  const identify = (request: SignedRequest) => () => access.identify(request);
  const results: Record<string, number> = {
    bareHmac: microseconds(count, bareHmac(`POST/v2/order${NOW_S + 60}${BODY}`, written)),
    read: microseconds(count, identify(signed())),
    order: microseconds(count, identify(written)),
    orderWithBlanks: microseconds(count, identify({ ...written, body: SPACED })),
    wrongSignature: microseconds(count, identify(wrong)),
    unknownKey: microseconds(count, identify(unknown)),
    write: writes(quick ? 2_000 : 20_000, opened),
  };
  console.log('microseconds per call', results);
  return results;
}

function bareHmac(text: string, { headers }: SignedRequest): () => void {
  const secret = createSecretKey(SECRET, 'utf8');
  return () => {
    const signature = Buffer.from(headers.signature!, 'hex');
    timingSafeEqual(createHmac('sha256', secret).update(text).digest(), signature);
  };
}

/** Each request has its own signature, which is remembered and announced. */
function writes(count: number, { access, clock }: ReturnType<typeof openMemoryAccess>): number {
  const requests = Array.from({ length: count * ROUNDS }, (_, at) =>
    signed({ method: 'DELETE', target: `/v2/order?order_id=${at}`, isWrite: true }),
  );
  let next = 0;
  return microseconds(count, () => {
    const identified = access.identify(requests[next++]);
    if (!('caller' in identified)) throw new Error('a write was refused: expected a caller');
    if (next % 100 === 0) clock.advance(0);
  });
}

/** The fastest round: least disturbed by other load on the machine. */
function microseconds(count: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now();
    for (let at = 0; at < count; at++) work();
    best = Math.min(best, ((performance.now() - startMs) * 1_000) / count);
  }
  return Math.round(best * 100) / 100;
}
