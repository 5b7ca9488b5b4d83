// Opens a PostgreSQL session with the first message of the protocol, to find out if a server is up.

import { createConnection } from 'node:net';

export type PostgresGreeting = 'ready' | 'not-ready' | 'not-listening';

const protocolVersion = 3 << 16;
const timeoutMs = 2_000;

export function greetPostgres(options: {
  port: number;
  user: string;
  database: string;
}): Promise<PostgresGreeting> {
  return new Promise((resolve) => {
    const socket = createConnection({ port: options.port, host: '127.0.0.1' });
    let received = Buffer.alloc(0);
    const answer = (greeting: PostgresGreeting) => {
      if (greeting === 'ready') socket.end(terminateMessage);
      else socket.destroy();
      resolve(greeting);
    };
    socket.setTimeout(timeoutMs, () => answer('not-ready'));
    socket.once('connect', () => socket.write(startupMessage(options)));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, Buffer.from(chunk)]);
      const types = messageTypes(received);
      if (types.includes('E')) answer('not-ready');
      else if (types.includes('Z')) answer('ready');
    });
    socket.on('error', () => answer('not-listening'));
    socket.on('close', () => resolve('not-listening'));
  });
}

const terminateMessage = Buffer.from([0x58, 0, 0, 0, 4]);

/** Length and protocol version, then names and values, each terminated by a zero. */
export function startupMessage({ user, database }: { user: string; database: string }): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(protocolVersion, 4);
  return Buffer.concat([head, parameters]);
}

/** Returns the types of complete messages: R authentication, S settings, E error, Z ready. */
export function messageTypes(bytes: Buffer): string {
  let types = '';
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) break;
    types += String.fromCharCode(bytes[at]);
    at = end;
  }
  return types;
}
