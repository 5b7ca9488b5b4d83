// Journal: the log of the exchange. Fenced appends that resolve unknown outcomes, checked reading,
// event batches, snapshots and the archive. It knows frames as bytes, not what they do.

export { Archive, openArchive, verifySegment } from './archive.ts';
export { ArchiveFault } from './archive-fault.ts';
export type { ArchiveFiles } from './archive-folder.ts';
export {
  SEGMENT_BYTES_MAX,
  SEGMENT_FRAMES_MAX,
  type SegmentDraft,
  type SegmentInfo,
  SegmentOutput,
} from './archive-segment.ts';
export {
  batchAfter,
  decodeEventBatch,
  type EventBatch,
  EventBatchFault,
  type EventPart,
  type EventsPosition,
  encodeEventBatch,
} from './event-batch.ts';
export { agrees, type EventsEnd, EventWriter, findEventsEnd, NO_EVENTS } from './event-writer.ts';
export {
  exchangeIdOf,
  type FoundLog,
  type KnownLog,
  LogRefused,
  refuseOther,
} from './exchange-id.ts';
export { type FoundEvents, findEvents, openEventBatch, readEvents } from './find-events.ts';
export { FolderSnapshots } from './folder-snapshots.ts';
export { JetStreamLog } from './jetstream-log.ts';
export { LogEnd } from './log-end.ts';
export { logMarkOf, openLogMark } from './log-mark.ts';
export type {
  AppendOutcome,
  Extent,
  LogStream,
  LogSubscription,
  TrimmableLog,
} from './log-port.ts';
export { LogReader } from './log-reader.ts';
export { LogWriter } from './log-writer.ts';
export { streamConfig } from './nats-stream-settings.ts';
export { ObjectStoreSnapshots } from './object-store-snapshots.ts';
export {
  createJournal,
  type Journal,
  type OpenedJournal,
  openJournal,
} from './open-journal.ts';
export {
  equalBytes,
  hashFrame,
  NO_HASH,
  openSealedFrame,
  type SealedFrame,
  sealFrame,
} from './sealed-frame.ts';
export {
  type ChunkReceiver,
  readChunks,
  readNewest,
  type Snapshot,
  type SnapshotAnswer,
  type SnapshotInfo,
  type SnapshotStore,
} from './snapshot-port.ts';
export { snapshotFrom } from './snapshot-source.ts';
export { readStreamState, readStreamStorage } from './stream-state.ts';
export {
  checkStreams,
  createStreams,
  findName,
  journalNames,
  nameLog,
  StreamFault,
} from './streams.ts';
