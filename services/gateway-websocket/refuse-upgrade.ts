// Rejects a websocket handshake with an HTTP response that states the reason.

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export interface UpgradeRefusal {
  readonly status: number;
  readonly text: string;
  readonly retryAfterS?: number;
}

export function refuseUpgrade(socket: Duplex, { retryAfterS, status, text }: UpgradeRefusal): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    ...(retryAfterS === undefined ? [] : [`retry-after: ${retryAfterS}`]),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
