// Parts of the handlers of reports that handlers of other features use.

export { answerOperatorList, datesOf } from './answer-list.ts';
