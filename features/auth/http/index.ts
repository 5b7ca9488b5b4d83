// Parts of the handlers of auth that handlers of other features use.

export { stopFrozen } from './freeze-account.ts';
export { loginJson, sessionJson } from './login-lists.ts';
export { actOf, type PersonCall } from './person-call.ts';
