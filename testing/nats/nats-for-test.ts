// Real NATS servers for one test. They run in a temporary folder and stop when the test ends.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connectNats, type Nats } from '../../infra/bus/index.ts';
import { type NatsOptions, type NatsServers, startNats } from '../../tools/services/nats.ts';

export interface NatsForTest {
  readonly servers: NatsServers;
  /** Connects to any server, or to the given URLs. The connection closes when the test ends. */
  connect(urls?: readonly string[]): Promise<Nats>;
}

export async function startNatsForTest(
  context: TestContext,
  options: Omit<NatsOptions, 'folder'>,
): Promise<NatsForTest> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-nats-'));
  const connections: Nats[] = [];
  const servers = await startNats({ folder, ...options });
  context.after(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await servers.stop();
    rmSync(folder, { recursive: true });
  });
  return {
    servers,
    async connect(urls = servers.urls) {
      const nats = await connectNats({ urls, name: context.name });
      connections.push(nats);
      return nats;
    },
  };
}
