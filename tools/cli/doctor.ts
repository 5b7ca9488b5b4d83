// `rialto doctor`: checks this machine and the configuration and suggests a fix for each finding.
// It changes nothing.

import { readFileSync, statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { parseEnv } from 'node:util';
import { ConfigFault, describeFault } from '../../infra/process/index.ts';
import { PRODUCTION_SERVICES, readServiceConfig } from '../../infra/settings/index.ts';
import { UsageFault } from '../command-line.ts';
import { counted } from '../text-table.ts';
import type { Finding } from './finding.ts';
import { checkApi, natsClock, postgresClock } from './server-checks.ts';
import { paint, type Terminal, withProgress } from './terminal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NODE_MAJOR = 24;
const FREE_SHARE_MIN = 0.25;
const DIAL_MS = 2_000;
const CHECK_WIDTH = 29;
const DEFAULT_PORTS = { nats: 4_222, postgres: 5_432, http: 80, https: 443 };

/** Returns 0 if no check failed. */
export async function showDoctor(
  files: readonly string[],
  environment: Environment,
  terminal: Terminal,
  profileUrl: string | undefined,
): Promise<number> {
  // The profile belongs to this command. It is not a service setting.
  const { RIALTO_PROFILE: _, ...settings } = environment;
  for (const file of files) Object.assign(settings, readSettings(file));
  const findings = [
    nodeVersion(),
    freeSpace(process.cwd()),
    ...(files.length > 0 ? configurations(settings) : []),
    ...(await withProgress(terminal, 'Checking servers', allServers(settings, profileUrl))),
  ];
  if (terminal.isJson) terminal.print(JSON.stringify(findings, null, 2));
  else for (const finding of findings) for (const line of linesOf(finding)) terminal.print(line);
  const bad = findings.filter(({ state }) => state === 'bad').length;
  if (!terminal.isJson) {
    const result = bad === 0 ? 'All checks passed.' : `${bad} of ${findings.length} checks failed.`;
    terminal.print(`\n${paint(terminal, bad === 0 ? 'green' : 'red', result)}`);
  }
  return bad === 0 ? 0 : 1;

  function linesOf({ check, detail, more = [], state }: Finding): readonly string[] {
    const [color, mark] = MARKS[state];
    const indent = ' '.repeat(mark.length + 2);
    return [
      `${paint(terminal, color, mark)}  ${check.padEnd(CHECK_WIDTH)}  ${detail}`,
      ...more.map((sentence) => `${indent}${sentence}`),
    ];
  }
}

function readSettings(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (fault) {
    throw new UsageFault(`Cannot read ${file}: ${describeFault(fault)}.`);
  }
}

const MARKS = {
  good: ['green', 'ok  '],
  warning: ['yellow', 'warn'],
  bad: ['red', 'FAIL'],
} as const;

function nodeVersion(): Finding {
  const { node } = process.versions;
  const isGood = Number(node.split('.', 1)[0]) >= NODE_MAJOR;
  const advice = isGood ? '' : `; install ${NODE_MAJOR}, or run npm ci and npx node`;
  return { check: 'Node', state: isGood ? 'good' : 'bad', detail: `version ${node}${advice}` };
}

function freeSpace(folder: string): Finding {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const gigabytes = Math.round((bavail * bsize) / 1e9);
  const isGood = bavail / blocks >= FREE_SHARE_MIN;
  const share = Math.round((100 * bavail) / blocks);
  const advice = isGood ? '' : '; the log keeps growing, so free or add space';
  return {
    check: 'disk',
    state: isGood ? 'good' : 'warning',
    detail: `${gigabytes} GB (${share}%) free at ${folder}${advice}`,
  };
}

/** Returns one finding per service. */
function configurations(settings: Environment): readonly Finding[] {
  return PRODUCTION_SERVICES.map((service) => {
    const check = `${service} settings`;
    try {
      readServiceConfig(service, settings);
      return { check, state: 'good', detail: 'complete' };
    } catch (fault) {
      if (!(fault instanceof ConfigFault)) throw fault;
      const more = fault.problems.map(({ name, problem }) => `${name} ${problem}`);
      return { check, state: 'bad', detail: counted(more.length, 'invalid setting'), more };
    }
  });
}

/** Servers named in the settings, and the exchange at the profile's or the public URL. */
async function allServers(
  settings: Environment,
  profileUrl: string | undefined,
): Promise<readonly Finding[]> {
  const { RIALTO_NATS_MONITOR_URLS = '', RIALTO_PUBLIC_URL } = settings;
  const monitors = RIALTO_NATS_MONITOR_URLS.split(',').filter((url) => URL.canParse(url));
  const database = postgresUrl(settings);
  const apis = [...new Set([RIALTO_PUBLIC_URL, profileUrl])].filter(
    (url) => url !== undefined && URL.canParse(url),
  );
  const found = await Promise.all([
    servers(settings),
    Promise.all(monitors.map(natsClock)),
    database === '' ? [] : postgresClock(database).then((one) => [one]),
    ...apis.map((url) => checkApi(url as string)),
  ]);
  return found.flat().filter((finding) => finding !== undefined);
}

async function servers(settings: Environment): Promise<readonly Finding[]> {
  const { RIALTO_NATS_URLS = '', RIALTO_NATS_MONITOR_URLS = '' } = settings;
  const urls = [
    ...RIALTO_NATS_URLS.split(',').map((url) => ['NATS', url, DEFAULT_PORTS.nats] as const),
    ...RIALTO_NATS_MONITOR_URLS.split(',').map(
      (url) => ['NATS monitor', url, DEFAULT_PORTS.http] as const,
    ),
    ['PostgreSQL', postgresUrl(settings), DEFAULT_PORTS.postgres] as const,
  ].filter(([, url]) => url !== '');
  return Promise.all(
    urls.map(async ([name, text, port]) => {
      const url = URL.parse(text.trim());
      if (url === null) return { check: name, state: 'bad', detail: 'not a valid URL' };
      const place = `${url.hostname}:${url.port || port}`;
      const isUp = await canDial(url.hostname, Number(url.port || port));
      return {
        check: name,
        state: isUp ? 'good' : 'bad',
        detail: isUp ? `${place} accepts connections` : `${place} is not responding; start it`,
      };
    }),
  );
}

/** Returns an empty text if it is not set. The settings check reports an unreadable file. */
function postgresUrl({ RIALTO_POSTGRES_URL, RIALTO_POSTGRES_URL_FILE }: Environment): string {
  if (RIALTO_POSTGRES_URL !== undefined) return RIALTO_POSTGRES_URL;
  try {
    return readFileSync(RIALTO_POSTGRES_URL_FILE ?? '', 'utf8').trim();
  } catch {
    return '';
  }
}

function canDial(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port });
    const finish = (isConnected: boolean) => {
      socket.destroy();
      done(isConnected);
    };
    socket.setTimeout(DIAL_MS, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
