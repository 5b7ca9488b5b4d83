// Surveillance: rules over what is on record, findings with evidence, and the queue of operators.

export { runSurveillance } from './surveillance.ts';
