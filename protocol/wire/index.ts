// Parts of the wire that all features use: routes, value types, lists, weights and errors.

export { ErrorBody, type ErrorEntry, type ErrorTable, Message, Notice } from './error-body.ts';
export { type FieldNote, field, noteOf, sample, withNote } from './field-note.ts';
export { listFile } from './list-file.ts';
export {
  columnsOf,
  FormatIn,
  type ListQuery,
  listQuery,
  PAGE_LENGTH,
  PAGE_LENGTH_MAX,
  pagedList,
  shortListQuery,
} from './paged-list.ts';
export { CodeVersionIn, EmailCodeIn, FactorCodeIn } from './proof-inputs.ts';
export { isRefused, type RefusalDetails, Refused } from './refused.ts';
export {
  act,
  BATCH_ORDERS_MAX,
  BODY_BYTES_MAX,
  type BodyOf,
  DEFAULT_ROLES,
  type DefaultRole,
  defineRoute,
  LONG_BODY_BYTES_MAX,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  operatorCall,
  type ParamsOf,
  type Permission,
  person,
  type QueryOf,
  type ResponseOf,
  type Route,
  type RouteExample,
  WEIGHT_FILE,
  WEIGHT_HEAVY,
  WEIGHT_LIGHT,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from './route.ts';
export { Type } from './type.ts';
export {
  BooleanIn,
  CurrencyIn,
  Decimal,
  DecimalIn,
  DecimalOrNull,
  DecimalOrNullIn,
  decimal,
  FreeObject,
  listIn,
  MomentIn,
  mapOf,
  oneOf,
  StringOrNull,
  SymbolIn,
  Timestamp,
  TimestampOrNull,
  textIn,
  timeText,
  timeTextOrNull,
  UserIdIn,
  type WireDecimal,
} from './wire-types.ts';
