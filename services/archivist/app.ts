// Assembles the archivist process: journal, archive, archivist, health server.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NatsBus } from '../../infra/bus/index.ts';
import {
  type Archive,
  equalBytes,
  FolderSnapshots,
  type Journal,
  type KnownLog,
  LogRefused,
  openArchive,
  openJournal,
  openSealedFrame,
} from '../../infra/journal/index.ts';
import { createMetrics, type Logger, systemClock } from '../../infra/process/index.ts';
import { openStatus } from '../../infra/status/index.ts';
import { Archivist } from './archivist.ts';
import { type ArchivistConfig, settingsOf, trimSettingsOf } from './config.ts';
import { FollowerPositions } from './follower-positions.ts';
import { watchArchivist, watchTrimmer } from './telemetry.ts';
import { Trimmer } from './trimmer.ts';

export interface ArchivistApp {
  readonly archivist: Archivist;
  readonly healthPort: number;
  /** Archives the collected frames and closes everything. */
  stop(): Promise<void>;
}

export interface ArchivistAppOptions {
  readonly config: ArchivistConfig;
  readonly log: Logger;
  onFault(reason: string, cause?: unknown): void;
}

const IDLE_POLL_MS = 10;

export async function startArchivist(options: ArchivistAppOptions): Promise<ArchivistApp> {
  const { config, log, onFault } = options;
  const metrics = createMetrics({ ofProcess: true });
  const archive = await openArchive(config.archiveFolder, 'append');
  const archivedSnapshots = new FolderSnapshots(
    join(config.archiveFolder, 'snapshots'),
    (problem) => log.error({ problem }, 'archived snapshot damaged'),
  );
  const known = () => knownByArchive(archive);
  const journal = await openJournal({ config, as: 'archivist', log, known });
  await refuseOtherBranch(journal, archive);
  const { commands, events, nats, snapshots } = journal;
  const bus = new NatsBus(nats);
  const archivist = new Archivist({
    commands,
    exchangeId: journal.found.exchangeId,
    events,
    snapshots,
    archive,
    archivedSnapshots,
    clock: systemClock,
    settings: settingsOf(config),
    watcher: watchArchivist(log, metrics),
    onFault,
  });
  const followers = new FollowerPositions(bus, config.exchange, config.trimFollowers);
  const copyFolder = config.archiveCopyFolder;
  // Without a second copy, nothing must ever be discarded.
  const trimmer =
    copyFolder === undefined
      ? undefined
      : new Trimmer({
          commands,
          events,
          snapshots,
          archive,
          copy: await openArchive(copyFolder, 'append'),
          followers: () => followers.frames(),
          clock: systemClock,
          settings: trimSettingsOf(config),
          watcher: watchTrimmer(log, metrics),
        });
  const health = openStatus({
    service: 'archivist',
    config,
    bus,
    log,
    metrics,
    ready: () => ({ journal: nats.isConnected, replica: archivist.replica !== undefined }),
    figures: () => ({
      frame: archivist.replica?.sequence,
      archive_age_ms: archivist.archiveAgeMs,
      snapshot_age_ms: archivist.snapshotAgeMs,
    }),
    folders: [config.archiveFolder, ...(copyFolder === undefined ? [] : [copyFolder])],
  });
  const healthPort = await health.start();
  return { archivist, healthPort, stop };

  async function stop(): Promise<void> {
    followers.stop();
    await trimmer?.stop();
    archivist.stop();
    while (!archivist.isIdle) await delay(IDLE_POLL_MS);
    await health.stop();
    await journal.close();
  }
}

async function knownByArchive(archive: Archive): Promise<KnownLog | undefined> {
  const exchangeId = await archive.exchangeId();
  const frame = archive.end.sequence;
  return exchangeId === undefined ? undefined : { by: 'the archive', exchangeId, frame };
}

/** The log must have the last archived frame, unless it was trimmed. */
async function refuseOtherBranch(journal: Journal, { end }: Archive): Promise<void> {
  const { frameHash, sequence } = end;
  if (sequence === 0) return;
  const message = await new Promise<Uint8Array | undefined>((done) =>
    journal.commands.read(sequence, done),
  );
  const sealed = message && openSealedFrame(message);
  if (sealed === undefined || equalBytes(sealed.frameHash, Buffer.from(frameHash, 'hex'))) return;
  await journal.close();
  throw new LogRefused('foreign', `The log has another frame ${sequence} than the archive.`);
}
