// Messages on the socket: four bytes of length, then JSON in UTF-8. A longer or malformed message
// ends the connection.

import type { Socket } from 'node:net';

export const MESSAGE_BYTES_MAX = 256 * 1024;
const LENGTH_BYTES = 4;

export function encodeMessage(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > MESSAGE_BYTES_MAX) {
    throw new RangeError(`message of ${body.length} bytes; the limit is ${MESSAGE_BYTES_MAX}`);
  }
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/** Calls `receive` with each message of the socket, and destroys the socket if one is malformed. */
export function receiveMessages(socket: Socket, receive: (message: unknown) => void): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    try {
      while (!socket.destroyed) {
        const length = received.length < LENGTH_BYTES ? 0 : received.readUInt32BE(0);
        if (length > MESSAGE_BYTES_MAX) throw new RangeError(`message of ${length} bytes`);
        const end = LENGTH_BYTES + length;
        if (received.length < end) return;
        const body = received.subarray(LENGTH_BYTES, end).toString('utf8');
        received = received.subarray(end);
        receive(JSON.parse(body));
      }
    } catch (fault) {
      socket.destroy(fault as Error);
    }
  });
}
