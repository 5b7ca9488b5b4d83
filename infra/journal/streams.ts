// The streams of one exchange: created if missing, checked if present, and never changed. In
// production, a stream or server that could lose acknowledged data is rejected.

import { setTimeout as delay } from 'node:timers/promises';
import type { Nats } from '../bus/index.ts';
import {
  checkProgram,
  checkServers,
  fetchServerReport,
  type ReplicaServer,
  type ServerReport,
  unverified,
} from './nats-server-settings.ts';
import {
  bucketConfig,
  bucketStream,
  checkBucket,
  checkStream,
  type FoundConfig,
  type StreamFinding,
  streamConfig,
} from './nats-stream-settings.ts';

/** All names derive from the exchange's name, so that exchanges and tests can share servers. */
export type JournalNames = {
  readonly commands: { readonly stream: string; readonly subject: string };
  readonly events: { readonly stream: string; readonly subject: string };
  /** The object store bucket of snapshots. */
  readonly bucket: string;
};

export type StreamsMode = 'production' | 'development';

export type StreamsOptions = {
  readonly exchange: string;
  readonly mode: StreamsMode;
  /** At least 3 in production, whatever this says. */
  readonly replicas: number;
  /** The servers' monitoring URLs, e.g. `http://10.0.0.1:8222`, one for each server. */
  readonly monitorUrls: readonly string[];
  /** How long to wait for servers that are not ready yet. */
  readonly timeoutMs?: number;
};

/** The journal is unsafe for money, or its servers do not answer. */
export class StreamFault extends Error {
  override readonly name = 'StreamFault';
  readonly findings: readonly StreamFinding[];
  readonly isRetryable: boolean;

  constructor(message: string, reason: { findings?: readonly StreamFinding[]; cause?: unknown }) {
    super(message, { cause: reason.cause });
    this.findings = reason.findings ?? [];
    this.isRetryable = reason.findings === undefined;
  }
}

const REPLICAS_IN_PRODUCTION_MIN = 3;
const TIMEOUT_MS = 30_000;
const RETRY_AFTER_MS = 250;
const REQUEST_TIMEOUT_MS = 5_000;

export function journalNames(exchange: string): JournalNames {
  if (!/^[a-z][a-z0-9]{0,31}$/.test(exchange)) {
    throw new RangeError(
      `Invalid exchange name '${exchange}': expected at most 32 lowercase letters and digits.`,
    );
  }
  const prefix = exchange.toUpperCase();
  return {
    commands: { stream: `${prefix}_COMMANDS`, subject: `${exchange}.log.commands` },
    events: { stream: `${prefix}_EVENTS`, subject: `${exchange}.log.events` },
    bucket: `${prefix}_SNAPSHOTS`,
  };
}

/**
 * Creates missing streams and checks everything. It returns the findings, to be logged; in
 * production it throws a fault for any finding that is not just a warning.
 */
export async function ensureStreams(
  nats: Nats,
  options: StreamsOptions,
): Promise<readonly StreamFinding[]> {
  const { mode, monitorUrls, timeoutMs = TIMEOUT_MS } = options;
  const { commands, events, bucket } = journalNames(options.exchange);
  const isProduction = mode === 'production';
  const replicas = Math.max(options.replicas, isProduction ? REPLICAS_IN_PRODUCTION_MIN : 1);
  const deadlineMs = performance.now() + timeoutMs;

  const findings: StreamFinding[] = [];
  const holders = new Map<string, ReplicaServer>();
  for (const { stream, subject } of [commands, events]) {
    const expected = { name: stream, subject, replicas };
    const found = await ensure(nats, { name: stream, config: streamConfig(expected), deadlineMs });
    findings.push(...checkStream(expected, found.config));
    for (const holder of found.holders) holders.set(holder.name, holder);
  }
  const requiredBucket = { name: bucket, replicas };
  const name = bucketStream(bucket);
  const found = await ensure(nats, { name, config: bucketConfig(requiredBucket), deadlineMs });
  findings.push(...checkBucket(requiredBucket, found.config));

  if (isProduction || monitorUrls.length > 0) {
    findings.push(...(await checkReports(monitorUrls, [...holders.values()])));
  } else {
    findings.push(...checkConnected(nats));
  }
  const refused = findings.filter((finding) => finding.isWarning !== true);
  if (isProduction && refused.length > 0) refuse(refused);
  return findings;
}

async function checkReports(
  monitorUrls: readonly string[],
  holders: readonly ReplicaServer[],
): Promise<StreamFinding[]> {
  const reports = await Promise.all(monitorUrls.map(fetchServerReport));
  const silent = monitorUrls.filter((_, at) => reports[at] === undefined);
  const received = reports.filter((report): report is ServerReport => report !== undefined);
  return [
    ...checkServers(received, holders),
    ...silent.map((url) => unverified(new URL(url).host, true)),
  ];
}

function checkConnected({ client }: Nats): StreamFinding[] {
  const { server_name: name, version, max_payload: payloadBytesMax } = client.info ?? {};
  return checkProgram({ name, version, payloadBytesMax });
}

function refuse(findings: readonly StreamFinding[]): never {
  const lines = findings.map(
    ({ at, setting, expected, found }) =>
      `  ${at}: ${setting}: expected ${expected}, found ${found}`,
  );
  const message = `The journal is not safe for money. ${findings.length} finding(s):`;
  throw new StreamFault([message, ...lines].join('\n'), { findings });
}

type Found = { readonly config: FoundConfig; readonly holders: readonly ReplicaServer[] };

type ApiAnswer = {
  readonly config?: FoundConfig;
  readonly cluster?: Cluster;
  readonly error?: {
    readonly code?: number;
    readonly err_code?: number;
    readonly description?: string;
  };
};

// Error codes of the server.
const STREAM_NOT_FOUND = 10_059;
const OTHER_CONFIGURATION = 10_058;
// A cluster that is still starting has no peers for a stream.
const NO_PLACE = 10_005;

type Wanted = { readonly name: string; readonly config: object; readonly deadlineMs: number };

async function ensure(nats: Nats, { name, config, deadlineMs }: Wanted): Promise<Found> {
  for (;;) {
    const answer = await findOrCreate(nats, name, config);
    if ('config' in answer) return answer;
    if (performance.now() > deadlineMs) {
      throw new StreamFault(`${name}: JetStream was not ready in time.`, answer);
    }
    await delay(RETRY_AFTER_MS);
  }
}

async function findOrCreate(
  nats: Nats,
  name: string,
  config: object,
): Promise<Found | { cause: unknown }> {
  try {
    let answer = await request(nats, `$JS.API.STREAM.INFO.${name}`, {});
    if (answer.error?.err_code === STREAM_NOT_FOUND) {
      answer = await request(nats, `$JS.API.STREAM.CREATE.${name}`, config);
    }
    const holders = holdersOf(nats, answer);
    if (answer.config !== undefined && holders !== undefined) {
      return { config: answer.config, holders };
    }
    if (!isTransient(answer)) refuseToCreate(name, answer);
    return { cause: new Error(answer.error?.description ?? 'The stream has no leader.') };
  } catch (fault) {
    if (fault instanceof StreamFault) throw fault;
    return { cause: fault };
  }
}

async function request(nats: Nats, api: string, body: object): Promise<ApiAnswer> {
  if (!nats.isConnected) throw new Error('Not connected to NATS.');
  const options = { timeout: REQUEST_TIMEOUT_MS };
  return (await nats.client.request(api, JSON.stringify(body), options)).json<ApiAnswer>();
}

// Another process may have created the stream at the same moment: the next request finds it.
function isTransient({ error }: ApiAnswer): boolean {
  if (error === undefined) return true;
  const { code, err_code } = error;
  return code === 503 || err_code === NO_PLACE || err_code === OTHER_CONFIGURATION;
}

function refuseToCreate(at: string, { error }: ApiAnswer): never {
  const found = error?.description ?? 'nothing';
  refuse([{ at, setting: 'stream', expected: 'to be created', found }]);
}

type Cluster = {
  readonly leader?: string;
  readonly replicas?: readonly {
    readonly name?: string;
    readonly current?: boolean;
    readonly offline?: boolean;
    /** Nanoseconds since the leader last heard from it; 0 if it never has. */
    readonly active?: number;
  }[];
};

// The leader hears from each replica every second.
const OFFLINE_AFTER_NS = 3_000_000_000;

// A single server reports no cluster. Undefined while there is no leader.
function holdersOf(nats: Nats, { cluster }: ApiAnswer): ReplicaServer[] | undefined {
  const { leader, replicas = [] } = cluster ?? { leader: nats.client.info?.server_name };
  if (leader === undefined) return undefined;
  const others = replicas.map(({ name = 'unnamed server', ...state }) => {
    const { current = false, offline = false, active = 0 } = state;
    const isOffline = offline || active > OFFLINE_AFTER_NS || (active === 0 && !current);
    return { name, isOffline };
  });
  return [{ name: leader, isOffline: false }, ...others];
}
