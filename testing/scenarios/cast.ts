// The users in the stories. Each has a unique initial, so `b2` is always the second order that bob
// sends. No name starts with w, because w1 is a withdrawal.

import type { UserId } from '../../core/money/index.ts';

const NAMES = [
  'alice',
  'bob',
  'carol',
  'dave',
  'erin',
  'frank',
  'grace',
  'heidi',
  'ivan',
  'judy',
  'kate',
  'leo',
  'mallory',
  'nina',
  'oscar',
  'peggy',
  'quinn',
  'rupert',
  'sybil',
  'trent',
  'ursula',
  'victor',
  'xena',
  'yves',
  'zoe',
];

/** Newcomers are unnamed users that are new to the exchange; their ids start here. */
export const FIRST_NEWCOMER = 1_000;

export function isName(word: string): boolean {
  return NAMES.includes(word);
}

export function userOf(name: string): UserId {
  const index = NAMES.indexOf(name);
  if (index < 0) throw new Error(`'${name}' is not in the cast: ${NAMES.join(', ')}`);
  return (index + 1) as UserId;
}

export function nameOf(user: number): string {
  return NAMES[user - 1] ?? 'newcomer';
}

/** Returns the owner of an order: bob for `b2`. */
export function nameOfLabel(label: string): string {
  const name = NAMES.find((candidate) => candidate[0] === label[0]);
  if (name === undefined || !/^[a-z][1-9]\d*$/.test(label)) {
    throw new Error(`'${label}' is not an order's name like b2`);
  }
  return name;
}

/** Returns all users that a text names, directly or through an order. */
export function peopleIn(text: string): string[] {
  const words = text.match(/[a-z]+(?![a-z0-9-])|(?<![a-z0-9])[a-z]\d+\b/g) ?? [];
  const found = words.flatMap((word) => {
    if (isName(word)) return [word];
    return /^[a-vx-z]\d+$/.test(word) ? [nameOfLabel(word)] : [];
  });
  return NAMES.filter((name) => found.includes(name));
}
