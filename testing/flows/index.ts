// Flows: seeded streams of commands, each a kind of day an exchange may have. A flow sees only what
// it sent and the events that came back, so it can drive any exchange that speaks the messages.

export type { Flow } from './desk.ts';
export { type Drive, drive, recordFrames } from './drive.ts';
export { chosenSeed, FLOW_NAMES, FLOWS, type FlowName } from './flow-list.ts';
export { Random } from './random.ts';
