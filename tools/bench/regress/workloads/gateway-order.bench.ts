// A gateway's order path: the real pipeline and handler of `POST /v2/order` with signed requests,
// over in-memory access and a command client that responds immediately. Excludes Node's HTTP parser
// and sockets.

import { appendEvent, FrameWriter, type OrderPlaced } from '../../../../core/messages/index.ts';
import {
  keyRow,
  NOW_S,
  openMemoryAccess,
  signed,
} from '../../../../features/auth/credentials/access-for-test.ts';
import { ordersRoutes } from '../../../../features/trading/http/order-routes.ts';
import { OrderMemory } from '../../../../features/trading/index.ts';
import { BrowserCookies } from '../../../../infra/access/index.ts';
import {
  type CommandClient,
  decodeReply,
  type Outcome,
  ResultsWriter,
} from '../../../../infra/command-link/index.ts';
import { Commands, type Dependencies, type Handler } from '../../../../platform/http/index.ts';
import { type Route, routes } from '../../../../protocol/index.ts';
import {
  HttpExchange,
  type HttpExchangeOptions,
} from '../../../../services/gateway-http/http-exchange.ts';
import {
  RATE_LIMITER_DEFAULTS,
  RateLimiter,
} from '../../../../services/gateway-http/rate-limiter.ts';
import { RouteServer } from '../../../../services/gateway-http/serve-route.ts';
import { createChecks } from '../../../../services/gateway-http/validation.ts';
import type { Workload } from '../workload.ts';

const ADDRESS = '203.0.113.9';
const WINDOWS = 16;
const ORDERS_PER_WINDOW = 200;
const TIMEOUT_MS = 5_000;
/** Signatures from one event loop turn are published together. */
const ORDERS_PER_TURN = 50;
const AMPLE = { burst: 1e9, perSecond: 1e9 };

export function open(): Workload {
  const requests = Array.from({ length: WINDOWS * ORDERS_PER_WINDOW }, (_, at) => requestOf(at));
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  return {
    windows: WINDOWS,
    async restart() {
      gateway = await openGateway();
    },
    async run(window) {
      const from = window * ORDERS_PER_WINDOW;
      for (let at = from; at < from + ORDERS_PER_WINDOW; at += ORDERS_PER_TURN) {
        await Promise.all(requests.slice(at, at + ORDERS_PER_TURN).map(gateway.serve));
        gateway.endTurn();
      }
      return ORDERS_PER_WINDOW;
    },
  };
}

/** A request as Fastify passes it on, signed by the client. */
function requestOf(at: number) {
  const body = JSON.stringify({
    symbol: 'btc-usdt',
    side: 'buy',
    size: 0.1,
    type: 'limit',
    price: 30_000,
    client_order_id: `regress-${at}`,
  });
  const { headers, method, target } = signed({ method: 'POST', target: '/v2/order', body });
  return {
    id: `${at}`,
    body,
    params: {},
    raw: {
      method,
      url: target,
      complete: true,
      rawHeaders: [],
      headers: {
        'content-type': 'application/json',
        'api-key': headers.key,
        'api-signature': headers.signature,
        'api-expires': headers.expires,
      },
    },
  };
}

async function openGateway() {
  const { access, bus, clock, registry, vault } = openMemoryAccess();
  registry.keys = [keyRow(vault)];
  const known = access.identify(signed());
  clock.advance(0);
  await known;
  const sizes = { address: AMPLE, user: AMPLE, cancel: AMPLE, failure: AMPLE };
  const own = { bus, clock, exchange: 'regress', instance: 'a' };
  const rateLimiter = new RateLimiter({ ...RATE_LIMITER_DEFAULTS, ...own, sizes });
  const dependencies = {
    access,
    clock,
    catalogue: { now: CATALOGUE },
    commands: new Commands(answeringClient(), TIMEOUT_MS),
    orders: new OrderMemory({ bus, exchange: 'regress', ordersMax: 100_000 }),
    switches: { isReadOnly: false, isIntakeStopped: () => false },
  };
  const server = new RouteServer({
    name: 'createOrder',
    route: routes.createOrder,
    handler: ordersRoutes.createOrder as unknown as Handler<Route>,
    rateLimiter,
    checks: createChecks(),
    cookies: new BrowserCookies('https://exchange.example'),
    checkAnswers: false,
    dependencies: dependencies as unknown as Dependencies,
    watcher: {
      faulted: (_route, _id, fault) => {
        throw fault;
      },
    },
  });
  const serve = (request: ReturnType<typeof requestOf>) =>
    new Promise<void>((resolve, reject) => {
      let text = '';
      const raw = { writeHead() {}, end: (json: string) => void (text = json) };
      const exchange = new HttpExchange({
        request: request as unknown as HttpExchangeOptions['request'],
        reply: { raw } as unknown as HttpExchangeOptions['reply'],
        address: ADDRESS,
        clock,
        headers: ['cache-control', 'no-store'],
        onAnswered: (status) =>
          status === 200 ? resolve() : reject(new Error(`status ${status}: ${text}`)),
      });
      server.admit(exchange, () => server.serve(exchange));
    });
  const endTurn = () => {
    clock.advance(0);
    bus.messages.length = 0;
  };
  return { serve, endTurn };
}

/** Accepts every order, with the events of a resting order. */
function answeringClient(): CommandClient {
  const outcome = acceptedOutcome();
  let numbers = 0;
  const client: Pick<CommandClient, 'nextId' | 'send' | 'epoch' | 'pending'> = {
    epoch: 1,
    pending: 0,
    nextId: () => ({ source: 41, number: ++numbers }),
    send: (_command, _timeoutMs, done) => done(outcome),
  };
  return client as CommandClient;
}

function acceptedOutcome(): Outcome {
  const writer = new FrameWriter();
  appendEvent(writer, PLACED as unknown as OrderPlaced);
  const events = writer.written();
  const results = new ResultsWriter({ results: 1, eventBytes: events.length });
  const at = results.addEvents(events);
  const result = { number: 1, command: ORDER, refusal: 'none', order: 0 } as const;
  results.add(
    { ...result, isRepeat: false, hasAllEvents: true, eventCount: 1 },
    at,
    at + events.length,
  );
  const frame = { epoch: 1, sequence: 9, timeMs: NOW_S * 1_000, commandsApplied: ORDER };
  const reply = decodeReply(results.close(frame));
  if (reply?.kind !== 'results') throw new Error('expected results');
  return { kind: 'answered', result: reply.results[0], frame };
}

const ORDER = 500;
const [BTC, USDT] = [
  { asset: 2, symbol: 'btc', scale: 8 },
  { asset: 1, symbol: 'usdt', scale: 6 },
];
const MARKET = {
  market: 1,
  symbol: 'btc-usdt',
  base: BTC,
  quote: USDT,
  lot: { atoms: 10_000n, scale: 8 },
  tick: { mantissa: 1, scale: 2 },
  tickLotAtoms: 1n,
};
const CATALOGUE = {
  marketsBySymbol: new Map([[MARKET.symbol, MARKET]]),
  marketsById: new Map([[MARKET.market, MARKET]]),
};
const PLACED = {
  kind: 'OrderPlaced',
  command: ORDER,
  order: ORDER,
  user: 5,
  key: 7,
  market: 1,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  selfTrade: 'cancel_newest',
  postOnly: false,
  priceTicks: 3_000_000,
  sizeLots: 1_000,
  stopTicks: 0,
  makerFeePpm: 1_000,
  takerFeePpm: 2_000,
  heldAsset: 1,
  heldAtoms: 3_000_000_000n,
  clientOrderId: 'regress-1',
  note: '',
  trigger: 'stop',
  linkedOrder: 0,
  expiresMs: 0,
  quick: false,
};
