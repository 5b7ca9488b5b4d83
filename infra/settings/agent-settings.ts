// The settings of the market agents of a demo exchange.

import { integer, oneOf, optional, text } from '../process/index.ts';
import { plainUrl } from './kinds.ts';
import { setting } from './setting.ts';

const AGENTS = { usedBy: ['market-agents'] } as const;

export const agentSettings = {
  isDemo: setting(oneOf('RIALTO_DEMO', ['on', 'off'], 'off'), {
    usedBy: ['gateway-http', 'outbox-dispatcher'],
    meaning:
      'A demo exchange has invented trades and play money: /v2/constants says `demo: true`. ' +
      'Market agents refuse to trade on any other exchange, and only a demo gives play money.',
  }),
  agentsUrl: setting(plainUrl('RIALTO_AGENTS_URL'), {
    ...AGENTS,
    meaning: 'The demo exchange on which the market agents trade, without /v2.',
    example: 'https://demo.exchange.example',
  }),
  agentsKeysFile: setting(text('RIALTO_AGENTS_KEYS_FILE'), {
    ...AGENTS,
    meaning:
      'A JSON file with the API keys of the agents, by account name: ' +
      '{"NAME": {"key": …, "secret": …}, …}.',
    example: '/etc/rialto/agent-keys.json',
  }),
  agentsOrdersPerSecond: setting(
    integer('RIALTO_AGENTS_ORDERS_PER_SECOND', { min: 1, max: 10_000, fallback: 20 }),
    {
      ...AGENTS,
      unit: 'orders per second',
      meaning: 'Total orders sent by all agents, not counting cancels.',
    },
  ),
  agentsMode: setting(
    oneOf(
      'RIALTO_AGENTS_MODE',
      ['normal', 'calm', 'wild', 'trending', 'flash-crash', 'cancelling'],
      'normal',
    ),
    { ...AGENTS, meaning: 'The market mode.' },
  ),
  agentsSeed: setting(integer('RIALTO_AGENTS_SEED', { min: 0, max: 2 ** 40, fallback: 1 }), {
    ...AGENTS,
    unit: 'seed',
    meaning: 'The seed for the fair value and for all agents.',
  }),
  agentsDialFile: setting(optional(text('RIALTO_AGENTS_DIAL_FILE')), {
    ...AGENTS,
    meaning:
      'A JSON file that changes the dial while the agents trade, read every second: ' +
      '{"ordersPerSecond": 50, "mode": "wild"}.',
    example: '/var/lib/rialto/agents.json',
  }),
};
