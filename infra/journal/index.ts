// Journal: the log as the exchange needs it. Appends that are fenced and mended, reading that is
// checked, event batches, snapshots and the archive. Knows frames as bytes, not what they do.

export {
  Archive,
  type ArchiveAccess,
  type CheckedFrame,
  openArchive,
  verifySegment,
} from './archive.ts';
export type { LogPosition } from './archive-chain.ts';
export * from './archive-fault.ts';
export type { ArchiveFiles } from './archive-files.ts';
export { SegmentOutput } from './archive-output.ts';
export {
  type Checkpoint,
  type OpenedSegment,
  SEGMENT_BYTES_MAX,
  SEGMENT_FRAMES_MAX,
  type SegmentDraft,
  type SegmentInfo,
} from './archive-segment.ts';
export * from './event-batch.ts';
export * from './event-writer.ts';
export { FolderSnapshots } from './folder-snapshots.ts';
export { JetStreamLog, LOG_MESSAGE_BYTES_MAX } from './jetstream-log.ts';
export * from './journal-settings.ts';
export * from './log-port.ts';
export * from './log-reader.ts';
export * from './log-writer.ts';
export type { StreamFinding } from './nats-stream-settings.ts';
export { ObjectStoreSnapshots } from './object-store-snapshots.ts';
export * from './open-journal.ts';
export * from './sealed-frame.ts';
export * from './snapshot-port.ts';
export * from './streams.ts';
