// Setup for the cases: a running exchange, and ccxt clients configured like users do. The client is
// the unmodified one from npm. Only its address, its number format and its ping interval are set.

import { hollaex, pro } from 'ccxt';
import type { Sandbox } from '../../tools/sandbox/sandbox.ts';
import type { ApiKey } from '../../tools/sandbox/sandbox-admin.ts';

type Key = Pick<ApiKey, 'key' | 'secret'>;
type Funds = Readonly<Record<string, string>>;

/** Everything the REST client can do, and watching. */
export type StreamClient = InstanceType<typeof pro.hollaex>;

export interface KeepAlive {
  /** Milliseconds between pings; 0 for no pings. */
  readonly keepAlive: number;
  /** Missed pongs before the client drops the socket. */
  readonly maxPingPongMisses: number;
}

export interface ClientStage {
  readonly sandbox: Sandbox;
  /** Creates a client, anonymous without a key. */
  client(key?: Key): hollaex;
  /** Creates users with only this money, each with a client. */
  traders(count: number, funds: Funds): Promise<hollaex[]>;
  streamClient(key?: Key, keepAlive?: KeepAlive): Promise<StreamClient>;
  streamTraders(count: number, funds: Funds): Promise<StreamClient[]>;
  /** Closes the streams of all created clients. */
  closeStreams(): Promise<void>;
}

/** The gateway closes sockets idle for this long: short for a case, long for a busy machine. */
export const STREAM_IDLE_MS = 10_000;

// Several pings within the time above, with many allowed misses, because the machine can be busy.
const KEEP_ALIVE: KeepAlive = { keepAlive: 1_000, maxPingPongMisses: 10 };

export function createStage(sandbox: Sandbox): ClientStage {
  let streams: StreamClient[] = [];
  return { sandbox, client, traders, streamClient, streamTraders, closeStreams };

  function settings(key: Key | undefined) {
    return {
      urls: { api: { rest: sandbox.url, ws: sandbox.streamUrls[0] } },
      // The pause between requests is meant for public servers.
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
    // It accepts an address without TLS only after this.
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

/** Keeps every number as the text that the exchange sent, so no digit is lost. */
function withExactNumbers<Client extends hollaex>(client: Client): Client {
  client.number = String as unknown as typeof client.number;
  return client;
}
