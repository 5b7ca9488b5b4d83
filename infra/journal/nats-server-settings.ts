// Reads the monitoring port of NATS servers and checks whether a log can trust them. The most
// important setting, a sync on each write, is reported nowhere else.

import type { StreamFinding } from './nats-stream-settings.ts';

/** The report of one server; undefined fields were not reported. */
export type ServerReport = {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly payloadBytesMax: number | undefined;
  readonly syncAlways: boolean | undefined;
};

const NAMELESS = 'unnamed server';
const VERSION_MIN = { major: 2, minor: 15 };
const PAYLOAD_BYTES_MIN = 8 * 1024 * 1024;
const MONITOR_TIMEOUT_MS = 2_000;
const ANSWER_BYTES_MAX = 1024 * 1024;

/** Undefined if the server does not return a report. */
export async function fetchServerReport(monitorUrl: string): Promise<ServerReport | undefined> {
  try {
    const signal = AbortSignal.timeout(MONITOR_TIMEOUT_MS);
    const response = await fetch(new URL('/varz', monitorUrl), { signal });
    const answer = await response.text();
    return answer.length > ANSWER_BYTES_MAX ? undefined : reportOf(JSON.parse(answer));
  } catch {
    return undefined;
  }
}

type Varz = {
  server_name?: string;
  version?: string;
  max_payload?: number;
  jetstream?: { config?: { sync_always?: boolean } };
};

export function reportOf({ server_name, version, max_payload, jetstream }: Varz): ServerReport {
  return {
    name: server_name,
    version,
    payloadBytesMax: max_payload,
    // The server omits false values. Without JetStream it has nothing to sync.
    syncAlways: jetstream?.config && jetstream.config.sync_always === true,
  };
}

/** A server that holds a copy of the log. */
export type ReplicaServer = {
  readonly name: string;
  /** The log's leader has not heard from it for a while: it currently acknowledges nothing. */
  readonly isOffline: boolean;
};

/**
 * Every holder must have reported, except those that are offline: otherwise nothing could start
 * while one server of three is down.
 */
export function checkServers(
  reports: readonly ServerReport[],
  holders: readonly ReplicaServer[],
): StreamFinding[] {
  const reported = new Set(reports.map(({ name }) => name));
  const silent = holders.filter(({ name }) => !reported.has(name));
  return [
    ...reports.flatMap(checkServer),
    ...silent.map(({ name, isOffline }) => unverified(name, isOffline)),
  ];
}

export function unverified(at: string, isWarning: boolean): StreamFinding {
  const found = 'unknown: no monitoring URL of this server answers';
  const finding: StreamFinding = { at, setting: 'sync_interval', expected: 'always', found };
  return isWarning ? { ...finding, isWarning } : finding;
}

function checkServer(report: ServerReport): StreamFinding[] {
  if (report.syncAlways === true) return checkProgram(report);
  const at = report.name ?? NAMELESS;
  const found = report.syncAlways === undefined ? 'no JetStream' : 'periodic sync';
  return [...checkProgram(report), { at, setting: 'sync_interval', expected: 'always', found }];
}

/** Checks the fields that every connection reports, without monitoring. */
export function checkProgram({
  name: at = NAMELESS,
  version,
  payloadBytesMax,
}: Omit<ServerReport, 'syncAlways'>): StreamFinding[] {
  const findings: StreamFinding[] = [];
  if (!isVersionEnough(version)) {
    const expected = `at least ${VERSION_MIN.major}.${VERSION_MIN.minor}`;
    findings.push({ at, setting: 'version', expected, found: version ?? 'nothing' });
  }
  if (payloadBytesMax === undefined || payloadBytesMax < PAYLOAD_BYTES_MIN) {
    const found = String(payloadBytesMax ?? 'nothing');
    findings.push({ at, setting: 'max_payload', expected: `at least ${PAYLOAD_BYTES_MIN}`, found });
  }
  return findings;
}

function isVersionEnough(version: string | undefined): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version ?? '')?.map(Number) ?? [];
  if (major === undefined) return false;
  return major > VERSION_MIN.major || (major === VERSION_MIN.major && minor >= VERSION_MIN.minor);
}
