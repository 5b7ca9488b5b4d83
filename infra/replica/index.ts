// Replica: the engine on a log. Applies frames, checks the chain, starts from a snapshot. The
// only place outside the core that runs the engine; services that follow the log use it.

export { PoisonFault, wakesAtMs } from '../../core/engine/index.ts';
export * from './encode-events.ts';
export * from './following-replica.ts';
export * from './output-digests.ts';
export * from './replica.ts';
