// Parts of the handlers of approvals that handlers of other features use.

export { decimalText, definedOf, jsonObject, nullableText, optionalText } from './act-payload.ts';
export {
  actPorts,
  answerAct,
  answerActInPerson,
  waitingAnswer,
} from './answer-act.ts';
export { readerOf } from './approval-reader.ts';
export { type OperatorCall, operatorOf, refusePower } from './operator-call.ts';
export { plainDecimal } from './plain-decimal.ts';
export { refuseOperatorFactor, refuseOperatorProofs } from './prove-operator.ts';
