// The state of a stream as JetStream reports it, and the storage that each server has for streams.

import type { Nats } from '../bus/index.ts';

export interface StreamState {
  readonly name: string;
  readonly lastSequence: number;
  /** Between the first and the last message. */
  readonly missing: number;
  /** All servers with a copy; none if there is no cluster. */
  readonly replicas: readonly { readonly name: string; readonly isCurrent: boolean }[];
  readonly hasLeader: boolean;
}

export interface StreamStorage {
  /** The name of the server. */
  readonly host: string;
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

interface InfoAnswer {
  readonly state?: {
    readonly messages?: number;
    readonly first_seq?: number;
    readonly last_seq?: number;
  };
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly {
      readonly name?: string;
      readonly current?: boolean;
      readonly offline?: boolean;
      /** Nanoseconds since the leader last received from it. */
      readonly active?: number;
    }[];
  };
}

const ANSWER_WITHIN_MS = 1_500;
/** The leader hears from each replica every second; two are missing. */
const SILENT_NS = 2_000_000_000;

/** Undefined if JetStream does not respond. */
export async function readStreamState(nats: Nats, name: string): Promise<StreamState | undefined> {
  if (!nats.isConnected) return undefined;
  try {
    const options = { timeout: ANSWER_WITHIN_MS };
    const answer = await nats.client.request(`$JS.API.STREAM.INFO.${name}`, '', options);
    return stateOf(name, answer.json<InfoAnswer>());
  } catch {
    return undefined;
  }
}

export function stateOf(name: string, { cluster, state }: InfoAnswer): StreamState | undefined {
  if (state === undefined) return undefined;
  const { first_seq: first = 0, last_seq: last = 0, messages = 0 } = state;
  const others = (cluster?.replicas ?? []).map(
    ({ active = 0, current = false, name: server = 'unnamed server', offline = false }) => ({
      name: server,
      isCurrent: current && !offline && active <= SILENT_NS,
    }),
  );
  const leader = cluster?.leader;
  return {
    name,
    lastSequence: last,
    missing: messages === 0 ? 0 : Math.max(0, last - first + 1 - messages),
    replicas: leader === undefined ? others : [{ name: leader, isCurrent: true }, ...others],
    hasLeader: cluster === undefined || leader !== undefined,
  };
}

/** From a server's monitoring URL; undefined if it does not respond. */
export async function readStreamStorage(monitorUrl: string): Promise<StreamStorage | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch(new URL('/varz', monitorUrl), { signal });
    const { jetstream, server_name: host } = (await answer.json()) as {
      readonly server_name?: string;
      readonly jetstream?: {
        readonly config?: { readonly max_storage?: number; readonly store_dir?: string };
        readonly stats?: { readonly storage?: number };
      };
    };
    const { max_storage: totalBytes, store_dir: path } = jetstream?.config ?? {};
    const used = jetstream?.stats?.storage;
    if (host === undefined || path === undefined || totalBytes === undefined) return undefined;
    if (used === undefined) return undefined;
    return { host, path, totalBytes, freeBytes: Math.max(0, totalBytes - used) };
  } catch {
    return undefined;
  }
}
