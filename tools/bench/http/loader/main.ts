// Load generator in a separate process: a number of connections, one request in flight on each, for
// a given time and optionally at a given rate. Reads its plan from its first argument and prints
// one JSON object.

import { createHmac } from 'node:crypto';
import { startedBy } from '../../../command-line.ts';
import { percentile } from '../../../percentile.ts';
import { HttpConnection } from './http-connection.ts';
import type { LoadFigures, LoadPlan } from './load-plan.ts';

startedBy('npm run bench -- http');

const plan = JSON.parse(process.argv[2]) as LoadPlan;
const EXPIRES_AHEAD_S = 60;
const ERRORS_SHOWN = 3;

const connections = await Promise.all(
  Array.from({ length: plan.connections }, () => HttpConnection.open(plan.port)),
);
const tookMs: number[] = [];
const failures: string[] = [];
let requests = 0;
let nonce = 0;

await run(plan.warmUpMs);
tookMs.length = 0;
const warmUpRequests = requests;
requests = 0;
const cpuBefore = process.cpuUsage();
const startMs = performance.now();
await run(plan.forMs);
const seconds = (performance.now() - startMs) / 1_000;
const cpu = process.cpuUsage(cpuBefore);
for (const connection of connections) connection.close();

const figures: LoadFigures = {
  perSecond: Math.round(requests / seconds),
  p50Ms: percentile(tookMs, 50),
  p99Ms: percentile(tookMs, 99),
  failed: failures.length,
  clientCpuUs: Math.round((cpu.user + cpu.system) / Math.max(1, requests)),
  requests: warmUpRequests + requests,
};
for (const failure of failures.slice(0, ERRORS_SHOWN)) console.error(failure);
console.log(JSON.stringify(figures));

async function run(forMs: number): Promise<void> {
  const beganMs = performance.now();
  const untilMs = beganMs + forMs;
  const intervalMs = 1_000 / (plan.requestsPerSecond ?? Number.POSITIVE_INFINITY);
  let turns = 0;
  const nextTurnMs = () => beganMs + turns++ * intervalMs;
  await Promise.all(connections.map((connection, at) => keepAsking(connection, at)));

  async function keepAsking(connection: HttpConnection, at: number): Promise<void> {
    for (;;) {
      const dueMs = nextTurnMs();
      if (Math.max(dueMs, performance.now()) >= untilMs) return;
      const earlyMs = dueMs - performance.now();
      if (earlyMs > 0) await new Promise((done) => setTimeout(done, earlyMs));
      // A request that is sent late counts from its turn.
      await ask(connection, at, intervalMs === 0 ? performance.now() : dueMs);
    }
  }
}

async function ask(connection: HttpConnection, at: number, sentMs: number): Promise<void> {
  const request = plan.kind === 'book' ? bookRequest() : orderRequest(at);
  const { body, status } = await connection.send(request);
  tookMs.push(performance.now() - sentMs);
  requests += 1;
  if (status !== 200) failures.push(`${status} ${body.toString()}`);
}

function bookRequest(): string {
  return `GET /v2/orderbook?symbol=${plan.symbol} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
}

// Buyers and sellers alternate at one price: about every second order trades, and the book stays
// small.
function orderRequest(at: number): string {
  const { key, secret } = plan.keys[at % plan.keys.length];
  const side = at % 2 === 0 ? 'buy' : 'sell';
  nonce += 1;
  const body =
    `{"symbol":"${plan.symbol}","side":"${side}","size":${plan.size},"type":"limit"` +
    `,"price":${plan.price},"client_order_id":"${plan.run}-${nonce}"}`;
  const expires = Math.floor(Date.now() / 1_000) + EXPIRES_AHEAD_S;
  const signature = createHmac('sha256', secret)
    .update(`POST/v2/order${expires}${body}`)
    .digest('hex');
  return (
    `POST /v2/order HTTP/1.1\r\nhost: localhost\r\napi-key: ${key}\r\n` +
    `api-signature: ${signature}\r\napi-expires: ${expires}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}
