// A TCP proxy between one sequencer and NATS. It can stop the connection to the log while the
// heartbeat connection continues, like a partial network failure.

import { connect, createServer, type Server, type Socket } from 'node:net';

interface Pipe {
  readonly client: Socket;
  readonly server: Socket;
  /** Name from the client's first message; empty before that. */
  name: string;
}

const NAME = /"name":"([^"]*)"/;

export class NatsProxy {
  readonly #server: Server;
  readonly #pipes = new Set<Pipe>();
  /** Connections with this name, including new ones, pass nothing. */
  #stopped = '';

  private constructor(port: number) {
    this.#server = createServer((client) => this.#accept(client, port));
  }

  /** Resolves with the proxy and its URL. */
  static async open(port: number): Promise<{ proxy: NatsProxy; url: string }> {
    const proxy = new NatsProxy(port);
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    const address = proxy.#server.address() as { port: number };
    return { proxy, url: `nats://127.0.0.1:${address.port}` };
  }

  /** Stops connections with this name in both directions, without closing them. */
  stop(name: string): void {
    this.#stopped = name;
    for (const pipe of this.#pipes) this.#apply(pipe);
  }

  resume(): void {
    this.#stopped = '';
    for (const pipe of this.#pipes) this.#apply(pipe);
  }

  close(): void {
    this.#server.close();
    for (const { client, server } of this.#pipes) {
      client.destroy();
      server.destroy();
    }
  }

  #accept(client: Socket, port: number): void {
    const server = connect({ host: '127.0.0.1', port });
    const pipe: Pipe = { client, server, name: '' };
    this.#pipes.add(pipe);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#pipes.delete(pipe);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (data) => {
      if (pipe.name === '') {
        pipe.name = NAME.exec(data.toString('latin1'))?.[1] ?? '';
        this.#apply(pipe);
      }
      server.write(data);
    });
    server.on('data', (data) => client.write(data));
  }

  #apply({ client, name, server }: Pipe): void {
    const isStopped = name !== '' && name === this.#stopped;
    for (const socket of [client, server]) {
      if (isStopped) socket.pause();
      else socket.resume();
    }
  }
}
