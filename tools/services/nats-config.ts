// The configuration file of a NATS server.

export type NatsConfig = {
  name: string;
  clientPort: number;
  monitorPort: number;
  storeFolder: string;
  /** False only for tests of the wrong setting. */
  syncAlways: boolean;
  /** A file with the users and their permissions; everyone on this machine without it. */
  usersFile?: string | undefined;
  /** Files of the server's certificate and key; clients then begin with the handshake. */
  tls?: { certFile: string; keyFile: string } | undefined;
  /** Undefined for a single server. */
  cluster: { port: number; otherPorts: readonly number[] } | undefined;
};

export function natsConfigText(config: NatsConfig): string {
  const { name, clientPort, monitorPort, storeFolder, syncAlways, cluster, tls, usersFile } =
    config;
  return [
    `server_name: ${name}`,
    `listen: "127.0.0.1:${clientPort}"`,
    `http: "127.0.0.1:${monitorPort}"`,
    'max_payload: 8MB',
    // A frame's events and a snapshot's parts may wait together for one slow reader.
    'max_pending: 256MB',
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeFolder)}`,
    '  max_memory_store: 256MB',
    '  max_file_store: 20GB',
    // Without this line the server syncs every two minutes but acknowledges at once.
    ...(syncAlways ? ['  sync_interval: always'] : []),
    '}',
    ...(cluster === undefined ? [] : clusterLines(cluster)),
    ...(tls === undefined ? [] : tlsLines(tls)),
    ...(usersFile === undefined ? [] : [`include ${JSON.stringify(usersFile)}`]),
    '',
  ].join('\n');
}

function tlsLines({ certFile, keyFile }: { certFile: string; keyFile: string }): string[] {
  const files = [
    `  cert_file: ${JSON.stringify(certFile)}`,
    `  key_file: ${JSON.stringify(keyFile)}`,
  ];
  return ['tls {', ...files, '  handshake_first: true', '}'];
}

function clusterLines({ port, otherPorts }: { port: number; otherPorts: readonly number[] }) {
  return [
    'cluster {',
    '  name: rialto',
    `  listen: "127.0.0.1:${port}"`,
    `  routes: [${otherPorts.map((other) => `"nats://127.0.0.1:${other}"`).join(', ')}]`,
    '}',
  ];
}
