// The documented interface as one table: 73 endpoints and 10 topics, with every parameter and every
// field.

import { ADMIN_ENDPOINTS } from './admin-endpoints.ts';
import { ADMIN_MONEY_ENDPOINTS } from './admin-money-endpoints.ts';
import { PUBLIC_ENDPOINTS } from './public-endpoints.ts';
import type { Endpoint, Topic } from './shape.ts';
import { TOPICS } from './topics.ts';
import { USER_ENDPOINTS } from './user-endpoints.ts';

const ENDPOINTS = {
  ...PUBLIC_ENDPOINTS,
  ...USER_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
  ...ADMIN_MONEY_ENDPOINTS,
} as const;

/** `GET /v2/ticker`. */
export type Call = keyof typeof ENDPOINTS;
export type TopicName = keyof typeof TOPICS;

export const endpoints: Readonly<Record<Call, Endpoint>> = ENDPOINTS;
export const topics: Readonly<Record<TopicName, Topic>> = TOPICS;
