// Faults in stream limits and in the switches that sockets hold.

import type { FaultTable } from '../fault.ts';

export const STREAM_FAULTS: FaultTable = {
  'services/gateway-websocket/stream-socket.ts': {
    'a message is parsed before it is charged': {
      in: 'StreamSocket.receive',
      remove: 'if (!isShort && !this.#takeMessage()) this.#refuse(streamTexts.rateLimited); else',
    },
  },
  'services/gateway-websocket/subscription-set.ts': {
    'a repeated argument in a message is served each time': {
      in: 'SubscriptionSet.#eachChannel.channels',
      value: 'named.channels',
    },
  },
  'services/gateway-websocket/private/switch-keeper.ts': {
    "a stalled gateway lets its clients' switches expire": {
      in: 'STALL_MS_MAX',
      value: '1_000',
    },
    "a gateway that never resumes keeps its clients' switches": {
      in: 'SwitchKeeper.#renew',
      remove: 'if (!this.#isGatewayDead)',
    },
  },
  'services/gateway-websocket/sockets.ts': {
    'a check after a stall closes sockets with queued messages': {
      in: 'Sockets.#tick',
      remove: '&& !isLate',
    },
  },
  'services/gateway-websocket/public/trade-channel.ts': {
    'a trade just before a subscription sends a second partial': {
      in: 'TradeChannel.#compare.missed',
      value: 'undefined as readonly string[] | undefined',
    },
  },
  'infra/access/address-group.ts': {
    'each address in an IPv6 network has its own limits': { in: 'NETWORK_GROUPS', value: '8' },
  },
};
