// Parts of the approval handlers that other features use.

export { decimalText, definedOf, jsonObject, nullableText, optionalText } from './act-payload.ts';
export {
  actPorts,
  answerAct,
  answerActInPerson,
  waitingAnswer,
} from './answer-act.ts';
export { type OperatorCall, operatorOf, readerOf, refusePower } from './operator-call.ts';
export { refuseOperatorFactor, refuseOperatorProofs } from './prove-operator.ts';
export { plainDecimal } from './role-routes.ts';
