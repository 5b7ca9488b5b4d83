// Server checks for `rialto doctor`: public URL of the API, certificate expiry, and clock offset.

import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { describeFault } from '../../infra/process/index.ts';
import type { Finding } from './finding.ts';

const ANSWER_MS = 5_000;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = { warning: 21, bad: 7 };
/** The engine tolerates little: gateways and sequencers compare their clocks too. */
const OFFSET_MS = { warning: 50, bad: 500 };
/** The date header has whole seconds. */
const HTTP_DATE_MS = 1_000;
const LOOPBACK = /^(?:127\.|localhost$|\[::1\]$)/;

/** Checks a clock that was read between two local times, with this resolution. */
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
    const advice = response.ok ? '' : '; check its log and rialto status';
    findings.push({
      check: 'API',
      state,
      detail: `${url} responds with ${response.status}${advice}`,
    });
    const theirMs = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(theirMs)) {
      const reading = { theirMs, askedMs, answeredMs, resolutionMs: HTTP_DATE_MS };
      findings.push(clockFinding({ server: 'API', ...reading }));
    }
  } catch (fault) {
    const detail =
      `no response from ${url} (${describeFault(fault)}); ` +
      'check that it is running and the URL is correct';
    findings.push({ check: 'API', state: 'bad', detail });
  }
  if (protocol === 'https:') findings.push(await checkCertificate(url));
  else if (!LOOPBACK.test(hostname)) {
    const detail = `${url} is not encrypted: keys and codes can be intercepted; use https://`;
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
    socket.setTimeout(ANSWER_MS, () => finish('bad', `${hostname} is not responding`));
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
  const text = `certificate for ${hostname} expires in ${days} days`;
  if (days < CERTIFICATE_DAYS.bad) return ['bad', `${text}; renew it now`];
  return days < CERTIFICATE_DAYS.warning ? ['warning', `${text}; renew it`] : ['good', text];
}

/** Returns undefined if the NATS monitor does not respond; another check reports that. */
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

/** Returns undefined if the query fails: this user might lack the role in the URL. */
export async function postgresClock(url: string): Promise<Finding | undefined> {
  try {
    const options = { url, schema: 'public', name: 'doctor', statementTimeoutMs: ANSWER_MS };
    // Loaded on demand, because the driver takes longer than the rest of the command.
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

/** Counts only the offset beyond the response time and the resolution. */
export function clockFinding(reading: ClockReading): Finding {
  const { answeredMs, askedMs, resolutionMs, server, theirMs } = reading;
  const earliest = theirMs - answeredMs;
  const latest = theirMs + resolutionMs - askedMs;
  const certain = earliest > 0 ? earliest : latest < 0 ? -latest : 0;
  const check = `${server} clock`;
  if (certain <= OFFSET_MS.warning) {
    const bound = Math.max(Math.abs(earliest), Math.abs(latest));
    return { check, state: 'good', detail: `within ${bound}ms of this machine` };
  }
  const direction = earliest > 0 ? 'ahead of' : 'behind';
  return {
    check,
    state: certain > OFFSET_MS.bad ? 'bad' : 'warning',
    detail: `at least ${certain}ms ${direction} this machine; sync both with NTP`,
  };
}
