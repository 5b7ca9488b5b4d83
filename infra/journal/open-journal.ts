// The journal of one exchange on real servers: connected, its streams there and checked.

import { connectNats, type Nats } from '../bus/index.ts';
import type { ConfigOf, Logger as Lines } from '../process/index.ts';
import { JetStreamLog } from './jetstream-log.ts';
import type { journalSettings } from './journal-settings.ts';
import { ObjectStoreSnapshots } from './object-store-snapshots.ts';
import { ensureStreams, journalNames } from './streams.ts';

export interface Journal {
  readonly nats: Nats;
  readonly commands: JetStreamLog;
  readonly events: JetStreamLog;
  readonly snapshots: ObjectStoreSnapshots;
  close(): Promise<void>;
}

export interface OpenJournalOptions {
  readonly config: ConfigOf<typeof journalSettings>;
  /** How the servers call this connection. */
  readonly name: string;
  readonly log: Lines;
}

/** Throws StreamFault when production mode finds the journal unsafe. */
export async function openJournal({ config, name, log }: OpenJournalOptions): Promise<Journal> {
  const { exchange, mode, natsMonitorUrls: monitorUrls, natsUrls, replicas } = config;
  const nats = await connectNats({ urls: natsUrls, name, log });
  try {
    const findings = await ensureStreams(nats, { exchange, mode, replicas, monitorUrls });
    for (const finding of findings) log.warn({ finding }, 'the journal is not as asked');
  } catch (fault) {
    await nats.close();
    throw fault;
  }
  const names = journalNames(exchange);
  const commands = new JetStreamLog({ nats, ...names.commands });
  const events = new JetStreamLog({ nats, ...names.events });
  const onProblem = (err: unknown) => log.error({ err }, 'something is wrong with snapshots');
  const snapshots = new ObjectStoreSnapshots({ nats, bucket: names.bucket, onProblem });
  return { nats, commands, events, snapshots, close };

  async function close(): Promise<void> {
    commands.stop();
    events.stop();
    await nats.close();
  }
}
