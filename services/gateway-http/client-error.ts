// Ends a connection whose request cannot be read. A client that has left costs nothing more; any
// other gets a refusal in the form of all others, after which the connection closes.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { JSON_TYPE } from '../../platform/http/index.ts';
import { type ErrorKey, errorAnswer } from '../../protocol/index.ts';

/** The client ended or reset its connection in the middle of a request. */
const HAS_LEFT = new Set(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);

const REFUSALS: Readonly<Record<string, ErrorKey>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timed_out',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

export function endUnreadable({ code = '' }: { readonly code?: string }, socket: Socket): void {
  if (!HAS_LEFT.has(code) && socket.writable) {
    const { body, status } = errorAnswer(REFUSALS[code] ?? 'request_malformed');
    const text = JSON.stringify(body);
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n` +
        `cache-control: no-store\r\nx-content-type-options: nosniff\r\n` +
        `content-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  }
  socket.destroy();
}
