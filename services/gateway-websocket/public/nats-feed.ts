// The publisher's feed on NATS. Ignores messages that it cannot parse.

import type { Msg } from '@nats-io/transport-node';
import { type Nats, raiseBug } from '../../../infra/bus/index.ts';
import { FRAME_HEADER, feedSubjects, TRADE_HEADER } from '../../../infra/live-feed/index.ts';
import type { FeedMessage, FeedPort } from './feed-port.ts';

const ASK_TIMEOUT_MS = 2_000;
const STATUS_NONE = 404;

export function natsFeed(nats: Nats, exchange: string): FeedPort {
  const { stream } = feedSubjects(exchange);
  return {
    listen(subject, receive) {
      const subscription = nats.client.subscribe(subject, {
        callback: (fault, message) => {
          try {
            if (fault !== null) throw fault;
            const read = readMessage(message, message.subject);
            if (read !== undefined) receive(read);
          } catch (bug) {
            raiseBug(bug);
          }
        },
      });
      return {
        stop() {
          if (!nats.client.isClosed()) subscription.unsubscribe();
        },
      };
    },
    async last(subject) {
      if (!nats.isConnected) return 'fault';
      try {
        const api = `$JS.API.DIRECT.GET.${stream}.${subject}`;
        const message = await nats.client.request(api, '', { timeout: ASK_TIMEOUT_MS });
        if (message.headers?.code === STATUS_NONE) return 'none';
        return readMessage(message, subject) ?? 'none';
      } catch {
        return 'fault';
      }
    },
    watchReturns(returned) {
      return nats.watch((isConnected) => {
        if (isConnected) returned();
      });
    },
  };
}

function readMessage(message: Msg, subject: string): FeedMessage | undefined {
  const frame = Number(message.headers?.get(FRAME_HEADER) || Number.NaN);
  if (!Number.isSafeInteger(frame)) return undefined;
  const trades = message.headers?.get(TRADE_HEADER) ?? '';
  return { subject, frame, trades, text: message.string() };
}
