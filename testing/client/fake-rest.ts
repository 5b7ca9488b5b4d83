// An HTTP server with scripted responses that records its requests, for tests of a client against
// an exchange that fails in a specific way.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type FakeAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly text: string;
    }
  /** Closes the connection after reading the request. */
  | 'hang up'
  /** Never responds. */
  | 'silence';

export class FakeRest {
  readonly requests: ReceivedRequest[] = [];
  readonly #server: Server;
  #answers: FakeAnswer[] = [];

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
      this.requests.push({ method, target, headers, body });
      const answer = this.#answers.length > 1 ? this.#answers.shift()! : this.#answers[0];
      if (answer === 'silence') return;
      if (answer === 'hang up') {
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status ?? 200, {
        'content-type': 'application/json',
        ...answer.headers,
      });
      response.end(answer.text);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the responses, in order. The last one repeats. */
  answer(...answers: FakeAnswer[]): void {
    this.#answers = answers;
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
