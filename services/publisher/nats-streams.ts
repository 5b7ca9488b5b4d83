// Creates the publisher's streams if they are missing. Their content can be rebuilt, but a stream
// with other settings is rejected to avoid surprising operators.

import type { Nats } from '../../infra/bus/index.ts';

export type StreamConfig = {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly num_replicas: number;
  readonly storage: 'memory' | 'file';
  readonly max_msgs_per_subject: 1;
  readonly allow_direct: true;
};

export class FeedStreamFault extends Error {
  override readonly name = 'FeedStreamFault';
}

const REQUEST_TIMEOUT_MS = 5_000;
export const STREAM_NOT_FOUND = 10_059;

type Answer = {
  readonly error?: { readonly err_code?: number; readonly description?: string };
  readonly config?: Partial<StreamConfig>;
};

export async function ensureStream(nats: Nats, config: StreamConfig): Promise<void> {
  let answer = await requestStreamApi(nats, `INFO.${config.name}`, {});
  if (answer.error?.err_code === STREAM_NOT_FOUND) {
    answer = await requestStreamApi(nats, `CREATE.${config.name}`, config);
  }
  if (answer.error !== undefined) {
    throw new FeedStreamFault(`${config.name}: ${answer.error.description}`);
  }
  const { max_msgs_per_subject: perSubject, storage, subjects = [] } = answer.config ?? {};
  const hasSettings =
    perSubject === 1 && storage === config.storage && subjects.join() === config.subjects.join();
  if (!hasSettings)
    throw new FeedStreamFault(
      `stream ${config.name} exists with other settings; delete it or change the settings`,
    );
}

/** Returns the JetStream API's response to a stream request, such as `INFO.RIALTO_FEED`. */
export async function requestStreamApi(
  nats: Nats,
  question: string,
  body: object,
): Promise<Answer> {
  const options = { timeout: REQUEST_TIMEOUT_MS };
  const api = `$JS.API.STREAM.${question}`;
  return (await nats.client.request(api, JSON.stringify(body), options)).json<Answer>();
}
