// Parts of the handlers of pii-access that handlers of other features use.

export { countOrRefuse } from './count-look-up.ts';
export { guardRead } from './guard-read.ts';
export { maskedUser } from './masked-user.ts';
export { operatorUserJson } from './operator-user.ts';
export { EXCHANGE_ID, shownUser } from './shown-user.ts';
