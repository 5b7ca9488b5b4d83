// Replica: the engine on a log. It applies frames, checks the hash chain, and starts from
// snapshots. Nothing else outside the core runs the engine; services that follow the log use it.

export { PoisonFault, StateSampler, wakesAtMs } from '../../core/engine/index.ts';
export {
  EVENT_PART_BYTES,
  encodeEvents,
  SPAN_COUNT,
  SPAN_FIELDS,
  SPAN_FROM,
  SPAN_PART,
  SPAN_TO,
} from './encode-events.ts';
export { FollowingReplica } from './following-replica.ts';
export { type OpenSource, startOfEvents } from './recompute-events.ts';
export {
  openReplaySource,
  type ReplaySource,
  replay,
  replayTo,
  sourceOpener,
  startReplica,
} from './replay-archive.ts';
export { type Applied, ChainFault, Replica, type ReplicaRestoration } from './replica.ts';
