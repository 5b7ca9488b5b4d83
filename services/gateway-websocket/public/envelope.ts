// Envelopes for public data. Inserts the publisher's text verbatim.

import { type Frame, textFrame } from '../frame.ts';

export function marketFrame(options: {
  readonly topic: 'orderbook' | 'auction' | 'trade';
  readonly action: 'partial' | 'insert';
  readonly symbol: string;
  readonly data: string;
  readonly nowMs: number;
}): Frame {
  const { action, data, nowMs, symbol, topic } = options;
  return textFrame(
    `{"topic":"${topic}","action":"${action}","symbol":"${symbol}"` +
      `,"data":${data},"time":${secondsOf(nowMs)}}`,
  );
}

export function pricesFrame(prices: ReadonlyMap<string, string>, nowMs: number): Frame {
  const fields = [...prices].map(([coin, text]) => `"${coin}":${text}`);
  const time = secondsOf(nowMs);
  return textFrame(
    `{"topic":"price","action":"partial","data":{${fields.join(',')}},"time":${time}}`,
  );
}

export function priceFrame(coin: string, data: string, nowMs: number): Frame {
  const time = secondsOf(nowMs);
  return textFrame(
    `{"topic":"price","action":"update","symbol":"${coin}","data":${data},"time":${time}}`,
  );
}

function secondsOf(timeMs: number): number {
  return Math.floor(timeMs / 1_000);
}
