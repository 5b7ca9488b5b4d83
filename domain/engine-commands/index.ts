// Commands of operators to the engine that move no money by a channel: a queue in the registry.

export {
  appendEngineCommand,
  type EngineCommand,
  type EngineCommandOptions,
  type EngineCommandOutcome,
  type EngineCommandRow,
  engineCommandSubject,
  markAttempted,
  readEngineCommand,
  readWaitingEngineCommands,
  type SettledEngineCommand,
  settleEngineCommand,
} from './engine-commands.ts';
export { countsAsAccepted, listedBy, withListed } from './repetition.ts';
export { readUnprojectedCommands, type UnprojectedCommand } from './unprojected.ts';
