// A server that answers whatever it is told to, and remembers what it was asked: for tests of a
// client that need an exchange which fails in a certain way.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Told =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly text: string;
    }
  /** The connection is broken off after the request was taken. */
  | 'hang up'
  /** No answer ever comes. */
  | 'silence';

export class FakeRest {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  #answers: Told[] = [];

  static async start(): Promise<FakeRest> {
    const fake = new FakeRest();
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  private constructor() {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const { headers, method = '', url: target = '' } = request;
      this.asked.push({ method, target, headers, body });
      const told = this.#answers.length > 1 ? this.#answers.shift()! : this.#answers[0];
      if (told === 'silence') return;
      if (told === 'hang up') {
        request.socket.destroy();
        return;
      }
      response.writeHead(told.status ?? 200, {
        'content-type': 'application/json',
        ...told.headers,
      });
      response.end(told.text);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** One after the other; the last for all that follow. */
  answer(...answers: Told[]): void {
    this.#answers = answers;
    this.asked.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
