// The signer's end of the socket: a Unix socket that only the owner and its group can open. Answers
// each connection's requests in order.

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { encodeMessage, receiveMessages } from './messages.ts';
import type { SignerAnswer } from './protocol.ts';

const SOCKET_MODE = 0o660;

export interface SignerServerOptions {
  readonly socket: string;
  /** Returns the function that answers one connection's requests. */
  connect(): (request: unknown) => SignerAnswer;
}

/** Resolves when the socket accepts connections. Replaces the socket of an earlier process. */
export async function startSignerServer(options: SignerServerOptions): Promise<SignerServer> {
  const { connect, socket: path } = options;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const answer = connect();
    receiveMessages(socket, (request) => void socket.write(encodeMessage(answer(request))));
  });
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  chmodSync(path, SOCKET_MODE);
  return { stop: () => stop(server, sockets) };
}

export interface SignerServer {
  /** Closes all connections. */
  stop(): Promise<void>;
}

function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}
