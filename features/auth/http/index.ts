// Parts of the auth handlers that other features use.

export { stopFrozen } from './freeze-account.ts';
export { loginJson, sessionJson } from './login-lists.ts';
export { type PersonCall, personContext } from './person-call.ts';
