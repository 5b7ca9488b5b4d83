// Assembles a signer process: passphrases, keys, journal, socket. Opens no other connection.

import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import type { Logger } from '../../infra/process/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { startSignerServer } from '../../infra/signer-link/index.ts';
import type { SignerConfig } from './config.ts';
import { readPassphrases } from './key-file.ts';
import { Signer } from './signer.ts';
import { openSignerFolder } from './signer-folder.ts';
import { signerTelemetry } from './telemetry.ts';

export interface SignerApp {
  stop(): Promise<void>;
}

export interface SignerAppOptions {
  readonly config: SignerConfig;
  readonly log: Logger;
  /** Must end the process: after it, the journal and memory can differ. */
  onFault(reason: string, cause?: unknown): void;
}

export async function startSigner({ config, log, onFault }: SignerAppOptions): Promise<SignerApp> {
  const { signerFolder, signerSocket, signerUnlockFile } = config;
  if (await isServed(signerSocket)) {
    throw new RangeError(`another signer serves ${signerSocket}`);
  }
  const telemetry = signerTelemetry(log);
  const passphrases = readPassphrases(readFileSync(signerUnlockFile, 'utf8'));
  const { journal, keys, state } = openSignerFolder(signerFolder, passphrases);
  if (journal.tornBytes > 0) telemetry.tornEntry(journal.tornBytes);
  telemetry.opened({ ...journal.head, policy: state.policy.version, isStopped: state.isStopped });
  const signer = new Signer({
    keys,
    journal,
    state,
    nowMs: () => systemClock.nowMs(),
    onAnswer: telemetry.answered,
  });
  const server = await startSignerServer({
    socket: signerSocket,
    connect() {
      const answer = signer.connect();
      return (request) => {
        try {
          return answer(request);
        } catch (fault) {
          onFault('a request failed', fault);
          throw fault;
        }
      };
    },
  });
  return {
    async stop() {
      await server.stop();
      journal.close();
    },
  };
}

/** Whether a process accepts connections on the socket. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
