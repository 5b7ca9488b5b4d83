// Finds free ports on loopback for servers that keep them across restarts.
// A port found here is free now, not reserved: the caller must retry with another if binding fails.

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

// The kernel assigns ports of its ephemeral range to outgoing connections. A server that is down
// for a moment could lose such a port to one of them, even to an attempt to reach that server.
// So ports come from below that range, and from within it only as a last resort.
const portMin = 10_000;
const portsBelowMin = 2_000;
const attemptsMax = 200;
// Browsers and `fetch` block these (https://fetch.spec.whatwg.org/#port-blocking).
const blockedByFetch = new Set([10_080]);
// Some servers start long after their ports were found, so this process never reuses a port.
const given = new Set<number>();

export async function freePorts(count: number, candidate = candidatePort): Promise<number[]> {
  // Keeps all of them bound until the last is found, so none is found twice.
  const held: Server[] = [];
  try {
    for (let attempt = 0; held.length < count && attempt < attemptsMax; attempt += 1) {
      const server = await listen(candidate());
      if (server === undefined) continue;
      const port = portOf(server);
      if (given.has(port) || blockedByFetch.has(port)) server.close();
      else held.push(server);
    }
    if (held.length < count) throw new Error(`found only ${held.length} of ${count} free ports`);
    const ports = held.map(portOf);
    for (const port of ports) given.add(port);
    return ports;
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
  if (address === null || typeof address === 'string') throw new Error('the socket has no port');
  return address.port;
}
