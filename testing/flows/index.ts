// Flows: seeded streams of commands, each modeled on one kind of trading day. A flow sees only its
// own commands and the returned events, so it can drive any exchange that uses core/messages.

export { drive, recordFrames } from './drive.ts';
export { chosenSeed, FLOW_NAMES, FLOWS, type FlowName } from './flow-list.ts';
export type { Flow } from './flow-sender.ts';
export { manyUsers } from './many-users.ts';
export { Random } from './random.ts';
