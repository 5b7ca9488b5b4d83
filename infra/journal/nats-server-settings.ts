// What a server says about itself at its monitor port, and whether a log may trust it. The setting
// that matters most, a sync on each write, is told nowhere else.

import type { StreamFinding } from './nats-stream-settings.ts';

/** Of one server; undefined what it does not say. */
export type ServerReport = {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly payloadBytesMax: number | undefined;
  readonly syncAlways: boolean | undefined;
};

const NAMELESS = 'a server without a name';
const VERSION_MIN = { major: 2, minor: 15 };
const PAYLOAD_BYTES_MIN = 8 * 1024 * 1024;
const MONITOR_TIMEOUT_MS = 2_000;
const ANSWER_BYTES_MAX = 1024 * 1024;

/** Undefined when the server does not answer, or not with a report. */
export async function askMonitor(monitorUrl: string): Promise<ServerReport | undefined> {
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
    // A server leaves out what is false. Without JetStream it has nothing to sync.
    syncAlways: jetstream?.config && jetstream.config.sync_always === true,
  };
}

/** A server that has a copy of the log. */
export type Holder = {
  readonly name: string;
  /** The log's leader has not heard of it for a while: it acknowledges nothing at present. */
  readonly isAway: boolean;
};

/**
 * Each holder has to have reported. One that is away need not: otherwise nothing could be started
 * while one server of three is down.
 */
export function checkServers(
  reports: readonly ServerReport[],
  holders: readonly Holder[],
): StreamFinding[] {
  const reported = new Set(reports.map(({ name }) => name));
  const silent = holders.filter(({ name }) => !reported.has(name));
  return [
    ...reports.flatMap(checkServer),
    ...silent.map(({ name, isAway }) => unverified(name, isAway)),
  ];
}

export function unverified(at: string, isPassing: boolean): StreamFinding {
  const found = 'no way to know: no monitor of this server answers';
  const finding: StreamFinding = { at, setting: 'sync_interval', asked: 'always', found };
  return isPassing ? { ...finding, isPassing } : finding;
}

function checkServer(report: ServerReport): StreamFinding[] {
  if (report.syncAlways === true) return checkProgram(report);
  const at = report.name ?? NAMELESS;
  const found = report.syncAlways === undefined ? 'no JetStream' : 'a sync now and then';
  return [...checkProgram(report), { at, setting: 'sync_interval', asked: 'always', found }];
}

/** The part that every connection tells, without a monitor. */
export function checkProgram({
  name: at = NAMELESS,
  version,
  payloadBytesMax,
}: Omit<ServerReport, 'syncAlways'>): StreamFinding[] {
  const findings: StreamFinding[] = [];
  if (!isVersionEnough(version)) {
    const asked = `at least ${VERSION_MIN.major}.${VERSION_MIN.minor}`;
    findings.push({ at, setting: 'version', asked, found: version ?? 'nothing' });
  }
  if (payloadBytesMax === undefined || payloadBytesMax < PAYLOAD_BYTES_MIN) {
    const found = String(payloadBytesMax ?? 'nothing');
    findings.push({ at, setting: 'max_payload', asked: `at least ${PAYLOAD_BYTES_MIN}`, found });
  }
  return findings;
}

function isVersionEnough(version: string | undefined): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version ?? '')?.map(Number) ?? [];
  if (major === undefined) return false;
  return major > VERSION_MIN.major || (major === VERSION_MIN.major && minor >= VERSION_MIN.minor);
}
