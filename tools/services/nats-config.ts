// Configuration file of a NATS server.

export type NatsConfig = {
  name: string;
  /** Address to listen on. */
  host: string;
  clientPort: number;
  monitorPort: number;
  storeFolder: string;
  /** False only for tests of the wrong setting. */
  syncAlways: boolean;
  /** File with users and their permissions; without it, any client on this machine is allowed. */
  usersFile?: string | undefined;
  /** Files with the server's certificate and key; clients then start with the handshake. */
  tls?: NatsTls | undefined;
  /** Undefined for a single server. */
  cluster: { port: number; others: readonly string[] } | undefined;
};

export type NatsTls = {
  certFile: string;
  keyFile: string;
  /** With it, routes use TLS too: each server verifies that this authority signed the others. */
  routesCaFile?: string;
};

export function natsConfigText(config: NatsConfig): string {
  const { clientPort, cluster, host, monitorPort, name, storeFolder, syncAlways } = config;
  const { tls, usersFile } = config;
  return [
    `server_name: ${name}`,
    `listen: "${host}:${clientPort}"`,
    `http: "${host}:${monitorPort}"`,
    'max_payload: 8MB',
    // A frame's events and a snapshot's parts might be queued together for one slow reader.
    'max_pending: 256MB',
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeFolder)}`,
    '  max_memory_store: 256MB',
    '  max_file_store: 20GB',
    // Without this line the server syncs every two minutes but acknowledges immediately.
    ...(syncAlways ? ['  sync_interval: always'] : []),
    '}',
    ...(cluster === undefined ? [] : clusterLines(host, cluster, tls)),
    ...(tls === undefined ? [] : tlsLines(tls)),
    ...(usersFile === undefined ? [] : [`include ${JSON.stringify(usersFile)}`]),
    '',
  ].join('\n');
}

function tlsLines(tls: NatsTls): string[] {
  return ['tls {', ...fileLines(tls), '  handshake_first: true', '}'];
}

function fileLines({ certFile, keyFile }: NatsTls): string[] {
  return [`  cert_file: ${JSON.stringify(certFile)}`, `  key_file: ${JSON.stringify(keyFile)}`];
}

function clusterLines(
  host: string,
  { others, port }: { port: number; others: readonly string[] },
  tls: NatsTls | undefined,
): string[] {
  return [
    'cluster {',
    '  name: rialto',
    `  listen: "${host}:${port}"`,
    `  routes: [${others.map((other) => `"nats://${other}"`).join(', ')}]`,
    ...(tls?.routesCaFile === undefined ? [] : routeTlsLines(tls, tls.routesCaFile)),
    '}',
  ];
}

function routeTlsLines(tls: NatsTls, caFile: string): string[] {
  const files = [...fileLines(tls), `  ca_file: ${JSON.stringify(caFile)}`, '  verify: true'];
  return [
    // Clients compare certificates with names, but servers would advertise addresses.
    '  no_advertise: true',
    '  tls {',
    ...files.map((line) => `  ${line}`),
    '  }',
  ];
}
