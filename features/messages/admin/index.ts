// Actions of operators in messages.

export { MESSAGES_ACTS } from './acts.ts';
