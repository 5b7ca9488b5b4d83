// Distinct answers of a drill and how often each arrived, so an unexpected result can be explained
// from the output alone.

import { type ErrorKey, errors } from '../../../protocol/index.ts';
import type { RestAnswer } from '../../../tools/sandbox/rest-client.ts';

const NAMES = new Map<number, ErrorKey>(
  (Object.keys(errors) as ErrorKey[]).map((name) => [errors[name].code, name]),
);

export class AnswerTally {
  readonly #counts = new Map<string, number>();

  /** `act` is the request. A connection fault also counts as an answer. */
  add(act: string, answer: RestAnswer | Error): void {
    const name = `${act}: ${answer instanceof Error ? faultText(answer) : answerText(answer)}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

function answerText({ body, status, text }: RestAnswer): string {
  if (status < 300) return String(status);
  return `${status} ${NAMES.get(body?.code) ?? text.slice(0, 120)}`;
}

function faultText(fault: Error): string {
  return fault.cause instanceof Error ? `${fault.message}, ${fault.cause.message}` : fault.message;
}
