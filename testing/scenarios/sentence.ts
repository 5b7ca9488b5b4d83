// A kind of sentence in a story: its pattern and its command. The sentence tables (orders, money,
// configuration) are the complete grammar of the stories.

import type { Command } from '../../core/messages/index.ts';
import type { Stage } from './stage.ts';

export interface Meaning {
  readonly command: Command;
  /** Updates the story's state if the command is accepted. */
  readonly onAccepted?: () => void;
}

export interface Sentence {
  readonly pattern: RegExp;
  /** `words` are the pattern's named groups; an unmatched group is undefined. */
  readonly meaning: (stage: Stage, words: Words) => Meaning;
}

export type Words = Readonly<Record<string, string | undefined>>;

/** Builds a pattern from parts such as <user:who> and <asset:asset>. */
export function sentence(text: string, meaning: Sentence['meaning']): Sentence {
  const source = text.replaceAll(/<(\w+):(\w+)>/g, (_, kind: string, name: string) => {
    const part = PARTS[kind];
    if (part === undefined) throw new Error(`no part of a sentence is called ${kind}`);
    return `(?<${name}>${part})`;
  });
  return { pattern: new RegExp(`^${source}$`), meaning };
}

const PARTS: Record<string, string> = {
  user: '[a-z]+',
  asset: '[a-z0-9]+',
  market: '[a-z0-9]+-[a-z0-9]+',
  amount: '[\\d,]+(?:\\.\\d+)?',
  percent: '\\d+(?:\\.\\d+)?%',
  order: '[a-z]\\d+',
  number: '\\d+',
  duration: '\\d+m?s',
  word: '\\S+',
  words: '.*',
};
