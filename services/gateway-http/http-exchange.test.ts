// A response that streams to a disconnected client must free its slot, and the gateway must
// survive.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../infra/process/index.ts';
import { HttpExchange, type HttpExchangeOptions } from './http-exchange.ts';

type Answer = (exchange: HttpExchange, raw: ServerResponse) => void;

let answer: Answer = () => {};
let answered: (status: number) => void = () => {};

function serve(request: IncomingMessage, raw: ServerResponse): void {
  const options = {
    request: { raw: request },
    reply: { raw },
    address: '127.0.0.1',
    clock: systemClock,
    headers: [],
    onAnswered: (status: number) => answered(status),
  };
  answer(new HttpExchange(options as unknown as HttpExchangeOptions), raw);
}

const server = createServer(serve);

/**
 * Sends a request, and disconnects as soon as the gateway has it. Resolves with the recorded
 * status.
 */
async function leaveEarly(reply: Answer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  answered = resolve;
  answer = async (exchange, raw) => {
    const closed = once(raw, 'close');
    client.destroy();
    await closed;
    reply(exchange, raw);
  };
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: exchange\r\n\r\n');
  return promise;
}

describe('a client that disconnects before the response', () => {
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  test('abuse 88: a file whose first row is delayed ends and frees its slot', async () => {
    const ends: boolean[] = [];
    const status = await leaveEarly((exchange) => {
      const chunks = Readable.from(['row\n', 'row\n']);
      const file = { status: 200, type: 'text/csv', chunks, onEnd: (ok: boolean) => ends.push(ok) };
      exchange.stream(file, () => assert.fail('a client that disconnects is not a fault'));
    });
    assert.deepEqual([status, ends], [200, [false]]);
  });

  test("the other gateway's response is dropped", async () => {
    const body = Readable.from(['{}']);
    assert.equal(await leaveEarly((exchange) => exchange.passOn(200, [], body)), 200);
    assert.ok(body.destroyed);
  });
});
