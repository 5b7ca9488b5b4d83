// Opens the journal of one exchange on real servers: connects, and creates or checks its streams.

import { connectNats, type Nats } from '../bus/index.ts';
import {
  type Identity,
  type IdentityName,
  identitySettings,
  openIdentity,
} from '../identities/index.ts';
import { type ConfigOf, integer, type Logger, list, oneOf, text } from '../process/index.ts';
import { JetStreamLog } from './jetstream-log.ts';
import { ObjectStoreSnapshots } from './object-store-snapshots.ts';
import { ensureStreams, journalNames } from './streams.ts';

/** The settings that every service needs to open the journal. */
export const journalSettings = {
  /** In production, a journal whose settings could lose acknowledged data is rejected. */
  mode: oneOf('RIALTO_MODE', ['production', 'development'], 'production'),
  /** The exchange's name: the prefix of streams and subjects. */
  exchange: text('RIALTO_EXCHANGE', { fallback: 'rialto' }),
  natsUrls: list('RIALTO_NATS_URLS', { of: 'nats:// URLs' }),
  /** The servers' monitoring URLs, to verify that they sync every write. */
  natsMonitorUrls: list('RIALTO_NATS_MONITOR_URLS', { fallback: [], of: 'http:// URLs' }),
  replicas: integer('RIALTO_REPLICAS', { min: 1, max: 5, fallback: 3 }),
  ...identitySettings,
};

export interface Journal {
  readonly nats: Nats;
  readonly identity: Identity;
  readonly commands: JetStreamLog;
  readonly events: JetStreamLog;
  readonly snapshots: ObjectStoreSnapshots;
  close(): Promise<void>;
}

export interface OpenJournalOptions {
  /** The instance is the connection's name in the servers' reports. */
  readonly config: ConfigOf<typeof journalSettings> & { readonly instance: string };
  /** The identity of the process. */
  readonly as: IdentityName;
  readonly log: Logger;
}

/**
 * Throws StreamFault when production mode finds the journal unsafe, and ConfigFault when it cannot
 * prove the identity.
 */
export async function openJournal(options: OpenJournalOptions): Promise<Journal> {
  const { as, config, log } = options;
  const { exchange, mode, natsMonitorUrls: monitorUrls, natsUrls, replicas } = config;
  const identity = openIdentity(as, config);
  const nats = await connectNats({ urls: natsUrls, name: config.instance, identity, log });
  try {
    const findings = await ensureStreams(nats, { exchange, mode, replicas, monitorUrls });
    for (const finding of findings) log.warn({ finding }, 'journal setting differs');
  } catch (fault) {
    await nats.close();
    throw fault;
  }
  const names = journalNames(exchange);
  const commands = new JetStreamLog({ nats, ...names.commands });
  const events = new JetStreamLog({ nats, ...names.events });
  const onProblem = (err: unknown) => log.error({ err }, 'snapshot store failed');
  const snapshots = new ObjectStoreSnapshots({ nats, bucket: names.bucket, onProblem });
  return { nats, identity, commands, events, snapshots, close };

  async function close(): Promise<void> {
    commands.stop();
    events.stop();
    await nats.close();
  }
}
