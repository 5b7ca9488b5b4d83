// The wire between the browser and the exchange: a TCP proxy on the public port that a check can
// cut and mend.

import { connect, createServer, type Server, type Socket } from 'node:net';

export class Wire {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number | undefined;
  #isCut = false;

  /** Resolves with a wire that listens on a free port and has no target yet. */
  static async open(): Promise<Wire> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new Wire(server, (server.address() as { port: number }).port);
  }

  private constructor(server: Server, port: number) {
    this.port = port;
    this.#server = server;
    server.on('connection', (client) => this.#accept(client));
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  leadTo(port: number): void {
    this.#target = port;
  }

  /** Closes every connection immediately and accepts no new ones. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #accept(client: Socket): void {
    if (this.#isCut || this.#target === undefined) {
      client.destroy();
      return;
    }
    const server = connect({ host: '127.0.0.1', port: this.#target });
    const pair = [client, server];
    for (const socket of pair) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        for (const one of pair) one.destroy();
      });
    }
    client.pipe(server);
    server.pipe(client);
  }
}
