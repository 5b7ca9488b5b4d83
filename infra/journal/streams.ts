// The streams of one exchange. Services check them and never create or change them: tools create
// them on request. In production, a stream or server that could lose acknowledged data is rejected.

import { setTimeout as delay } from 'node:timers/promises';
import type { Nats } from '../bus/index.ts';
import { type FoundLog, LogRefused } from './exchange-id.ts';
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
  checkStorage,
  checkStream,
  type FoundConfig,
  nameConfig,
  namedExchange,
  type StreamFinding,
  streamConfig,
} from './nats-stream-settings.ts';

/** All names derive from the exchange's name, so exchanges and tests can share servers. */
export type JournalNames = {
  readonly commands: { readonly stream: string; readonly subject: string };
  readonly events: { readonly stream: string; readonly subject: string };
  /** The object store bucket of snapshots. */
  readonly bucket: string;
  /** Has no messages: its metadata names the exchange. */
  readonly name: { readonly stream: string; readonly subject: string };
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
  /** How long servers may deny that a stream exists: some start with an empty list of streams. */
  readonly missingMs?: number;
};

/** The journal is unsafe for money, or its servers do not respond. */
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
const MISSING_MS = 3_000;

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
    name: { stream: `${prefix}_NAME`, subject: `${exchange}.log.name` },
  };
}

/**
 * Creates the streams that are missing, empty and without a name: `nameLog` completes them. Only
 * tools that an operator runs call this, and tests.
 */
export async function createStreams(nats: Nats, options: StreamsOptions): Promise<void> {
  const { bucket, commands, events } = journalNames(options.exchange);
  const replicas = replicasOf(options);
  const deadlineMs = performance.now() + (options.timeoutMs ?? TIMEOUT_MS);
  for (const { stream: name, subject } of [commands, events]) {
    const config = streamConfig({ name, subject, replicas });
    await ask(nats, { name, create: config, deadlineMs, missingMs: 0 });
  }
  const name = bucketStream(bucket);
  const create = bucketConfig({ name: bucket, replicas });
  await ask(nats, { name, create, deadlineMs, missingMs: 0 });
}

/** Marks the log as complete, so services use it. Throws LogRefused if it has another id. */
export async function nameLog(
  nats: Nats,
  options: StreamsOptions & { readonly exchangeId: string },
): Promise<void> {
  const { stream: name, subject } = journalNames(options.exchange).name;
  const { exchangeId } = options;
  const create = nameConfig({ name, subject, replicas: replicasOf(options) }, exchangeId);
  const deadlineMs = performance.now() + (options.timeoutMs ?? TIMEOUT_MS);
  const found = await ask(nats, { name, create, deadlineMs, missingMs: 0 });
  const named = namedExchange(found.config);
  if (named === exchangeId) return;
  throw new LogRefused('foreign', `${name} names exchange ${named}, not ${exchangeId}.`);
}

/** The exchange that the servers name; undefined if the log is not complete. */
export async function findName(nats: Nats, options: StreamsOptions): Promise<string | undefined> {
  const { stream: name } = journalNames(options.exchange).name;
  const deadlineMs = performance.now() + (options.timeoutMs ?? TIMEOUT_MS);
  const found = await ask(nats, { name, deadlineMs, missingMs: 0 });
  return found === 'missing' ? undefined : namedExchange(found.config);
}

export interface CheckedStreams {
  /** To be logged. */
  readonly findings: readonly StreamFinding[];
  readonly found: FoundLog;
}

/**
 * Throws LogRefused if there is no complete log, and in production a StreamFault for any finding
 * that is not just a warning.
 */
export async function checkStreams(nats: Nats, options: StreamsOptions): Promise<CheckedStreams> {
  const { mode, monitorUrls, timeoutMs = TIMEOUT_MS, missingMs = MISSING_MS } = options;
  const { bucket, commands, events, name } = journalNames(options.exchange);
  const isProduction = mode === 'production';
  const replicas = replicasOf(options);
  const deadlineMs = performance.now() + timeoutMs;
  const find = async (stream: string) => {
    const answer = await ask(nats, { name: stream, deadlineMs, missingMs });
    if (answer === 'missing') refuseMissing(stream, nats);
    return answer;
  };

  const findings: StreamFinding[] = [];
  const holders = new Map<string, ReplicaServer>();
  for (const { stream, subject } of [commands, events]) {
    const found = await find(stream);
    findings.push(...checkStream({ name: stream, subject, replicas }, found.config));
    for (const holder of found.holders) holders.set(holder.name, holder);
  }
  const snapshots = await find(bucketStream(bucket));
  findings.push(...checkBucket({ name: bucket, replicas }, snapshots.config));
  const naming = await find(name.stream);
  findings.push(...checkStorage({ name: name.stream, replicas }, naming.config));

  if (isProduction || monitorUrls.length > 0) {
    findings.push(...(await checkReports(monitorUrls, [...holders.values()])));
  } else {
    findings.push(...checkConnected(nats));
  }
  const refused = findings.filter((finding) => finding.isWarning !== true);
  if (isProduction && refused.length > 0) refuse(refused);
  const { last } = await find(commands.stream);
  return { findings, found: foundLog(naming, last, { commands: commands.stream, nats }) };
}

function foundLog(
  naming: Found,
  lastFrame: number,
  { commands, nats }: { readonly commands: string; readonly nats: Nats },
): FoundLog {
  const exchangeId = namedExchange(naming.config);
  if (exchangeId === undefined || lastFrame === 0) {
    throw new LogRefused('empty', `${commands} is empty on ${serverOf(nats)}.`);
  }
  return { exchangeId, completeSinceMs: naming.createdMs, lastFrame };
}

function refuseMissing(stream: string, nats: Nats): never {
  throw new LogRefused(
    'missing',
    `${stream} does not exist on ${serverOf(nats)}: the log is lost or not restored completely, ` +
      'or these are other servers. Only a new exchange starts with `rialto create-log`.',
  );
}

function serverOf({ client }: Nats): string {
  return client.info?.cluster ?? client.info?.server_name ?? 'the servers';
}

function replicasOf({ mode, replicas }: StreamsOptions): number {
  return Math.max(replicas, mode === 'production' ? REPLICAS_IN_PRODUCTION_MIN : 1);
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

type Found = {
  readonly config: FoundConfig;
  readonly holders: readonly ReplicaServer[];
  readonly last: number;
  readonly createdMs: number;
};

type ApiAnswer = {
  readonly config?: FoundConfig;
  readonly created?: string;
  readonly state?: { readonly last_seq?: number };
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

interface Asked {
  readonly name: string;
  readonly deadlineMs: number;
  /** A stream counts as missing if the servers deny it for this long. */
  readonly missingMs: number;
  /** Creates the stream with this configuration if it is missing. */
  readonly create?: object;
}

async function ask(nats: Nats, asked: Asked & { readonly create: object }): Promise<Found>;
async function ask(nats: Nats, asked: Asked): Promise<Found | 'missing'>;
async function ask(nats: Nats, asked: Asked): Promise<Found | 'missing'> {
  const { create, deadlineMs, missingMs, name } = asked;
  let missingSinceMs: number | undefined;
  for (;;) {
    const answer = await askOnce(nats, name, create);
    const nowMs = performance.now();
    if (answer === 'missing') {
      missingSinceMs ??= nowMs;
      if (nowMs - missingSinceMs >= missingMs) return answer;
    } else if ('config' in answer) {
      return answer;
    } else {
      missingSinceMs = undefined;
      if (nowMs > deadlineMs) {
        throw new StreamFault(`${name}: JetStream was not ready in time.`, answer);
      }
    }
    await delay(RETRY_AFTER_MS);
  }
}

async function askOnce(
  nats: Nats,
  name: string,
  create: object | undefined,
): Promise<Found | 'missing' | { cause: unknown }> {
  try {
    let answer = await request(nats, `$JS.API.STREAM.INFO.${name}`, {});
    if (answer.error?.err_code === STREAM_NOT_FOUND) {
      if (create === undefined) return 'missing';
      answer = await request(nats, `$JS.API.STREAM.CREATE.${name}`, create);
    }
    const holders = holdersOf(nats, answer);
    if (answer.config !== undefined && holders !== undefined) {
      const { config, created = '', state } = answer;
      return { config, holders, last: state?.last_seq ?? 0, createdMs: Date.parse(created) };
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
