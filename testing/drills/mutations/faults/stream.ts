// Faults in the limits of the stream and in the switches that its sockets hold.

import type { Fault } from '../fault.ts';

const SOCKET = 'services/gateway-websocket/stream-socket.ts';
const SUBSCRIPTIONS = 'services/gateway-websocket/subscription-set.ts';
const SWITCHES = 'services/gateway-websocket/private/switch-keeper.ts';
const SOCKETS = 'services/gateway-websocket/sockets.ts';
const TRADES = 'services/gateway-websocket/public/trade-channel.ts';
const GROUPS = 'infra/access/address-group.ts';

export const STREAM_FAULTS: readonly Fault[] = [
  {
    name: 'a message is parsed before it is charged',
    file: SOCKET,
    find: 'else if (!isShort && !this.#takeMessage()) this.#refuse(streamTexts.rateLimited);',
    replace: '',
  },
  {
    name: 'an argument that a message repeats is served each time',
    file: SUBSCRIPTIONS,
    find: 'const channels = named.channels.filter(({ name }) => !handled.has(name));',
    replace: 'const channels = named.channels;',
  },
  {
    name: 'a gateway that stalls lets the switches of its clients run out',
    file: SWITCHES,
    find: 'const STALL_MS_MAX = 60_000;',
    replace: 'const STALL_MS_MAX = 1_000;',
  },
  {
    name: 'a gateway that never runs again keeps the switches of its clients',
    file: SWITCHES,
    find: 'if (!this.#isGatewayDead) this.#update(found);',
    replace: 'this.#update(found);',
  },
  {
    name: 'a check after a stall closes sockets whose messages wait',
    file: SOCKETS,
    find: '>= idleMs && !isLate) socket',
    replace: '>= idleMs) socket',
  },
  {
    name: 'a trade just before a subscription sends a second partial',
    file: TRADES,
    find: 'const missed = this.#trades && missedTrades(this.#trades, trades);',
    replace: 'const missed = undefined as readonly string[] | undefined;',
  },
  {
    name: 'each address of an IPv6 network has its own limits',
    file: GROUPS,
    find: 'const NETWORK_GROUPS = 4;',
    replace: 'const NETWORK_GROUPS = 8;',
  },
];
