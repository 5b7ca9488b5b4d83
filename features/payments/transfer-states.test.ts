// Tests the two state machines: every state with every move and actor is listed here manually, and
// random walks agree with a simple model without a table.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEPOSITS } from './deposits/states.ts';
import type { Actor, StateMachine } from './state-machine.ts';
import { WITHDRAWALS } from './withdrawals/states.ts';

const ACTORS: readonly Actor[] = ['user', 'operator', 'engine', 'payer', 'watcher', 'clock'];

/** One line per state: `move/actor,actor → state`. Everything else must be illegal. */
const WITHDRAWAL_TABLE: Record<string, string[]> = {
  new: [
    'requestConfirmation/user → unconfirmed',
    'request/user,operator → opening + OpenWithdrawal',
    'execute/user,operator → executing + BurnAsset|TransferAsset',
  ],
  unconfirmed: [
    'confirm/user → opening + OpenWithdrawal',
    'execute/user → executing + BurnAsset|TransferAsset',
    'awaitRecipient/user → awaiting_recipient',
    'cancel/user → canceled',
    'dismiss/operator → dismissed',
    'reject/operator → rejected',
    'expire/clock → expired',
  ],
  awaiting_recipient: [
    'cancel/user → canceled',
    'dismiss/operator → dismissed',
    'reject/operator → rejected',
    'expire/clock → expired',
  ],
  opening: [
    'accept/engine → approved',
    'acceptForReview/engine → in_review',
    'refuse/engine → refused',
  ],
  executing: ['accept/engine → completed', 'refuse/engine → refused'],
  in_review: [
    'approve/operator → approved',
    'cancel/user → canceling + CancelWithdrawal',
    'dismiss/operator → dismissing + CancelWithdrawal',
    'reject/operator → rejecting + CancelWithdrawal',
    'expire/clock → expiring + CancelWithdrawal',
  ],
  approved: [
    'recall/operator → in_review',
    'claim/payer → claimed',
    'cancel/user → canceling + CancelWithdrawal',
    'dismiss/operator → dismissing + CancelWithdrawal',
    'reject/operator → rejecting + CancelWithdrawal',
  ],
  claimed: [
    'release/payer → approved',
    'complete/operator,payer → completing + CompleteWithdrawal',
  ],
  completing: ['accept/engine → completed', 'refuse/engine → claimed'],
  canceling: ['accept/engine → canceled', 'refuse/engine → in_review'],
  dismissing: ['accept/engine → dismissed', 'refuse/engine → in_review'],
  rejecting: ['accept/engine → rejected', 'refuse/engine → in_review'],
  expiring: ['accept/engine → expired', 'refuse/engine → in_review'],
  completed: [],
  refused: [],
  canceled: [],
  dismissed: [],
  rejected: [],
  expired: [],
};

const CREDIT_AGAIN = 'credit/operator → crediting + CreditDeposit|MintAsset';
// A chain dropped the transaction, or finalized it late.
const FINAL_AFTER_ALL = [
  'submit/watcher → in_review',
  'credit/operator,watcher → crediting + CreditDeposit|MintAsset',
];
const DEPOSIT_TABLE: Record<string, string[]> = {
  new: [
    'announce/user,operator,watcher → pending',
    'submit/operator,watcher → in_review',
    'credit/operator,watcher → crediting + CreditDeposit|MintAsset',
    'receive/user,operator → crediting + TransferAsset',
  ],
  pending: [
    'submit/watcher → in_review',
    'credit/operator,watcher → crediting + CreditDeposit|MintAsset',
    'cancel/user,watcher → canceled',
    'dismiss/operator → dismissed',
    'reject/operator → rejected',
    'expire/clock → expired',
  ],
  in_review: [
    'approve/operator → crediting + CreditDeposit|MintAsset',
    'dismiss/operator → dismissed',
    'reject/operator → rejected',
    'expire/clock → expired',
  ],
  crediting: ['accept/engine → completed', 'refuse/engine → refused', 'review/engine → in_review'],
  completed: [],
  refused: [CREDIT_AGAIN],
  canceled: FINAL_AFTER_ALL,
  dismissed: [CREDIT_AGAIN],
  rejected: [CREDIT_AGAIN],
  expired: FINAL_AFTER_ALL,
};

const machines = [
  ['withdrawal', WITHDRAWALS, WITHDRAWAL_TABLE],
  ['deposit', DEPOSITS, DEPOSIT_TABLE],
] as [string, StateMachine<string, string>, Record<string, string[]>][];

for (const [name, machine, table] of machines) {
  const moves = [...new Set(machine.arrows.map(({ move }) => move))];

  test(`${name}: the list contains exactly the states`, () => {
    assert.deepEqual(Object.keys(table).sort(), ['new', ...Object.keys(machine.states)].sort());
  });

  for (const [state, legal] of Object.entries(table)) {
    test(`${name}: the listed moves from ${state} are the only ones`, () => {
      const found: string[] = [];
      for (const move of moves) {
        const actors = ACTORS.filter((by) => machine.find(state, move, by) !== undefined);
        if (actors.length === 0) continue;
        const { appends = [], to } = machine.find(state, move, actors[0])!;
        const command = appends.length === 0 ? '' : ` + ${appends.join('|')}`;
        found.push(`${move}/${actors.join(',')} → ${to}${command}`);
      }
      assert.deepEqual(found.sort(), legal.toSorted());
    });
  }

  test(`${name}: one arrow per state, move and actor; only a failed deposit moves on`, () => {
    const seen = new Set<string>();
    for (const { by, from, move } of machine.arrows) {
      const isEnd = from !== 'new' && machine.states[from].phase === 'ended';
      if (isEnd) {
        assert.deepEqual([name, from !== 'completed'], ['deposit', true]);
        assert.ok(move === 'credit' || move === 'submit', move);
      }
      for (const actor of by) {
        const key = `${from} ${move} ${actor}`;
        assert.ok(!seen.has(key), key);
        seen.add(key);
      }
    }
  });

  test(`${name}: a state pending in the engine has a command and handles its outcome`, () => {
    for (const state of Object.keys(machine.states)) {
      const into = machine.arrows.filter(({ to }) => to === state);
      const isAsked = machine.states[state].phase === 'asked';
      assert.ok(into.length > 0, `${state} can be reached`);
      const appended = new Set(into.flatMap(({ appends = [] }) => appends));
      for (const { appends } of into) assert.equal(appends !== undefined, isAsked, state);
      for (const { answers, by, from } of machine.arrows) {
        if (from !== state) continue;
        assert.deepEqual(by.includes('engine'), isAsked, state);
        assert.deepEqual([...(answers ?? [])].sort(), [...appended].sort(), state);
      }
    }
  });
}

/** Wire flags by state, as operators and clients see them. */
const WITHDRAWAL_FLAGS: Record<string, string> = {
  unconfirmed: 'waiting',
  awaiting_recipient: 'waiting',
  opening: '',
  executing: '',
  in_review: 'waiting',
  approved: '',
  claimed: 'processing',
  completing: 'processing',
  canceling: 'dismissed',
  dismissing: 'dismissed',
  rejecting: 'rejected',
  expiring: 'dismissed',
  completed: 'status',
  refused: 'rejected',
  canceled: 'dismissed',
  dismissed: 'dismissed',
  rejected: 'rejected',
  expired: 'dismissed',
};
const DEPOSIT_FLAGS: Record<string, string> = {
  pending: '',
  in_review: 'waiting',
  crediting: '',
  completed: 'status',
  refused: 'rejected',
  canceled: 'dismissed',
  dismissed: 'dismissed',
  rejected: 'rejected',
  expired: 'dismissed',
};

for (const [name, machine, flags] of [
  ['withdrawal', WITHDRAWALS, WITHDRAWAL_FLAGS],
  ['deposit', DEPOSITS, DEPOSIT_FLAGS],
] as const) {
  test(`${name}: each state implies the listed wire flags`, () => {
    const found = Object.entries(machine.states).map(([state, { wire }]) => [
      state,
      wire.join(' '),
    ]);
    assert.deepEqual(Object.fromEntries(found), flags);
  });
}

/** Models a withdrawal by its money and actors, without states. */
class ObviousWithdrawal {
  confirmed = false;
  awaits = false;
  held = false;
  approved = false;
  claimed = false;
  isBurn = false;
  /** Outstanding request to the engine. */
  asked: 'hold' | 'pay' | 'release' | 'burn' | undefined;
  /** Final state after a release. */
  releaseAs = '';
  end = '';

  static begin(move: string): ObviousWithdrawal {
    const one = new ObviousWithdrawal();
    if (move === 'requestConfirmation') return one;
    one.confirmed = true;
    one.isBurn = move === 'execute';
    one.asked = one.isBurn ? 'burn' : 'hold';
    return one;
  }

  /** Returns false if the move is not allowed. */
  try(move: string, by: Actor): boolean {
    if (this.end !== '') return false;
    if (by === 'engine') return this.#answer(move);
    if (this.asked !== undefined) return false;
    const key = `${by} ${move}`;
    if (!this.confirmed) {
      if (key === 'user confirm' && !this.awaits) {
        this.confirmed = true;
        this.asked = 'hold';
        return true;
      }
      if (key === 'user execute' && !this.awaits) {
        this.confirmed = true;
        this.isBurn = true;
        this.asked = 'burn';
        return true;
      }
      if (key === 'user awaitRecipient') return !this.awaits && (this.awaits = true);
      return this.#give(key, (end) => {
        this.end = end;
      });
    }
    if (this.claimed) return this.#pay(key);
    if (key === 'operator approve') return !this.approved && (this.approved = true);
    if (key === 'operator recall') return this.approved && !(this.approved = false);
    if (key === 'payer claim') return this.approved && (this.claimed = true);
    if (key === 'clock expire' && this.approved) return false;
    return this.#give(key, (end) => {
      this.asked = 'release';
      this.releaseAs = end;
    });
  }

  #pay(key: string): boolean {
    if (key === 'payer release') {
      this.claimed = false;
      return true;
    }
    if (key !== 'operator complete' && key !== 'payer complete') return false;
    this.asked = 'pay';
    return true;
  }

  #give(key: string, endAs: (end: string) => void): boolean {
    const ends: Record<string, string> = {
      'user cancel': 'canceled',
      'operator dismiss': 'dismissed',
      'operator reject': 'rejected',
      'clock expire': 'expired',
    };
    if (!Object.hasOwn(ends, key)) return false;
    endAs(ends[key]);
    return true;
  }

  #answer(move: string): boolean {
    const { asked } = this;
    if (asked === undefined) return false;
    if (move === 'acceptForReview' && asked !== 'hold') return false;
    if (!['accept', 'acceptForReview', 'refuse'].includes(move)) return false;
    this.asked = undefined;
    const isAccepted = move !== 'refuse';
    if (asked === 'hold') {
      this.held = isAccepted;
      this.approved = move === 'accept';
      if (!isAccepted) this.end = 'refused';
    } else if (asked === 'burn') {
      this.end = isAccepted ? 'completed' : 'refused';
    } else if (asked === 'pay') {
      this.held = !isAccepted;
      if (isAccepted) this.end = 'completed';
    } else {
      this.held = !isAccepted;
      this.approved = false;
      if (isAccepted) this.end = this.releaseAs;
    }
    return true;
  }

  get state(): string {
    const releasing: Record<string, string> = {
      canceled: 'canceling',
      dismissed: 'dismissing',
      rejected: 'rejecting',
      expired: 'expiring',
    };
    if (this.end !== '') return this.end;
    if (!this.confirmed) return this.awaits ? 'awaiting_recipient' : 'unconfirmed';
    if (this.asked === 'burn') return 'executing';
    if (this.asked === 'hold') return 'opening';
    if (this.asked === 'pay') return 'completing';
    if (this.asked === 'release') return releasing[this.releaseAs];
    if (this.claimed) return 'claimed';
    return this.approved ? 'approved' : 'in_review';
  }
}

const withdrawalMoves = [...new Set(WITHDRAWALS.arrows.map(({ move }) => move))];
const walk = fc.record({
  begin: fc.constantFrom('requestConfirmation', 'request', 'execute'),
  steps: fc.array(fc.tuple(fc.constantFrom(...withdrawalMoves), fc.constantFrom(...ACTORS)), {
    minLength: 20,
    maxLength: 120,
  }),
} as const);

test('withdrawal: random walks agree with the simple model', () => {
  const visited = new Set<string>();
  fc.assert(
    fc.property(walk, ({ begin, steps }) => {
      const model = ObviousWithdrawal.begin(begin);
      let { to: state } = WITHDRAWALS.find('new', begin as 'request', 'user')!;
      for (const [move, by] of steps) {
        const arrow = WITHDRAWALS.find(state, move, by);
        assert.equal(model.try(move, by), arrow !== undefined, `${state}: ${move} by ${by}`);
        if (arrow !== undefined) state = arrow.to;
        assert.equal(model.state, state);
        visited.add(state);
        const isOpenEnded = WITHDRAWALS.states[state].phase !== 'ended';
        assert.ok(!model.held || isOpenEnded, `${state} has ended and still holds the amount`);
      }
    }),
    { numRuns: 4_000, seed: 10 },
  );
  assert.deepEqual([...visited].sort(), Object.keys(WITHDRAWALS.states).sort());
});

test('only request-moves.ts writes the state of a request', () => {
  const folder = import.meta.dirname;
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
  const writers = files.filter((file) => {
    return /\bset\s+state\s*=/.test(readFileSync(join(folder, file), 'utf8'));
  });
  assert.deepEqual(writers, ['request-moves.ts']);
});
