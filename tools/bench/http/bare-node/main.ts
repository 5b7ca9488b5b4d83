// Minimum cost of HTTP in Node: no routing, no signature, and a constant response.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startedBy } from '../../../command-line.ts';
import { BARE_BOOK, BARE_ORDER } from '../bare-answers.ts';

startedBy('npm run bench -- http');

const server = createServer((request, response) => {
  const text = request.method === 'POST' ? BARE_ORDER : BARE_BOOK;
  request.resume();
  request.on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
