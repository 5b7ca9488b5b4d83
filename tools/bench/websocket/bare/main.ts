// Baseline: a bare ws server that subscribes to the same subject and sends the same bytes to every
// socket. Prints its port, and exits when its input ends.

import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { connectNats } from '../../../../infra/bus/index.ts';
import { startedBy } from '../../../command-line.ts';

startedBy('npm run bench -- websocket');

const [urls, subject, before, after] = process.argv.slice(2);
const nats = await connectNats({ urls: urls.split(','), name: 'bare' });
const server = new WebSocketServer({ port: 0, perMessageDeflate: false, backlog: 4_096 });
nats.client.subscribe(subject, {
  callback: (_fault, message) => {
    const bytes = Buffer.from(`${before}${message.string()}${after}`);
    for (const client of server.clients) client.send(bytes, { binary: false });
  },
});
server.once('listening', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().once('end', () => process.exit());
