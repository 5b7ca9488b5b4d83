// Responses of the bare servers: as long as the real ones, and always the same.

export const BARE_ORDER =
  '{"id":"00000000-01a4-81c2-8000-000000000000","side":"buy","symbol":"btc-usdt","type":"limit"' +
  ',"size":0.001,"price":50000,"stop":null,"filled":0,"average":0,"fee":0,"fee_coin":"btc"' +
  ',"status":"new","meta":{},"fee_structure":{"maker":0.1,"taker":0.2}' +
  ',"client_order_id":"bench-1-123456","created_by":2' +
  ',"created_at":"2026-11-15T08:00:00.000Z","updated_at":"2026-11-15T08:00:00.000Z"}';

const level = (price: number) => `[${price},1.234]`;
const side = (from: number) => Array.from({ length: 10 }, (_, at) => level(from + at)).join(',');

export const BARE_BOOK =
  `{"btc-usdt":{"bids":[${side(49_990)}],"asks":[${side(50_000)}]` +
  ',"timestamp":"2026-11-15T08:00:00.000Z"}}';
