// HTTP server over stub handlers: one key in memory, small rate limits, and raw connections to it.
// Only tests import it.

import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import {
  keyRow,
  openMemoryAccess,
  signed,
} from '../../features/auth/credentials/access-for-test.ts';
import type { Dependencies, Handler } from '../../platform/http/index.ts';
import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import { RATE_LIMITER_DEFAULTS, RateLimiter } from './rate-limiter.ts';
import { createServer, type ServerOptions } from './server.ts';
import type { Served } from './telemetry.ts';

export interface ServerForTest extends Partial<ServerOptions> {
  readonly handlers: Partial<Record<RouteName, Handler<Route>>>;
}

const NOTHING_STOPPED = { isReadOnly: false, isIntakeStopped: () => false };

/** Opens a gateway's server over stubs, with its own rate limiter and signature memory. */
export async function openServer(t: TestContext, { handlers, ...options }: ServerForTest) {
  const { access, bus, clock, registry, vault } = openMemoryAccess();
  registry.keys = [keyRow(vault)];
  const known = access.identify(signed());
  clock.advance(0);
  await known;
  const size = { burst: 40, perSecond: 1 };
  const failure = { burst: 3, perSecond: 1 };
  const rateLimiter = new RateLimiter({
    ...RATE_LIMITER_DEFAULTS,
    bus,
    clock,
    exchange: 'test',
    instance: 'a',
    sizes: { address: size, user: size, cancel: size, failure },
  });
  const served: Served[] = [];
  const faults: unknown[] = [];
  const refused: number[] = [];
  const [publicUrl, isDemo] = ['https://x', false];
  const exchange = { name: 'x', version: '1', publicUrl, isDemo, isDevelopment: false };
  const server = createServer({
    routes: Object.entries(handlers).map(([name, handler]) => ({
      name,
      route: routes[name as RouteName],
      handler,
    })),
    rateLimiter,
    dependencies: { access, clock, exchange, switches: NOTHING_STOPPED } as unknown as Dependencies,
    connectionsMax: 10,
    connectionsPerAddressMax: 10,
    requestsPerAddressMax: 10,
    trustedProxies: ['loopback'],
    corsOrigins: ['*'],
    checkAnswers: false,
    watcher: {
      served: (one) => served.push(one),
      faulted: (_route, _id, fault) => faults.push(fault),
      connectionRefused: () => refused.push(1),
      streamOpened() {},
      streamClosed() {},
      streamRefused() {},
    },
    ...options,
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  const port = Number(new URL(url).port);
  return { access, clock, port, served, faults, refused, close: () => server.close() };
}

/** Sends the pieces one after another, and returns everything received. */
export async function talk(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  socket.setNoDelay(true);
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await new Promise(setImmediate);
  }
  const received: Buffer[] = [];
  for await (const chunk of socket) received.push(chunk as Buffer);
  socket.destroy();
  return Buffer.concat(received).toString();
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  const isRefused = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
  });
  socket.destroy();
  return !isRefused;
}
