// Starts real NATS servers with JetStream on loopback: a single one, or a cluster of three.
// For development, tests, benches and drills; a production log runs on three machines.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { freePorts } from './free-ports.ts';
import { installNats } from './install-nats.ts';
import { natsConfigText } from './nats-config.ts';
import { logTail, ServerProcess } from './server-process.ts';
import { waitUntil } from './wait-until.ts';

export interface NatsNode {
  readonly name: string;
  readonly port: number;
  readonly url: string;
  /** Without a user: the client proves its identity with a key. */
  readonly plainUrl: string;
  readonly monitorUrl: string;
  readonly storeFolder: string;
  readonly logFile: string;
  /** Undefined if the server is not running. */
  readonly pid: number | undefined;
  /** Uses the same ports and data. Resolves when it accepts clients, which needs no other node. */
  start(): Promise<void>;
  /** Resolves when the process has exited, or for SIGSTOP when it is stopped. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface NatsServers {
  readonly urls: string[];
  readonly nodes: readonly NatsNode[];
  /** Resolves when every running node is healthy and they agree on JetStream's leader. */
  waitUntilReady(): Promise<void>;
  stop(): Promise<void>;
}

export type NatsOptions = {
  /** Contains configuration, data and logs; created if missing, never emptied. */
  folder: string;
  nodes: 1 | 3;
  /** File with users and their permissions. */
  usersFile?: string;
  /** Files with the servers' certificate and key. */
  tls?: { certFile: string; keyFile: string };
  /** User in the URLs for programs on this machine, as `name:password`. */
  user?: string;
  /** False only for tests of the wrong setting. */
  syncAlways?: boolean;
  /** False leaves the servers running when this process exits. */
  untilParentDies?: boolean;
  /** Location of each node; by default all on loopback. */
  hosts?: readonly NatsHost[];
  /** Called for every process as soon as it runs. */
  onLaunch?: (server: { name: string; pid: number }) => void;
};

/** A separate address, for drills that disconnect servers from each other. */
export interface NatsHost {
  readonly address: string;
  /** Prefix to run a command there, such as `ip netns exec NAME`. */
  readonly command: readonly string[];
}

const LOOPBACK: NatsHost = { address: '127.0.0.1', command: [] };

const portAttemptsMax = 5;
const readyTimeoutMs = 60_000;

export async function startNats(options: NatsOptions): Promise<NatsServers> {
  const program = await installNats();
  for (let attempt = 1; ; attempt += 1) {
    const nodes = await prepareNodes(program, options);
    const servers = natsServers(nodes);
    try {
      await Promise.all(nodes.map((node) => node.start()));
      await servers.waitUntilReady();
      return servers;
    } catch (fault) {
      await servers.stop();
      // Another process might have bound the port in the meantime.
      const isPortTaken = fault instanceof Error && /address already in use/.test(fault.message);
      if (!isPortTaken || attempt === portAttemptsMax) throw fault;
    }
  }
}

interface StoppableNode extends NatsNode {
  stop(): Promise<void>;
}

async function prepareNodes(program: string, options: NatsOptions): Promise<StoppableNode[]> {
  const { nodes: count, usersFile } = options;
  const ports = await freePorts(count * 3);
  const clusterPorts = ports.slice(count * 2);
  const hostOf = (index: number) => options.hosts?.[index] ?? LOOPBACK;
  const routes = clusterPorts.map((port, index) => `${hostOf(index).address}:${port}`);
  return clusterPorts.map((clusterPort, index) => {
    const { address: host, command } = hostOf(index);
    // A cluster cannot use the data of a single server, so the two never share a folder.
    const name = count === 1 ? 'alone' : `n${index + 1}`;
    const folder = join(resolve(options.folder), name);
    const storeFolder = join(folder, 'store');
    const configFile = join(folder, 'nats-server.conf');
    mkdirSync(folder, { recursive: true });
    const [clientPort, monitorPort] = [ports[index], ports[count + index]];
    const others = routes.filter((_, at) => at !== index);
    writeFileSync(
      configFile,
      natsConfigText({
        name,
        host,
        clientPort,
        monitorPort,
        storeFolder,
        syncAlways: options.syncAlways ?? true,
        usersFile: usersFile === undefined ? undefined : relative(folder, resolve(usersFile)),
        tls: options.tls,
        cluster: count === 1 ? undefined : { port: clusterPort, others },
      }),
    );
    const logFile = join(folder, 'nats-server.log');
    const [first, ...rest] = [...command, program];
    const server = new ServerProcess({
      name: `nats-server ${name}`,
      program: first,
      args: [...rest, '-c', configFile],
      folder,
      logFile,
      untilParentDies: options.untilParentDies ?? true,
      onLaunch: options.onLaunch,
    });
    return natsNode({
      name,
      host,
      user: options.user,
      isTls: options.tls !== undefined,
      clientPort,
      monitorPort,
      storeFolder,
      logFile,
      server,
    });
  });
}

function natsNode(options: {
  name: string;
  host: string;
  user: string | undefined;
  isTls: boolean;
  clientPort: number;
  monitorPort: number;
  storeFolder: string;
  logFile: string;
  server: ServerProcess;
}): StoppableNode {
  const { clientPort, host, server } = options;
  const user = options.user === undefined ? '' : `${options.user}@`;
  return {
    name: options.name,
    port: clientPort,
    url: `nats://${user}${host}:${clientPort}`,
    plainUrl: `nats://${host}:${clientPort}`,
    monitorUrl: `http://${host}:${options.monitorPort}`,
    storeFolder: options.storeFolder,
    logFile: options.logFile,
    get pid() {
      return server.pid;
    },
    async start() {
      server.launch();
      await server.waitUntil('accepts clients', () => sendsInfo(host, clientPort, options.isTls));
    },
    kill: (signal) => server.kill(signal),
    stop: () => server.stop('SIGTERM'),
  };
}

function natsServers(nodes: readonly StoppableNode[]): NatsServers {
  return {
    urls: nodes.map(({ url }) => url),
    nodes,
    async waitUntilReady() {
      // Ignores nodes that are not running now; a node that exits during the wait is a failure.
      const awaited = nodes.filter(({ pid }) => pid !== undefined);
      try {
        await waitUntil({
          what: 'NATS is ready',
          timeoutMs: readyTimeoutMs,
          question: () => areReady(awaited, nodes.length),
        });
      } catch (fault) {
        const reason = fault instanceof Error ? fault.message : String(fault);
        const tails = awaited.map(({ logFile }) => `${logFile} ends with:\n${logTail(logFile)}`);
        throw new Error([reason, ...tails].join('\n'));
      }
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

async function areReady(running: readonly NatsNode[], nodeCount: number): Promise<boolean> {
  if (running.length === 0) throw new Error('no NATS server is running');
  const ended = running.find(({ pid }) => pid === undefined);
  if (ended !== undefined) throw new Error(`nats-server ${ended.name} ended before it was ready`);
  const healths = await Promise.all(running.map((node) => ask(node, '/healthz')));
  if (!healths.every((health) => health?.status === 'ok')) return false;
  if (nodeCount === 1) return true;
  const overviews = await Promise.all(running.map((node) => ask(node, '/jsz')));
  const leaders = new Set(overviews.map((overview) => overview?.meta_cluster?.leader ?? ''));
  return leaders.size === 1 && !leaders.has('');
}

type MonitorAnswer = { status?: string; meta_cluster?: { leader?: string } };

// A server that does not respond in time is not ready.
async function ask(node: NatsNode, path: string): Promise<MonitorAnswer | undefined> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const response = await fetch(node.monitorUrl + path, { signal });
    return (await response.json()) as MonitorAnswer;
  } catch {
    return undefined;
  }
}

// A server opens its client port last, and sends the first message: `INFO {…}`.
function sendsInfo(host: string, port: number, isTls: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const address = { port, host };
    // Accepts any certificate, because only the response matters here.
    const socket = isTls
      ? connectTls({ ...address, rejectUnauthorized: false })
      : createConnection(address);
    const finish = (isInfo: boolean) => {
      socket.destroy();
      resolve(isInfo);
    };
    socket.setTimeout(2_000, () => finish(false));
    socket.once('data', (chunk) => finish(chunk.toString().startsWith('INFO ')));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
