// Opens the journal of one exchange on real servers: connects, and creates or checks its streams.

import { connectNats, type Nats } from '../bus/index.ts';
import { type Identity, type IdentityName, openIdentity } from '../identities/index.ts';
import type { Logger } from '../process/index.ts';
import type { ServiceConfig } from '../settings/index.ts';
import { JetStreamLog } from './jetstream-log.ts';
import { ObjectStoreSnapshots } from './object-store-snapshots.ts';
import { ensureStreams, journalNames } from './streams.ts';

/** The settings that every service needs to open the journal. */
export type JournalConfig = Pick<
  ServiceConfig<'sequencer'>,
  | 'mode'
  | 'exchange'
  | 'natsUrls'
  | 'natsMonitorUrls'
  | 'replicas'
  | 'identityKeyFile'
  | 'tlsCaFile'
>;

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
  readonly config: JournalConfig & { readonly instance: string };
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
