// A kind of sentence that a story may use: its pattern, and the command it stands for. The
// tables of sentences (orders, money, configuration) are all there is to the stories' language.

import type { Command } from '../../core/messages/index.ts';
import type { Stage } from './stage.ts';

export interface Meaning {
  readonly command: Command;
  /** What the story knows from then on, if the command is accepted. */
  readonly onAccepted?: () => void;
}

export interface Sentence {
  readonly pattern: RegExp;
  /** `words` are the pattern's named groups; a group that did not take part is undefined. */
  readonly meaning: (stage: Stage, words: Words) => Meaning;
}

export type Words = Readonly<Record<string, string | undefined>>;

/** Builds a pattern from parts: USER, ASSET and the like stand for what they name. */
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
