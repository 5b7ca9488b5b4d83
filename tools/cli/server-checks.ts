// Checks of `rialto doctor` on servers: is the API reachable under its public URL, is the
// certificate valid for long enough, and does this machine's clock agree with theirs?

import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { describeFault } from '../../infra/process/index.ts';
import type { Finding } from './finding.ts';

const ANSWER_MS = 5_000;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = { warning: 21, bad: 7 };
/** The engine tolerates little: gateways and sequencers compare their clocks too. */
const OFFSET_MS = { warning: 50, bad: 500 };
/** The date of a response has whole seconds. */
const HTTP_DATE_MS = 1_000;
const LOOPBACK = /^(?:127\.|localhost$|\[::1\]$)/;

/** The state of a clock that was read between two moments of ours, with this resolution. */
export interface ClockReading {
  readonly server: string;
  readonly theirMs: number;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly resolutionMs: number;
}

export async function checkApi(url: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { hostname, protocol } = new URL(url);
  const askedMs = Date.now();
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(new URL('/v2/health', url), { signal });
    const answeredMs = Date.now();
    const state = response.ok ? 'good' : 'bad';
    const advice = response.ok ? '' : '; look at its log and at rialto status';
    findings.push({ check: 'API', state, detail: `${url} answers ${response.status}${advice}` });
    const theirMs = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(theirMs)) {
      const reading = { theirMs, askedMs, answeredMs, resolutionMs: HTTP_DATE_MS };
      findings.push(clockFinding({ server: 'API', ...reading }));
    }
  } catch (fault) {
    const detail = `${url} does not answer (${describeFault(fault)}); is it up, is the URL right?`;
    findings.push({ check: 'API', state: 'bad', detail });
  }
  if (protocol === 'https:') findings.push(await checkCertificate(url));
  else if (!LOOPBACK.test(hostname)) {
    const detail = `${url} is plain text: keys and codes can be read on the way; use https://`;
    findings.push({ check: 'TLS', state: 'bad', detail });
  }
  return findings;
}

function checkCertificate(url: string): Promise<Finding> {
  const { hostname, port } = new URL(url);
  const target = { host: hostname, port: Number(port || 443) };
  const named = isIP(hostname) === 0 ? { ...target, servername: hostname } : target;
  return new Promise((done) => {
    const finish = (state: Finding['state'], detail: string) => {
      socket.destroy();
      done({ check: 'TLS', state, detail });
    };
    const socket = connect(named, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      finish(...certificateState(hostname, Date.parse(end), Date.now()));
    });
    socket.setTimeout(ANSWER_MS, () => finish('bad', `${hostname} does not answer`));
    socket.once('error', (fault) =>
      finish('bad', `${hostname}: ${describeFault(fault)}; install a valid certificate`),
    );
  });
}

export function certificateState(
  hostname: string,
  endMs: number,
  nowMs: number,
): [Finding['state'], string] {
  const days = Math.floor((endMs - nowMs) / DAY_MS);
  const text = `the certificate of ${hostname} ends in ${days} days`;
  if (days < CERTIFICATE_DAYS.bad) return ['bad', `${text}; renew it now`];
  return days < CERTIFICATE_DAYS.warning ? ['warning', `${text}; renew it`] : ['good', text];
}

/** The monitor of a NATS server; undefined if it does not answer, which is a finding elsewhere. */
export async function natsClock(monitorUrl: string): Promise<Finding | undefined> {
  try {
    const askedMs = Date.now();
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(new URL('/varz', monitorUrl), { signal });
    const { now } = (await response.json()) as { readonly now: string };
    const reading = { theirMs: Date.parse(now), askedMs, answeredMs: Date.now(), resolutionMs: 1 };
    return clockFinding({ server: `NATS ${new URL(monitorUrl).host}`, ...reading });
  } catch {
    return undefined;
  }
}

/** Undefined if the server cannot be asked: the URL may be that of a role that this user lacks. */
export async function postgresClock(url: string): Promise<Finding | undefined> {
  try {
    const options = { url, schema: 'public', name: 'doctor', statementTimeoutMs: ANSWER_MS };
    // Loaded when it is needed: the driver takes longer than all of this command line.
    const { openConnection } = await import('../../infra/postgres/index.ts');
    const connection = await openConnection(options);
    try {
      const askedMs = Date.now();
      const { rows } = await connection.query('select clock_timestamp() as now');
      const reading = { theirMs: rows[0].now.getTime(), askedMs, answeredMs: Date.now() };
      return clockFinding({ server: 'PostgreSQL', ...reading, resolutionMs: 1 });
    } finally {
      await connection.end();
    }
  } catch {
    return undefined;
  }
}

/** Counts only an offset that the time of the answer and the resolution cannot explain. */
export function clockFinding(reading: ClockReading): Finding {
  const { answeredMs, askedMs, resolutionMs, server, theirMs } = reading;
  const earliest = theirMs - answeredMs;
  const latest = theirMs + resolutionMs - askedMs;
  const certain = earliest > 0 ? earliest : latest < 0 ? -latest : 0;
  const check = `clock of ${server}`;
  if (certain <= OFFSET_MS.warning) {
    const bound = Math.max(Math.abs(earliest), Math.abs(latest));
    return { check, state: 'good', detail: `agrees with this machine within ${bound} ms` };
  }
  const direction = earliest > 0 ? 'ahead of' : 'behind';
  return {
    check,
    state: certain > OFFSET_MS.bad ? 'bad' : 'warning',
    detail: `at least ${certain} ms ${direction} this machine; synchronise both with NTP`,
  };
}
