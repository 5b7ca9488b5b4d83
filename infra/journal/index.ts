// Journal: the log as the exchange needs it. Appends that are fenced and mended, reading that is
// checked, event batches, snapshots and the archive. Knows frames as bytes, not what they do.

export * from './event-batch.ts';
export * from './event-writer.ts';
export * from './log-port.ts';
export * from './log-reader.ts';
export * from './log-writer.ts';
export * from './sealed-frame.ts';
export * from './snapshot-port.ts';
