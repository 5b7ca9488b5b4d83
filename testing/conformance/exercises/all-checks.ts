// All checks of the suite: the response and every parameter of each endpoint, and the subscription
// and every message of each topic.

import { type Call, endpoints, type TopicName, topics } from '../interface.ts';
import type { Checks } from '../list-checks.ts';
import { MONEY_CHECKS } from './money-checks.ts';
import { PEOPLE_CHECKS } from './people-checks.ts';
import { PUBLIC_CHECKS } from './public-checks.ts';
import { RULE_CHECKS } from './rule-checks.ts';
import { STAKING_CHECKS } from './staking-checks.ts';
import { CONNECTION_CHECKS, TOPIC_CHECKS } from './stream-checks.ts';
import { TRADING_CHECKS } from './trading-checks.ts';
import { USER_CHECKS } from './user-checks.ts';

const CHECKS: Readonly<Record<string, Checks>> = {
  ...PUBLIC_CHECKS,
  ...USER_CHECKS,
  ...PEOPLE_CHECKS,
  ...TRADING_CHECKS,
  ...MONEY_CHECKS,
  ...STAKING_CHECKS,
};

export const endpointNames = Object.keys(endpoints) as readonly Call[];
export const topicNames = Object.keys(topics) as readonly TopicName[];

/** Returns an endpoint's checks, in table order. */
export function endpointChecks(call: Call): Checks {
  return CHECKS[call] ?? {};
}

export function topicChecks(topic: TopicName): Checks {
  return TOPIC_CHECKS[topic];
}

export { CONNECTION_CHECKS, RULE_CHECKS };

/** Returns table items without a check, and checks without an item. */
export function unmatchedChecks(): readonly string[] {
  const endpointItems = endpointNames.flatMap((call) =>
    differences(call, ['answer', ...Object.keys(endpoints[call].parameters)], CHECKS[call]),
  );
  const topicItems = topicNames.flatMap((topic) => {
    const extra = topic === 'admin' ? ['events'] : [];
    const items = ['subscription', ...Object.keys(topics[topic].messages), ...extra];
    return differences(topic, items, TOPIC_CHECKS[topic]);
  });
  const unknown = Object.keys(CHECKS).filter((call) => !(call in endpoints));
  return [...endpointItems, ...topicItems, ...unknown];
}

function differences(name: string, items: readonly string[], checks: Checks = {}): string[] {
  const missing = items.filter((item) => checks[item] === undefined);
  const more = Object.keys(checks).filter((item) => !items.includes(item));
  return [...missing, ...more].map((item) => `${name} ${item}`);
}
