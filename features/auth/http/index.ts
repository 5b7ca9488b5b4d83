// Parts of the handlers of auth that handlers of other features use.

export { freezeAccount, stopFrozen } from './freeze-account.ts';
export { answerLogins, answerSessions, deviceJson, loginJson, sessionJson } from './login-lists.ts';
export { actOf, mailsRefused, type PersonCall } from './person-call.ts';
