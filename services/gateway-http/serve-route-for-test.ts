// A route server without an exchange: a key in memory, small rate limits, and injected requests.
// Only tests import it.

import fastify from 'fastify';
import {
  keyRow,
  openMemoryAccess,
  signed,
  TOKEN,
} from '../../features/auth/credentials/access-for-test.ts';
import { BrowserCookies } from '../../infra/access/index.ts';
import type { Dependencies, Handler } from '../../platform/http/index.ts';
import type { Route } from '../../protocol/index.ts';
import { HttpExchange } from './http-exchange.ts';
import { RATE_LIMITER_DEFAULTS, RateLimiter } from './rate-limiter.ts';
import { RouteServer } from './serve-route.ts';
import { createChecks } from './validation.ts';

export const OPERATOR_ADDRESS = '198.51.100.1';

/** Uses a trading key of user 5 and a bucket of 10 that refills by one per second. */
export async function serveForTest(route: Route, handler: Handler<Route>) {
  const opened = openMemoryAccess();
  opened.registry.keys = [keyRow(opened.vault)];
  const { access, bus, clock } = opened;
  // After this, the key is cached.
  const known = access.identify(signed());
  clock.advance(0);
  await known;
  const size = { burst: 10, perSecond: 1 };
  const rateLimiter = new RateLimiter({
    ...RATE_LIMITER_DEFAULTS,
    bus,
    clock,
    exchange: 'test',
    instance: 'a',
    sizes: { address: size, user: size, cancel: size, failure: size },
  });
  const faults: unknown[] = [];
  const switches = { isReadOnly: false, isIntakeStopped: () => false };
  const served = new RouteServer({
    name: 'thing',
    route,
    handler,
    rateLimiter,
    checks: createChecks(),
    cookies: new BrowserCookies('https://exchange.example'),
    checkAnswers: false,
    dependencies: {
      access,
      switches,
      identity: { login: { isOperatorAddress: (address: string) => address === OPERATOR_ADDRESS } },
    } as unknown as Dependencies,
    watcher: { faulted: (_route, _id, fault) => void faults.push(fault) },
  });
  const server = fastify();
  server.route({
    method: route.method,
    url: route.path,
    handler(request, reply) {
      reply.hijack();
      const own = { address: request.ip, clock, headers: [], onAnswered: () => {} };
      served.serve(new HttpExchange({ request, reply, ...own }));
    },
  });
  let requests = 0;
  /** Sends a new request, or exactly this one. */
  const send = (query = `?${requests++}`) => {
    const target = `/v2/thing${query}`;
    const { headers } = signed({ method: route.method, target });
    return server.inject({
      method: route.method,
      url: target,
      remoteAddress: '203.0.113.9',
      headers: {
        'api-key': headers.key,
        'api-signature': headers.signature,
        'api-expires': headers.expires,
      },
    });
  };
  /** Uses the session in the registry. */
  const sendInSession = (remoteAddress: string, query = '') =>
    server.inject({
      method: route.method,
      url: route.path + query,
      remoteAddress,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  const { registry } = opened;
  return { access, clock, faults, sendInSession, registry, send, server, switches };
}
