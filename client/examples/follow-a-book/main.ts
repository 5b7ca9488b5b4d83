// Follows the book of a market and prints its best prices whenever they change. RIALTO_URL says
// where; the first argument is a pair, the second after how many changes to end.

import { RialtoStream } from '@rialto/client';

const { RIALTO_URL: url = '' } = process.env;
const [symbol = 'btc-usdt', count = 'Infinity'] = process.argv.slice(2);

const stream = new RialtoStream({
  url,
  onStatus: (status, why) => console.error(`${status} ${why}`.trim()),
});

let last = '';
let changes = 0;
for await (const { asks, bids } of stream.book(symbol, { levels: 1 })) {
  const [[bid = '-', bidSize = '0'] = []] = bids;
  const [[ask = '-', askSize = '0'] = []] = asks;
  const line = `${bidSize} at ${bid} | ${askSize} at ${ask}`;
  if (line === last) continue;
  last = line;
  console.log(line);
  changes += 1;
  if (changes >= Number(count)) break;
}
stream.close();
