// Replica: the engine on a log. Applies frames, checks the chain, starts from a snapshot. The
// only place outside the core that runs the engine; services that follow the log use it.

export { PoisonFault, wakesAtMs } from '../../core/engine/index.ts';
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
export { type Applied, ChainFault, Replica } from './replica.ts';
