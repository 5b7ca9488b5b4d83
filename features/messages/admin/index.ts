// Operator actions for messages.

export { MESSAGES_ACTS } from './acts.ts';
