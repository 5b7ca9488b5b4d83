// Parts of the pii-access handlers that other features use.

export { countOrRefuse, guardRead, viewAfterAct } from './guard-read.ts';
export { EXCHANGE_ID, maskedUser, shownUser } from './masked-user.ts';
export { operatorUserJson } from './operator-user.ts';
