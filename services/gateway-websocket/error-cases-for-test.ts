// Invalid messages on a public socket, each with the error that clients expect. Only tests import
// it.

export const ERROR_CASES: readonly (readonly [said: string, error: string])[] = [
  ['', 'message can not be empty'],
  [' ', 'message can not be empty'],
  ['{', 'Error: wrong input'],
  ['[]', 'Error: wrong input'],
  ['null', 'Error: wrong input'],
  ['"subscribe"', 'Error: wrong input'],
  ['7', 'Error: wrong input'],
  ['{"op":"subscribe"}', 'Error: wrong input'],
  ['{"op":"subscribe","args":"orderbook"}', 'Error: wrong input'],
  ['{"op":"subscribe","args":[7]}', 'Error: wrong input'],
  ['{"op":"unsubscribe","args":{}}', 'Error: wrong input'],
  ['{"op":"auth","args":[]}', 'Error: wrong input'],
  ['{}', 'unsupported message type'],
  ['{"op":"dance"}', 'unsupported message type'],
  ['{"op":"toString","args":[]}', 'unsupported message type'],
  ['{"op":"subscribe","args":["weather"]}', 'Topic weather is not supported'],
  ['{"op":"subscribe","args":["constructor"]}', 'Topic constructor is not supported'],
  ['{"op":"subscribe","args":["orderbook:x-y"]}', 'Invalid symbol'],
  ['{"op":"subscribe","args":["order"]}', 'Bearer or HMAC authentication required'],
  ['{"op":"subscribe","args":["admin"]}', 'Bearer or HMAC authentication required'],
  [
    '{"op":"unsubscribe","args":["orderbook:btc-usdt"]}',
    'Not subscribed to channel orderbook:btc-usdt',
  ],
  ['{"op":"unsubscribe","args":["orderbook"]}', 'Not subscribed to channel orderbook'],
  ['{"op":"auth","args":[{"api-key":"a"}]}', 'Access denied: Access Denied: Invalid API key'],
];
