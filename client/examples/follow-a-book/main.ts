// Prints the best bid and ask of a market whenever they change. RIALTO_URL is the exchange's URL;
// the first argument is a pair, the second the number of changes after which the program ends.

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
