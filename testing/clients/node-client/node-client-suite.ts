// The suite `node-client` of `npm run clients`: replays the recorded requests of the official Node
// client of the interface. In solo mode every method succeeds. In team mode no action that awaits
// approval looks like a success.

import { prepareScene } from '../../conformance/scene.ts';
import { Stage } from '../../conformance/stage.ts';
import type { OpenedTarget } from '../../conformance/target.ts';
import { HAPPY_CALLS, Replayer } from './happy-calls.ts';
import { RECORDED_METHODS, UPDATED_USER } from './recorded-methods.ts';
import { type Given, type Replayed, replay } from './replay-request.ts';

/** Methods, or options of one, that are rejected for a reason. */
const REFUSED: Readonly<Record<string, { readonly status: number; readonly reason: string }>> = {
  'updateExchangeUser role': {
    status: 403,
    reason: 'roles change only in a login session, so a stolen key cannot create operators',
  },
};

const USER_OPTIONS: Readonly<Record<string, Given>> = {
  role: { role: 'support' },
  meta: { meta: { shelf: 'left' }, overwrite: false },
  discount: { discount: 7 },
  note: { note: 'another remark' },
  verification_level: { verification_level: 2 },
};

/** Returns true if everything passes. The last printed line is for programs. */
export async function runNodeClientSuite(opened: OpenedTarget): Promise<boolean> {
  const stage = await Stage.open(opened.target);
  await prepareScene(stage, (line) => console.log(`node client: ${line}`), { isSmall: true });
  const solo = await replayAll(stage);
  await opened.useTeam?.();
  const team = opened.useTeam === undefined ? undefined : await replayInTeam(stage);
  const { methods, refused, succeeded } = solo;
  const failures = [...solo.failures, ...(team?.failures ?? [])];
  for (const failure of failures) console.log(`✖ ${failure}`);
  console.log(
    JSON.stringify({
      methods,
      succeeded,
      refused,
      ...(team === undefined ? {} : { pendingInTeam: team.pending, pendingAsSuccess: team.wrong }),
      failures,
    }),
  );
  return failures.length === 0;
}

interface Solo {
  readonly methods: number;
  /** Methods whose calls all succeed, or are rejected for the recorded reason. */
  readonly succeeded: number;
  readonly refused: readonly string[];
  readonly failures: readonly string[];
}

async function replayAll(stage: Stage): Promise<Solo> {
  const on = new Replayer(stage);
  const failures: string[] = [];
  const refused: string[] = [];
  const failed = new Set<string>();
  const judge = (name: string, method: string, { status, text }: Replayed) => {
    const known = REFUSED[name];
    if (known === undefined ? status < 300 && !isPending(status, text) : status === known.status) {
      if (known !== undefined) refused.push(`${name}: ${known.reason}`);
      return;
    }
    failed.add(method);
    failures.push(`${name}: ${status} ${text.slice(0, 160)}`);
  };
  for (const { name } of RECORDED_METHODS) {
    try {
      for await (const given of await HAPPY_CALLS[name](on))
        judge(name, name, await on.call(name, given));
    } catch (fault) {
      failed.add(name);
      failures.push(`${name}: ${fault instanceof Error ? fault.message : String(fault)}`);
    }
  }
  for (const [option, given] of Object.entries(USER_OPTIONS)) {
    const answer = await updateUser(stage, option, given);
    judge(`updateExchangeUser ${option}`, 'updateExchangeUser', answer);
  }
  const methods = RECORDED_METHODS.length;
  return { methods, succeeded: methods - failed.size, refused, failures };
}

function updateUser(stage: Stage, option: string, given: Given): Promise<Replayed> {
  const { admin, url } = stage.target;
  return replay(url, admin, UPDATED_USER[option], { user_id: stage.taker.id, ...given });
}

/** A file succeeds with 202; any other response with an approval is pending. */
function isPending(status: number, text: string): boolean {
  return /"approval_id"/.test(text) || (status === 202 && text.startsWith('{'));
}

interface Team {
  /** Actions that await approval. */
  readonly pending: number;
  /** Pending actions with a response like a success. */
  readonly wrong: number;
  readonly failures: readonly string[];
}

const CONFLICT = 409;

/** Repeats the calls: some now await approval, and each of those returns an error that names it. */
async function replayInTeam(stage: Stage): Promise<Team> {
  const on = new Replayer(stage);
  const failures: string[] = [];
  let pending = 0;
  let wrong = 0;
  const judge = (name: string, { status, text }: Replayed) => {
    if (!isPending(status, text)) return;
    pending += 1;
    if (status === CONFLICT) return;
    if (status < 300) wrong += 1;
    failures.push(`${name} in team mode: ${status} ${text.slice(0, 160)}`);
  };
  for (const { name } of RECORDED_METHODS) {
    try {
      for await (const given of await HAPPY_CALLS[name](on)) {
        judge(name, await on.call(name, large(given)));
      }
    } catch {
      // A prerequisite of the call awaits approval itself, and was counted by its own method.
    }
  }
  for (const [option, given] of Object.entries(USER_OPTIONS)) {
    judge(`updateExchangeUser ${option}`, await updateUser(stage, option, given));
  }
  if (pending === 0) failures.push('nothing awaits approval in team mode');
  return { pending, wrong, failures };
}

/** Raises the amount above every threshold. */
function large(given: Given): Given {
  return typeof given.amount === 'number' ? { ...given, amount: given.amount + 10_000 } : given;
}
