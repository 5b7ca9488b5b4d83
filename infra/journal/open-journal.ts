// Opens the journal of one exchange on real servers: connects, and checks its streams and its log.

import { setTimeout as delay } from 'node:timers/promises';
import { connectNats, type Nats } from '../bus/index.ts';
import { type Identity, type IdentityName, openIdentity } from '../identities/index.ts';
import type { Logger } from '../process/index.ts';
import type { ServiceConfig } from '../settings/index.ts';
import { type FoundLog, type KnownLog, LogRefused, refuseOther } from './exchange-id.ts';
import { JetStreamLog } from './jetstream-log.ts';
import { ObjectStoreSnapshots } from './object-store-snapshots.ts';
import {
  type CheckedStreams,
  checkStreams,
  createStreams,
  journalNames,
  nameLog,
  type StreamsOptions,
} from './streams.ts';

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

/** The journal of a complete log. */
export interface OpenedJournal extends Journal {
  /** At the time of opening. */
  readonly found: FoundLog;
}

/** A journal whose log is not complete yet. */
export interface NewJournal extends Journal {
  /** Completes the log, so services accept it. */
  name(exchangeId: string): Promise<void>;
}

export interface OpenJournalOptions {
  /** The instance is the connection's name in the servers' reports. */
  readonly config: JournalConfig & { readonly instance: string };
  /** The identity of the process. */
  readonly as: IdentityName;
  readonly log: Logger;
  /** Reads what this process or its store remembers of the log; undefined if that is nothing. */
  known?(): Promise<KnownLog | undefined>;
}

const ATTEMPTS_MAX = 4;
const RETRY_AFTER_MS = 1_000;

/**
 * Throws LogRefused if the servers have no complete log or another one than is known, StreamFault
 * if production mode finds the journal unsafe, and ConfigFault if it cannot prove the identity.
 */
export async function openJournal(options: OpenJournalOptions): Promise<OpenedJournal> {
  return connected(options, async (journal, streams) => {
    // Read before the end of the log, which only grows.
    const known = await options.known?.();
    const { findings, found } = await checkKnown(() => checkStreams(journal.nats, streams), known);
    for (const finding of findings) options.log.warn({ finding }, 'journal setting differs');
    return { ...journal, found };
  });
}

/** A former leader of the stream can respond with an earlier end, but not for long. */
async function checkKnown(
  check: () => Promise<CheckedStreams>,
  known: KnownLog | undefined,
): Promise<CheckedStreams> {
  for (let attempt = 1; ; attempt++) {
    const checked = await check();
    try {
      if (known !== undefined) refuseOther(checked.found, known);
      return checked;
    } catch (fault) {
      const isFinal = !(fault instanceof LogRefused && fault.why === 'older');
      if (isFinal || attempt === ATTEMPTS_MAX) throw fault;
      await delay(RETRY_AFTER_MS);
    }
  }
}

/** Creates the streams that are missing, on the request of an operator. */
export async function createJournal(options: OpenJournalOptions): Promise<NewJournal> {
  return connected(options, async (journal, streams) => {
    await createStreams(journal.nats, streams);
    const name = (exchangeId: string) => nameLog(journal.nats, { ...streams, exchangeId });
    return { ...journal, name };
  });
}

async function connected<Opened extends Journal>(
  { as, config, log }: OpenJournalOptions,
  open: (journal: Journal, streams: StreamsOptions) => Promise<Opened>,
): Promise<Opened> {
  const { exchange, mode, natsMonitorUrls: monitorUrls, natsUrls, replicas } = config;
  const identity = openIdentity(as, config);
  const nats = await connectNats({ urls: natsUrls, name: config.instance, identity, log });
  const names = journalNames(exchange);
  const commands = new JetStreamLog({ nats, ...names.commands });
  const events = new JetStreamLog({ nats, ...names.events });
  const onProblem = (err: unknown) => log.error({ err }, 'snapshot store failed');
  const snapshots = new ObjectStoreSnapshots({ nats, bucket: names.bucket, onProblem });
  try {
    const journal = { nats, identity, commands, events, snapshots, close };
    return await open(journal, { exchange, mode, replicas, monitorUrls });
  } catch (fault) {
    await close();
    throw fault;
  }

  async function close(): Promise<void> {
    commands.stop();
    events.stop();
    await nats.close();
  }
}
