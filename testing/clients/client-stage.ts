// The set-up of the cases: a running exchange, and ccxt clients configured as users do. The
// client is the one from npm, unmodified; only its address and its way of writing numbers are set,
// and how often it says that it is still there.

import { hollaex, pro } from 'ccxt';
import type { Sandbox } from '../../tools/sandbox/sandbox.ts';
import type { ApiKey } from '../../tools/sandbox/sandbox-admin.ts';

type Key = Pick<ApiKey, 'key' | 'secret'>;
type Funds = Readonly<Record<string, string>>;

/** All that the other can do, and watch. */
export type StreamClient = InstanceType<typeof pro.hollaex>;

export interface KeepAlive {
  /** Between two pings; 0: never. */
  readonly keepAlive: number;
  /** So many of these without an answer, and the socket is given up. */
  readonly maxPingPongMisses: number;
}

export interface ClientStage {
  readonly sandbox: Sandbox;
  /** Without a key it is anonymous. */
  client(key?: Key): hollaex;
  /** New users with this money and nothing else, each with a client. */
  traders(count: number, funds: Funds): Promise<hollaex[]>;
  streamClient(key?: Key, keepAlive?: KeepAlive): Promise<StreamClient>;
  streamTraders(count: number, funds: Funds): Promise<StreamClient[]>;
  /** Of all clients that were made. */
  closeStreams(): Promise<void>;
}

/** The gateway hangs up on who is silent for so long: short for a case, long for a busy machine. */
export const STREAM_IDLE_MS = 10_000;

// Several within the time above, and patient, because the machine may be busy.
const KEEP_ALIVE: KeepAlive = { keepAlive: 1_000, maxPingPongMisses: 10 };

export function createStage(sandbox: Sandbox): ClientStage {
  let streams: StreamClient[] = [];
  return { sandbox, client, traders, streamClient, streamTraders, closeStreams };

  function settings(key: Key | undefined) {
    return {
      urls: { api: { rest: sandbox.url, ws: sandbox.streamUrls[0] } },
      // The pause between requests is for the sake of a public server.
      enableRateLimit: false,
      ...(key === undefined ? {} : { apiKey: key.key, secret: key.secret }),
    };
  }

  function client(key?: Key): hollaex {
    return withExactNumbers(new hollaex(settings(key)));
  }

  async function traders(count: number, funds: Funds): Promise<hollaex[]> {
    const made = await sandbox.createTraders({ count, funds });
    return made.map((trader) => client(trader));
  }

  async function streamClient(key?: Key, keepAlive = KEEP_ALIVE): Promise<StreamClient> {
    const streaming = { ...keepAlive };
    const made = withExactNumbers(new pro.hollaex({ ...settings(key), streaming }));
    streams.push(made);
    // It takes an address without TLS only after this.
    await made.loadHttpProxyAgent();
    await made.loadMarkets();
    return made;
  }

  async function streamTraders(count: number, funds: Funds): Promise<StreamClient[]> {
    const made = await sandbox.createTraders({ count, funds });
    return Promise.all(made.map((trader) => streamClient(trader)));
  }

  async function closeStreams(): Promise<void> {
    const closing = streams;
    streams = [];
    await Promise.all(closing.map((stream) => stream.close()));
  }
}

/** Every number is the text that the exchange sent: no digit is lost between it and the case. */
function withExactNumbers<Client extends hollaex>(client: Client): Client {
  client.number = String as unknown as typeof client.number;
  return client;
}
