// Parts of the handlers of reports that handlers of other features use.

export { answerOperatorList, datesOf } from './answer-list.ts';
export { requireUser } from './require-user.ts';
