// Finds ports on loopback for servers that keep them over restarts.
// A port found here is free now, not reserved: whoever binds it must be ready to ask again.

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

// The kernel lends ports from its range to every outgoing connection. A server that is down for a
// moment could lose such a port to one of them, even to a neighbour's attempt to reach it.
// So ports come from below that range, and only failing that from within it.
const portMin = 10_000;
const portsBelowMin = 2_000;
const attemptsMax = 200;

export async function freePorts(count: number): Promise<number[]> {
  // All are held until the last is found, so that none is found twice.
  const held: Server[] = [];
  try {
    for (let attempt = 0; held.length < count && attempt < attemptsMax; attempt += 1) {
      const server = await listen(candidatePort());
      if (server !== undefined) held.push(server);
    }
    if (held.length < count) throw new Error(`found only ${held.length} of ${count} free ports`);
    return held.map(portOf);
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

function candidatePort(): number {
  const end = kernelRangeStart();
  return end - portMin < portsBelowMin ? 0 : randomInt(portMin, end);
}

function kernelRangeStart(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
  } catch {
    return 0;
  }
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a port has no number');
  return address.port;
}
