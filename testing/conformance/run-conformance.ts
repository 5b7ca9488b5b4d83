// Runs every check of the table against an exchange, and compares the deviations with the allowed
// ones.

import { ALLOWED_DEVIATIONS } from './allowed-deviations.ts';
import {
  CONNECTION_CHECKS,
  endpointChecks,
  endpointNames,
  RULE_CHECKS,
  topicChecks,
  topicNames,
} from './exercises/all-checks.ts';
import { endpoints, topics } from './interface.ts';
import type { Checks } from './list-checks.ts';
import { fieldsOf } from './match-shape.ts';
import { prepareScene } from './scene.ts';
import { Deviation, Stage } from './stage.ts';
import type { Target } from './target.ts';

export interface FoundDeviation {
  /** An endpoint, `topic order`, `stream`, or `rules`. */
  readonly endpoint: string;
  /** A parameter, a field, `answer`, or a message. */
  readonly item: string;
  readonly expected: string;
  readonly seen: string;
  /** Reason for an allowed deviation. */
  readonly reason?: string;
}

export interface Row {
  readonly name: string;
  /** Number of documented fields that were found as documented. */
  readonly fields: number;
  readonly parameters: number;
  readonly deviations: readonly FoundDeviation[];
}

export interface Conformance {
  readonly endpoints: readonly Row[];
  readonly topics: readonly Row[];
  /** Deviations that are not allowed, and allowed deviations that did not occur. */
  readonly failures: readonly string[];
}

const CHECK_TIMEOUT_MS = 200_000;

export async function runConformance(
  target: Target,
  print: (line: string) => void,
): Promise<Conformance> {
  const stage = await Stage.open(target);
  await prepareScene(stage, print);
  const found = new Map<string, FoundDeviation[]>();
  for (const call of endpointNames)
    found.set(call, await tryAll(call, endpointChecks(call), stage));
  for (const topic of topicNames) {
    found.set(topic, await tryAll(`topic ${topic}`, topicChecks(topic), stage));
  }
  found.set('stream', await tryAll('stream', CONNECTION_CHECKS, stage));
  found.set('rules', await tryAll('rules', RULE_CHECKS, stage));
  // Fields are complete after all checks, because some checks see responses of other endpoints.
  const endpointRows = endpointNames.map((call) => {
    const shape = { [call]: endpoints[call].answer };
    const parameters = Object.keys(endpoints[call].parameters).length;
    return rowOf(call, parameters, shape, found.get(call) ?? [], stage);
  });
  const topicRows = [
    ...topicNames.map((topic) => {
      const messages = Object.entries(topics[topic].messages);
      const shapes = messages.map(([action, fields]) => [`${topic} ${action}`, { fields }]);
      return rowOf(`topic ${topic}`, 0, Object.fromEntries(shapes), found.get(topic) ?? [], stage);
    }),
    ...['stream', 'rules'].map((name) => rowOf(name, 0, {}, found.get(name) ?? [], stage)),
  ];
  const all = [...endpointRows, ...topicRows].flatMap(({ deviations }) => deviations);
  for (const one of all)
    print(`✖ ${one.endpoint} ${one.item}: expected ${one.expected}, saw ${one.seen}`);
  return { endpoints: endpointRows, topics: topicRows, failures: failuresOf(all) };
}

async function tryAll(name: string, checks: Checks, stage: Stage): Promise<FoundDeviation[]> {
  const found: FoundDeviation[] = [];
  for (const [item, check] of Object.entries(checks)) {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('the check timed out')), CHECK_TIMEOUT_MS);
    try {
      await Promise.race([check(stage), late]);
    } catch (fault) {
      const [expected, seen] =
        fault instanceof Deviation
          ? [fault.expected, fault.seen]
          : ['an answer to the check', fault instanceof Error ? fault.message : String(fault)];
      found.push(withReason({ endpoint: name, item, expected, seen }));
    } finally {
      clearTimeout(timer);
    }
  }
  return found;
}

function rowOf(
  name: string,
  parameters: number,
  shapes: Readonly<Record<string, Parameters<typeof fieldsOf>[0]>>,
  found: readonly FoundDeviation[],
  stage: Stage,
): Row {
  const deviations = [...found];
  let fields = 0;
  for (const [key, shape] of Object.entries(shapes)) {
    const seen = stage.fields.get(key) ?? new Set();
    const mismatches = stage.mismatches.get(key) ?? new Map();
    const prefix = key === name ? '' : `${key.split(' ')[1]}: `;
    for (const { expected, path, seen: value } of mismatches.values()) {
      const item = `${prefix}${path || 'answer'}`;
      deviations.push(withReason({ endpoint: name, item, expected, seen: value }));
    }
    const lost = new Set<string>(mismatches.keys());
    for (const field of fieldsOf(shape)) {
      // Fields inside a missing field are not reported again.
      const isInside = [...lost].some((outer) => field !== outer && field.startsWith(outer));
      if (isInside || mismatches.has(field)) continue;
      if (seen.has(field)) fields += 1;
      else {
        lost.add(field);
        const item = `${prefix}${field}`;
        const expected = 'an answer with the field';
        deviations.push(withReason({ endpoint: name, item, expected, seen: 'none' }));
      }
    }
  }
  return { name, fields, parameters, deviations };
}

function withReason(found: FoundDeviation): FoundDeviation {
  const allowed = ALLOWED_DEVIATIONS.find(({ at }) =>
    at.includes(`${found.endpoint} ${found.item}`),
  );
  return allowed === undefined ? found : { ...found, reason: allowed.reason };
}

function failuresOf(all: readonly FoundDeviation[]): readonly string[] {
  const found = new Set(all.map(({ endpoint, item }) => `${endpoint} ${item}`));
  const gone = ALLOWED_DEVIATIONS.flatMap(({ at }) => at)
    .filter((one) => !found.has(one))
    .map((one) => `${one} is allowed to deviate but does not`);
  const unlisted = all
    .filter(({ reason }) => reason === undefined)
    .map(({ endpoint, expected, item, seen }) => `${endpoint} ${item}: ${expected}; saw ${seen}`);
  return [...unlisted, ...gone];
}
