// The streams of one exchange: made when they are missing, compared when they are there, and never
// changed. In production a stream or server that could lose what it acknowledged is refused.

import { setTimeout as delay } from 'node:timers/promises';
import type { Nats } from '../bus/index.ts';
import {
  askMonitor,
  checkProgram,
  checkServers,
  type Holder,
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

/** Several exchanges, or tests, can share servers: all names come from the exchange's. */
export type JournalNames = {
  readonly commands: { readonly stream: string; readonly subject: string };
  readonly events: { readonly stream: string; readonly subject: string };
  /** Of snapshots, in the object store. */
  readonly bucket: string;
};

export type StreamsMode = 'production' | 'development';

export type StreamsOptions = {
  readonly exchange: string;
  readonly mode: StreamsMode;
  /** At least 3 in production, whatever is said here. */
  readonly replicas: number;
  /** Where the servers report about themselves, e.g. `http://10.0.0.1:8222`, one for each. */
  readonly monitorUrls: readonly string[];
  /** How long servers that are not ready yet are waited for. */
  readonly patienceMs?: number;
};

/** The world's: what is there can not be trusted with money, or does not answer. */
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
const PATIENCE_MS = 30_000;
const ASK_AGAIN_AFTER_MS = 250;
const REQUEST_TIMEOUT_MS = 5_000;

export function journalNames(exchange: string): JournalNames {
  if (!/^[a-z][a-z0-9]{0,31}$/.test(exchange)) {
    throw new RangeError(`an exchange's name has small letters and digits, not '${exchange}'`);
  }
  const prefix = exchange.toUpperCase();
  return {
    commands: { stream: `${prefix}_COMMANDS`, subject: `${exchange}.log.commands` },
    events: { stream: `${prefix}_EVENTS`, subject: `${exchange}.log.events` },
    bucket: `${prefix}_SNAPSHOTS`,
  };
}

/**
 * Makes what is missing and checks everything. What is found is returned, to be logged; but in
 * production anything that does not pass by itself is thrown as a fault.
 */
export async function ensureStreams(
  nats: Nats,
  options: StreamsOptions,
): Promise<readonly StreamFinding[]> {
  const { mode, monitorUrls, patienceMs = PATIENCE_MS } = options;
  const { commands, events, bucket } = journalNames(options.exchange);
  const isProduction = mode === 'production';
  const replicas = Math.max(options.replicas, isProduction ? REPLICAS_IN_PRODUCTION_MIN : 1);
  const deadlineMs = performance.now() + patienceMs;

  const findings: StreamFinding[] = [];
  const holders = new Map<string, Holder>();
  for (const { stream, subject } of [commands, events]) {
    const asked = { name: stream, subject, replicas };
    const found = await ensure(nats, { name: stream, config: streamConfig(asked), deadlineMs });
    findings.push(...checkStream(asked, found.config));
    for (const holder of found.holders) holders.set(holder.name, holder);
  }
  const askedBucket = { name: bucket, replicas };
  const name = bucketStream(bucket);
  const found = await ensure(nats, { name, config: bucketConfig(askedBucket), deadlineMs });
  findings.push(...checkBucket(askedBucket, found.config));

  if (isProduction || monitorUrls.length > 0) {
    findings.push(...(await checkReports(monitorUrls, [...holders.values()])));
  } else {
    findings.push(...checkConnected(nats));
  }
  const refused = findings.filter((finding) => finding.isPassing !== true);
  if (isProduction && refused.length > 0) refuse(refused);
  return findings;
}

async function checkReports(
  monitorUrls: readonly string[],
  holders: readonly Holder[],
): Promise<StreamFinding[]> {
  const reports = await Promise.all(monitorUrls.map(askMonitor));
  const silent = monitorUrls.filter((_, at) => reports[at] === undefined);
  const heard = reports.filter((report): report is ServerReport => report !== undefined);
  return [
    ...checkServers(heard, holders),
    ...silent.map((url) => unverified(new URL(url).host, true)),
  ];
}

function checkConnected({ client }: Nats): StreamFinding[] {
  const { server_name: name, version, max_payload: payloadBytesMax } = client.info ?? {};
  return checkProgram({ name, version, payloadBytesMax });
}

function refuse(findings: readonly StreamFinding[]): never {
  const lines = findings.map(
    ({ at, setting, asked, found }) => `  ${at}: ${setting}: asked ${asked}, found ${found}`,
  );
  const message = `the log is not safe for money, ${findings.length} finding(s):`;
  throw new StreamFault([message, ...lines].join('\n'), { findings });
}

type Found = { readonly config: FoundConfig; readonly holders: readonly Holder[] };

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
// While a cluster is still coming together, it finds no place for a stream.
const NO_PLACE = 10_005;

type Wanted = { readonly name: string; readonly config: object; readonly deadlineMs: number };

async function ensure(nats: Nats, { name, config, deadlineMs }: Wanted): Promise<Found> {
  for (;;) {
    const answer = await findOrMake(nats, name, config);
    if ('config' in answer) return answer;
    if (performance.now() > deadlineMs) {
      throw new StreamFault(`${name}: JetStream is not ready in time`, answer);
    }
    await delay(ASK_AGAIN_AFTER_MS);
  }
}

async function findOrMake(
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
    if (!isPassing(answer)) refuseToMake(name, answer);
    return { cause: new Error(answer.error?.description ?? 'the stream has no leader') };
  } catch (fault) {
    if (fault instanceof StreamFault) throw fault;
    return { cause: fault };
  }
}

async function request(nats: Nats, api: string, body: object): Promise<ApiAnswer> {
  if (!nats.isConnected) throw new Error('there is no connection to NATS');
  const options = { timeout: REQUEST_TIMEOUT_MS };
  return (await nats.client.request(api, JSON.stringify(body), options)).json<ApiAnswer>();
}

// Another process may have made the stream in the same moment: then it is there when asked again.
function isPassing({ error }: ApiAnswer): boolean {
  if (error === undefined) return true;
  const { code, err_code } = error;
  return code === 503 || err_code === NO_PLACE || err_code === OTHER_CONFIGURATION;
}

function refuseToMake(at: string, { error }: ApiAnswer): never {
  const found = error?.description ?? 'nothing';
  refuse([{ at, setting: 'stream', asked: 'to be made', found }]);
}

type Cluster = {
  readonly leader?: string;
  readonly replicas?: readonly {
    readonly name?: string;
    readonly current?: boolean;
    readonly offline?: boolean;
    /** Nanoseconds since the leader heard of it; 0 when it never has. */
    readonly active?: number;
  }[];
};

// A replica is heard of every second.
const AWAY_AFTER_NS = 3_000_000_000;

// A server that stands alone tells nothing of a cluster. Undefined while nobody leads.
function holdersOf(nats: Nats, { cluster }: ApiAnswer): Holder[] | undefined {
  const { leader, replicas = [] } = cluster ?? { leader: nats.client.info?.server_name };
  if (leader === undefined) return undefined;
  const others = replicas.map(({ name = 'a server without a name', ...state }) => {
    const { current = false, offline = false, active = 0 } = state;
    const isAway = offline || active > AWAY_AFTER_NS || (active === 0 && !current);
    return { name, isAway };
  });
  return [{ name: leader, isAway: false }, ...others];
}
