// Minimum cost of a signed route in Fastify: the same signature check, the same body parsing and
// checks, and a constant response. Baseline for the gateway.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { Ajv } from 'ajv';
import fastify from 'fastify';
import { readBody, routes } from '../../../../protocol/index.ts';
import { startedBy } from '../../../command-line.ts';
import { BARE_BOOK, BARE_ORDER } from '../bare-answers.ts';

startedBy('npm run bench -- http');

const secrets = new Map<string, string>(JSON.parse(process.argv[2]));
const checkOrder = new Ajv({ strict: false }).compile(routes.createOrder.body);
const JSON_TYPE = 'application/json; charset=utf-8';

const server = fastify({ logger: false });
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

server.post('/v2/order', async (request, reply) => {
  const { headers } = request;
  const key = headers['api-key'] as string;
  const expires = headers['api-expires'] as string;
  const text = request.body as string;
  const isPast = Number(expires) * 1_000 < Date.now();
  const signature = createHmac('sha256', secrets.get(key) ?? '')
    .update(`POST${request.raw.url}${expires}${text}`)
    .digest();
  const given = Buffer.from(headers['api-signature'] as string, 'hex');
  if (isPast || given.length !== signature.length || !timingSafeEqual(given, signature)) {
    return reply.code(401).send('{}');
  }
  const body = readBody(text);
  if (!body.ok || !checkOrder(body.value)) return reply.code(400).send('{}');
  return reply.header('content-type', JSON_TYPE).send(BARE_ORDER);
});

server.get('/v2/orderbook', async (_request, reply) =>
  reply.header('content-type', JSON_TYPE).send(BARE_BOOK),
);

const url = await server.listen({ host: '127.0.0.1', port: 0 });
console.log(new URL(url).port);
