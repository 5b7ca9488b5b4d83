// Parts of the reports handlers that other features use.

export { answerOperatorList, datesOf } from './answer-list.ts';
