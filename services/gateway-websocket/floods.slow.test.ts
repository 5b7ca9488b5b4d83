// Floods an exchange of 100 markets through public sockets while a user has a dead man's switch.
// The user's messages are answered promptly, and the orders are not canceled.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  openHalfHandshakes,
  openSocketsOfNetwork,
} from '../../testing/drills/floods/handshake-flood.ts';
import { pingFrame, RawSocket } from '../../testing/drills/floods/raw-socket.ts';
import { sendSubscribeWave } from '../../testing/drills/floods/subscribe-flood.ts';
import { listMoreMarkets } from '../../testing/stream/more-markets.ts';
import { StreamProbe, signedUrl } from '../../testing/stream/stream-probe.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';

const MARKETS = 100;
const WAVE = { sockets: 20, messages: 19 };
// The shortest allowed timeout.
const SWITCH_S = 5;
const PING_EVERY_MS = 50;
const FLOOD_MS = 10_000;
// Without limits, the flood stalls the gateway for 27 s. Most of this is machine noise.
const PING_MS_MAX = 2_000;
const PATIENCE_MS = 30_000;
const SETTINGS = {
  RIALTO_SOCKETS_PER_ADDRESS_MAX: '40',
  RIALTO_CONNECTS_BURST: '1000',
  RIALTO_HANDSHAKES_MAX: '100',
  RIALTO_HANDSHAKE_MS: '2000',
};

let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({
    streams: 1,
    budgets: 'usual',
    streamSettings: SETTINGS,
    streamPreload: join(import.meta.dirname, 'stalling/main.ts'),
  });
  await listMoreMarkets(sandbox, MARKETS);
});
after(() => sandbox.stop());

/** Returns a user with an order and a switch that fires after five seconds. */
async function honestUser() {
  const [trader] = await sandbox.createTraders({ count: 1, funds: { usdt: '1000000' } });
  const rest = new RestClient({ url: sandbox.url, ...trader });
  const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price: 50_000 };
  const placed = await rest.post('/order', order);
  assert.equal(placed.status, 200, placed.text);
  const probe = await StreamProbe.open(signedUrl(sandbox.streamUrls[0], trader));
  probe.send({ op: 'cancel_on_disconnect', args: [{ timeout: SWITCH_S }] });
  await probe.until('the switch is armed', () =>
    probe.received.some(({ message }) => message === 'Cancel on disconnect after 5 seconds'),
  );
  const statusOf = async (): Promise<string> => {
    const { body, status, text } = await rest.get('/order', { order_id: placed.body.id });
    assert.equal(status, 200, text);
    return body.status;
  };
  return { probe, statusOf };
}

const pongsOf = ({ received }: StreamProbe): number =>
  received.filter(({ message }) => message === 'pong').length;

/** Returns the longest time to a pong, in milliseconds. */
async function longestPing(probe: StreamProbe, forMs: number): Promise<number> {
  const untilMs = performance.now() + forMs;
  let longestMs = 0;
  while (performance.now() < untilMs) {
    const sentMs = performance.now();
    const expected = pongsOf(probe) + 1;
    probe.send({ op: 'ping' });
    while (pongsOf(probe) < expected) await delay(1);
    longestMs = Math.max(longestMs, performance.now() - sentMs);
    await delay(PING_EVERY_MS);
  }
  return longestMs;
}

/** Returns the gateway's longest event loop stall since the last call, in milliseconds. */
async function longestStall(): Promise<number> {
  const { healthUrl } = sandbox.service('gateway-websocket-1');
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text) ?? [];
  return Number(seconds) * 1_000;
}

test("abuse 76: a subscription flood neither delays nor cancels other users' orders", async () => {
  const { probe, statusOf } = await honestUser();
  await longestStall();
  const quiet = { pingMs: await longestPing(probe, 2_000), stallMs: await longestStall() };
  const [url] = sandbox.streamUrls;
  const flood = sendSubscribeWave({ url, address: '198.51.100.66', ...WAVE });
  const flooded = { pingMs: await longestPing(probe, FLOOD_MS), stallMs: await longestStall() };
  for (const socket of await flood) socket.destroy();
  console.log(JSON.stringify({ quiet, flooded }));
  assert.equal(await statusOf(), 'new');
  assert.ok(flooded.pingMs < PING_MS_MAX, `a ping took ${flooded.pingMs} ms`);
  assert.ok(flooded.stallMs < PING_MS_MAX, `the gateway stalled for ${flooded.stallMs} ms`);
  probe.close();
});

test('abuse 76: a socket that continues after refusals is closed with a code', async () => {
  const [url] = sandbox.streamUrls;
  const floods: [name: string, write: (socket: RawSocket) => void][] = [
    ['messages', (socket) => socket.send('{"op":"subscribe","args":["bogus"]}'.padEnd(100))],
    ['pings', (socket) => socket.write(pingFrame())],
  ];
  for (const [name, write] of floods) {
    const socket = await RawSocket.open({ url, address: '198.51.100.67' });
    assert.ok(socket !== undefined);
    for (let count = 0; count < 300; count += 1) write(socket);
    const question = () => socket.isClosed;
    await waitUntil({ what: `${name} close the socket`, timeoutMs: PATIENCE_MS, question });
    assert.equal(socket.closeCode, 1008, name);
  }
});

test('abuse 76: a gateway stall does not count as a disconnect of its clients', async () => {
  const { probe, statusOf } = await honestUser();
  process.kill(sandbox.service('gateway-websocket-1').pid!, 'SIGUSR2');
  await waitUntil({
    what: 'the gateway stalls for twice the timeout and runs again',
    timeoutMs: PATIENCE_MS,
    question: async () => (await longestPing(probe, PING_EVERY_MS)) > 2 * SWITCH_S * 1_000,
  });
  assert.equal(await statusOf(), 'new');
  probe.close();
  await waitUntil({
    what: 'a disconnect cancels the order',
    timeoutMs: PATIENCE_MS,
    question: async () => (await statusOf()) === 'canceled',
  });
});

test('abuse 77: all addresses in an IPv6 /64 share one socket limit', async () => {
  const [url] = sandbox.streamUrls;
  const sockets = await openSocketsOfNetwork(url, 60);
  assert.equal(sockets.length, 40);
  const other = await RawSocket.open({ url, address: '2001:db8:66:67::1' });
  assert.ok(other !== undefined, 'another network has a separate limit');
  for (const socket of [...sockets, other]) socket.destroy();
});

test('abuse 77: connections without a handshake are limited in number and time', async () => {
  const [url] = sandbox.streamUrls;
  const startMs = performance.now();
  const connections = await openHalfHandshakes(url, 300);
  const open = () => connections.filter(({ destroyed }) => !destroyed).length;
  const what = 'the oldest connections yield';
  await waitUntil({ what, timeoutMs: PATIENCE_MS, question: () => open() <= 100 });
  const probe = await StreamProbe.open(url);
  assert.deepEqual(await probe.next(), { message: 'Welcome!' }, 'a client can connect');
  await waitUntil({ what: 'none is left', timeoutMs: PATIENCE_MS, question: () => open() === 0 });
  console.log(JSON.stringify({ halfHandshakesEndedAfterMs: performance.now() - startMs }));
  probe.close();
});
