// Queries the servers for the state of the journal's streams: which node leads, and whether all
// three replicas are present and current.

import type { Nats } from '../../../infra/bus/index.ts';
import { journalNames } from '../../../infra/journal/index.ts';

type StreamInfo = {
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly { readonly current?: boolean; readonly offline?: boolean }[];
  };
};

const REPLICAS = 3;
const REQUEST_TIMEOUT_MS = 1_000;

export class LogHealth {
  readonly #nats: Nats;
  readonly #streams: readonly string[];

  constructor(nats: Nats, exchange: string) {
    this.#nats = nats;
    const { bucket, commands, events } = journalNames(exchange);
    this.#streams = [commands.stream, events.stream, `OBJ_${bucket}`];
  }

  /** Returns the node that leads the stream; undefined if no node reports a leader. */
  async leaderNode(stream: string): Promise<string | undefined> {
    return (await this.#ask(stream))?.cluster?.leader;
  }

  async isHealthy(): Promise<boolean> {
    const infos = await Promise.all(this.#streams.map((stream) => this.#ask(stream)));
    return infos.every((info) => {
      const { leader, replicas = [] } = info?.cluster ?? {};
      const current = replicas.filter(({ current, offline }) => current && !offline);
      return leader !== undefined && current.length === REPLICAS - 1;
    });
  }

  async #ask(stream: string): Promise<StreamInfo | undefined> {
    if (!this.#nats.isConnected) return undefined;
    try {
      const api = `$JS.API.STREAM.INFO.${stream}`;
      const options = { timeout: REQUEST_TIMEOUT_MS };
      return (await this.#nats.client.request(api, '{}', options)).json<StreamInfo>();
    } catch {
      return undefined;
    }
  }
}
