// Handlers of HTTP calls: their types, their dependencies, refusals and lists. Knows no server.

export { answerEvenly } from './answer-evenly.ts';
export { awaitOutcome, requireOutcome, requireOutcomes } from './await-outcome.ts';
export { endSessionCookie, flowCookies, sessionCookie } from './browser-cookies.ts';
export { type ClientContext, RequestClient } from './client-context.ts';
export {
  type Accepted,
  acceptedOf,
  Commands,
  type CommandToSend,
  type Submitted,
  submitCommand,
} from './commands.ts';
export type { Dependencies, ExchangeIdentity } from './dependencies.ts';
export {
  type Answer,
  type Call,
  type Handler,
  type HandlersOf,
  JSON_TYPE,
  JsonAnswer,
  JsonText,
  StreamedAnswer,
  type StreamedAnswerOptions,
} from './handler.ts';
export { keptRead } from './kept-read.ts';
export { csvCells, csvLine, csvNames, csvText } from './lists/csv.ts';
export { assetFilter, marketFilter, momentFilter } from './lists/list-filters.ts';
export {
  answerList,
  type ListAnswer,
  type ListCall,
  type ListSource,
  orderedRows,
  ROWS_REACHED_MAX,
  type Row,
} from './lists/lists.ts';
export { requireFresh, requireMarket } from './preconditions.ts';
export { requestUuid, signatureHash, signatureHex } from './signed-request.ts';
