// A leader during its epoch, with a COMMANDS log that the test acknowledges manually: when and what
// it publishes, how it groups commands into frames, and how it yields, is fenced or fails.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeEventBatch, hashFrame, openSealedFrame } from '../../infra/journal/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { INTAKE_DEFAULTS } from './intake.ts';
import {
  HEARTBEAT_MS,
  open,
  openLeading,
  RETRY_MS,
  SENDER,
  SOURCE,
  START_MS,
  SUBJECTS,
  takeHeartbeats,
  takeReplies,
} from './leader-for-test.ts';

test('small frames keep the gap, and the first one after a pause is made immediately', () => {
  const { log, pass, seen, send } = openLeading({ frameGapMs: 10 });
  pass(10);
  send(1);
  pass(0);
  log.settle();
  send(1);
  send(1);
  pass(9);
  assert.deepEqual(seen, ['made 1', 'stored 2 of 1']);
  pass(1);
  assert.deepEqual(seen.splice(0), ['made 1', 'stored 2 of 1', 'made 2']);
  log.settle();
  pass(10);
  send(1);
  pass(0);
  assert.deepEqual(seen, ['stored 3 of 2', 'made 1']);
});

test('a large frame does not wait for the gap, and neither does a leader that leaves', () => {
  const { ends, leader, log, pass, seen, send } = openLeading({ frameGapMs: 1_000 });
  pass(1_000);
  send(1);
  pass(0);
  log.settle();
  send(4);
  pass(0);
  log.settle();
  assert.deepEqual(seen.splice(0), ['made 1', 'stored 2 of 1', 'made 4', 'stored 3 of 4']);
  send(1);
  pass(1);
  assert.deepEqual(seen, []);
  leader.yieldLeadership();
  pass(0);
  log.settle();
  pass(10);
  assert.deepEqual(seen, ['made 1', 'stored 4 of 1']);
  assert.deepEqual(ends, [{ kind: 'yielded', sequence: 4 }]);
});

test('a leader claims its epoch with an empty frame and never writes limits itself', () => {
  const { bus, leader, log, pass, seen } = open();
  const { commands, epoch, sequence, timeMs } = log.inFlight() ?? assert.fail();
  assert.deepEqual([epoch, sequence, timeMs], [1, 1, START_MS]);
  assert.deepEqual(commands, []);
  pass(10 * HEARTBEAT_MS);
  assert.deepEqual(
    [bus.messages, leader.isServing],
    [[], false],
    'before that it publishes nothing',
  );
  log.settle();
  assert.deepEqual(
    takeHeartbeats(bus).map(({ epoch, sequence, state }) => [epoch, sequence, state]),
    [[1, 1, 'leading']],
  );
  assert.deepEqual(seen, ['made 0', 'stored 1 of 0', 'leads 1 from 1']);
  assert.equal(leader.isServing, true);
  assert.deepEqual(takeReplies(bus, 0), [], 'the first frame has no results');
});

test('the first frame of a later leader is empty, in the next epoch and chained', () => {
  const before = openLeading();
  const { log } = open({ commands: before.log, replica: before.replica });
  assert.equal(log.inFlight(), undefined);
  const frame = before.log.inFlight() ?? assert.fail();
  const last = openSealedFrame(before.log.messages[0]) ?? assert.fail();
  assert.deepEqual([frame.epoch, frame.sequence, frame.commands], [2, 2, []]);
  assert.deepEqual(Buffer.from(frame.previousHash), Buffer.from(hashFrame(last.frame)));
});

test('nothing is published about a frame before the log has acknowledged it', () => {
  const { bus, events, log, pass, send, seen } = openLeading();
  send(2);
  pass(3);
  assert.equal(log.inFlight()?.commands.length, 2);
  pass(10 * HEARTBEAT_MS);
  assert.deepEqual([takeReplies(bus), events.last, seen], [[], 1, ['made 2']]);
  for (const { commandsApplied, sequence } of takeHeartbeats(bus)) {
    assert.deepEqual(
      [sequence, commandsApplied],
      [1, 0],
      'a heartbeat reports the acknowledged frame',
    );
  }
  log.settle();
  assert.deepEqual(takeReplies(bus), ['#2: 1 none, 2 none']);
  pass(5);
  assert.deepEqual(decodeEventBatch(events.message(2)).parts[0].sequence, 2);
  assert.deepEqual(seen, ['made 2', 'stored 2 of 2']);
  pass(HEARTBEAT_MS);
  const heartbeat = takeHeartbeats(bus).at(-1);
  assert.deepEqual(
    [heartbeat?.sequence, heartbeat?.commandsApplied, heartbeat?.eventsSequence],
    [2, 2, 2],
  );
});

test('no result is published after a lost acknowledgment until the log has the frame', () => {
  const { bus, leader, log, pass, send } = openLeading();
  send(1);
  pass(0);
  log.isSilent = true;
  log.settle('unknown');
  pass(HEARTBEAT_MS);
  assert.deepEqual([takeReplies(bus), takeHeartbeats(bus).at(-1)?.state], [[], 'waiting']);
  assert.deepEqual([leader.isServing, log.inFlight()], [false, undefined]);
  log.isSilent = false;
  pass(RETRY_MS);
  assert.equal(log.inFlight()?.sequence, 2, 'the log does not have it, so it is appended again');
  log.settle();
  assert.deepEqual(takeReplies(bus), ['#2: 1 none']);
});

test('batches that arrive together share a frame, and each gateway gets its own results', () => {
  const { bus, log, pass, send } = openLeading();
  for (const [count, source] of [
    [2, SOURCE],
    [1, 42],
    [1, SOURCE],
  ])
    send(count, { source });
  pass(0);
  const names = log.inFlight()?.commands.map(({ number, source }) => `${source}:${number}`);
  assert.deepEqual(names, ['41:1', '41:2', '42:3', '41:4']);
  log.settle();
  assert.deepEqual(takeReplies(bus), ['#2: 1 none, 2 none, 4 none']);
  assert.deepEqual(takeReplies(bus, 42), ['#2: 3 none']);
});

test('one frame is in flight; few commands are queued, many become the next frame', () => {
  const { log, pass, send, seen } = openLeading();
  send(1);
  pass(0);
  send(3);
  pass(0);
  assert.deepEqual(seen, ['made 1'], 'three commands are too few');
  send(1);
  pass(0);
  assert.deepEqual(seen, ['made 1', 'made 4'], 'four commands fill a frame');
  send(9);
  pass(0);
  assert.deepEqual(seen, ['made 1', 'made 4'], 'no third frame is built');
  for (const sequence of [2, 3, 4]) {
    assert.equal(log.inFlight()?.sequence, sequence);
    log.settle();
    pass(0);
  }
  assert.deepEqual(
    log.frames.map(({ commands }) => commands.length),
    [0, 1, 4, 9],
  );
});

test('frames are chained and numbered, and time never moves back', () => {
  const { log, pass, send } = openLeading();
  for (let count = 0; count < 3; count++) {
    send(1);
    pass(7);
    log.settle();
  }
  const { frames } = log;
  assert.deepEqual(
    frames.map(({ epoch, sequence, timeMs }) => [sequence, epoch, timeMs - START_MS]),
    [
      [1, 1, 0],
      [2, 1, 5],
      [3, 1, 12],
      [4, 1, 19],
    ],
  );
  for (let index = 1; index < frames.length; index++) {
    const before = openSealedFrame(log.messages[index - 1]) ?? assert.fail();
    assert.deepEqual(Buffer.from(frames[index].previousHash), Buffer.from(before.frameHash));
  }
});

test('a clock behind the log does not move the exchange back in time', () => {
  const ahead = openLeading();
  const random = new Random(1);
  const clock = new VirtualTime({ startMs: START_MS - 60_000, random, latenessMsMax: 0 });
  open({ commands: ahead.log, replica: ahead.replica, clock });
  assert.equal(ahead.log.inFlight()?.timeMs, START_MS);
});

test('a batch for another epoch is ignored; for a later one the leader queries the log', () => {
  const { bus, ends, log, pass, send } = openLeading();
  send(1, { epoch: 0 });
  bus.deliver(SUBJECTS.commandsFrom(SENDER), new Uint8Array(100));
  pass(10);
  assert.deepEqual([takeReplies(bus), log.inFlight(), ends], [[], undefined, []]);
  send(1, { epoch: 2 });
  pass(10);
  assert.deepEqual([takeReplies(bus), log.inFlight(), ends], [[], undefined, []]);
  log.messages.push(new Uint8Array(1));
  pass(HEARTBEAT_MS);
  send(1, { epoch: 2 });
  pass(1);
  assert.deepEqual(ends, [{ kind: 'fenced', reason: 'another writer stored message 2' }]);
});

test('a flood of batches for a later epoch causes one log query per heartbeat', () => {
  let questions = 0;
  const { ends, log, pass, send } = openLeading();
  const extent = log.extent.bind(log);
  log.extent = (done) => {
    questions++;
    extent(done);
  };
  for (let count = 0; count < 100; count++) send(1, { epoch: 99 });
  pass(1);
  assert.deepEqual([questions, ends], [1, []]);
});

test('a command that its sender is not allowed to send is refused with certainty', () => {
  const { bus, log, pass, send, seen } = openLeading();
  send(1, { sender: 'publisher', source: 9 });
  send(1, { source: 7 });
  // A source is the session of the first process that used it.
  send(1, { sender: 'gateway-identity', source: 7 });
  pass(1);
  assert.deepEqual(takeReplies(bus, 9, 'publisher'), ['1 not_permitted']);
  assert.deepEqual(takeReplies(bus, 7, 'gateway-identity'), ['3 not_permitted']);
  assert.deepEqual(seen, [
    'publisher must not CancelAllOrders',
    'not_permitted',
    'gateway-identity must not source',
    'not_permitted',
    'made 1',
  ]);
  assert.equal(log.inFlight()?.commands.length, 1);
});

test('a refusal is published immediately, and no copy of the batch is accepted later', () => {
  const intake = { ...INTAKE_DEFAULTS, waitingCommandsMax: 5, frameCommandsMax: 4 };
  const { bus, log, pass, send, seen } = openLeading({ intake });
  for (const count of [5, 3, 3]) send(count);
  assert.deepEqual(takeReplies(bus), ['1 malformed', '3 busy']);
  assert.deepEqual(seen, ['malformed', 'busy']);
  pass(0);
  send(3, { batch: 3 });
  pass(0);
  assert.deepEqual([log.inFlight()?.commands.length, takeReplies(bus)], [3, []]);
});

test('a batch that might have been applied and forgotten is too old, counting the queue', () => {
  const { bus, send } = openLeading();
  // The window is 1,024.
  for (const count of [1_000, 25, 24, 1]) send(count);
  assert.deepEqual(takeReplies(bus), ['2 too_old', '4 too_old']);
});

test("another writer's message fences the leader, and its frame has no results", () => {
  const rival = openLeading();
  const { bus, ends, log, pass, send } = openLeading();
  send(1);
  pass(0);
  log.settle('conflict', rival.log.messages[0]);
  pass(10);
  assert.deepEqual(ends, [{ kind: 'fenced', reason: 'another writer stored message 2' }]);
  takeHeartbeats(bus);
  pass(10 * HEARTBEAT_MS);
  send(1);
  pass(10);
  assert.deepEqual([bus.messages, log.inFlight(), ends.length], [[], undefined, 1]);
});

test('a yielding leader stores and answers accepted batches, and refuses new ones', () => {
  const { bus, ends, events, leader, log, pass, send } = openLeading();
  send(1);
  pass(0);
  send(2);
  leader.yieldLeadership();
  send(1);
  assert.deepEqual(takeReplies(bus), ['3 not_leading']);
  assert.equal(takeHeartbeats(bus).at(-1)?.state, 'leaving');
  log.settle();
  pass(10);
  assert.deepEqual([takeReplies(bus), ends], [['#2: 1 none'], []], 'one frame is still in flight');
  log.settle();
  assert.deepEqual([takeReplies(bus), ends], [['#3: 2 none, 3 none'], []]);
  pass(10);
  assert.deepEqual(ends, [{ kind: 'yielded', sequence: 3 }]);
  assert.equal(decodeEventBatch(events.message(events.last)).parts.at(-1)?.sequence, 3);
});

test('an idle leader yields immediately, but not before its first frame is stored', () => {
  const { bus, ends, leader, log, pass } = open();
  leader.yieldLeadership();
  pass(HEARTBEAT_MS);
  assert.deepEqual([ends, bus.messages], [[], []]);
  log.settle();
  pass(10);
  assert.deepEqual(ends, [{ kind: 'yielded', sequence: 1 }]);

  const idle = openLeading();
  idle.leader.yieldLeadership();
  idle.pass(0);
  assert.deepEqual(idle.ends, [{ kind: 'yielded', sequence: 1 }]);
});

test('a leader does not yield before the EVENTS log is complete', () => {
  const { ends, events, leader, log, pass, send } = openLeading();
  events.beginOutage();
  send(1);
  pass(0);
  log.settle();
  leader.yieldLeadership();
  pass(2_000);
  assert.deepEqual(ends, []);
  events.endOutage();
  pass(2_000);
  assert.deepEqual(ends, [{ kind: 'yielded', sequence: 2 }]);
});

test('no frame is built while too many events are pending for the EVENTS log', () => {
  const { events, log, pass, send, seen } = openLeading({ eventBytesMax: 50 });
  events.beginOutage();
  for (let count = 0; count < 2; count++) {
    send(1);
    pass(0);
    log.settle();
  }
  seen.length = 0;
  send(1);
  pass(1_000);
  assert.deepEqual([seen, log.inFlight()], [[], undefined]);
  events.endOutage();
  pass(2_000);
  assert.deepEqual(seen, ['made 1'], 'it continues without a trigger');
});

test('different events in the EVENTS log make the leader fail', () => {
  const { ends, events, log, pass, send } = openLeading();
  const other = openLeading();
  other.time.runUntil(START_MS + 777);
  other.send(1);
  other.pass(0);
  other.log.settle();
  other.pass(10);
  send(1);
  pass(0);
  events.store(other.events.message(2));
  log.settle();
  pass(1_000);
  const reason = 'the EVENTS log has different events for frame 2';
  assert.deepEqual(ends, [{ kind: 'failed', reason }]);
});

test('a stopped leader does nothing more', () => {
  const { bus, ends, leader, log, pass, send } = openLeading();
  send(1);
  pass(0);
  leader.stop();
  bus.messages.length = 0;
  log.settle();
  send(1);
  pass(10 * HEARTBEAT_MS);
  assert.deepEqual([bus.messages, log.inFlight(), ends], [[], undefined, []]);
});

test('heartbeats have the age of the oldest unacknowledged append', () => {
  const { bus, leader, log, pass, send } = open();
  log.settle();
  pass(10);
  takeHeartbeats(bus);
  send(1);
  pass(600);
  const ages = takeHeartbeats(bus).map(({ unacknowledgedMs }) => unacknowledgedMs);
  assert.ok(Number(ages.at(-1)) >= 500, String(ages));
  assert.ok(leader.isServing);
  pass(400);
  assert.ok(!leader.isServing, 'a log that does not acknowledge is not served');
  assert.deepEqual(
    takeHeartbeats(bus).map(({ state }) => state),
    ['leading', 'leading', 'waiting', 'waiting'],
  );
  log.settle();
  pass(10);
  assert.ok(leader.isServing);
  assert.equal(leader.unacknowledgedMs, 0);
});

test('an idle leader queries the log about once per second and reports missing responses', () => {
  const { leader, log, pass } = open();
  log.settle();
  pass(3_000);
  assert.equal(leader.unacknowledgedMs, 0);
  log.isSilent = true;
  pass(2_500);
  assert.ok(leader.unacknowledgedMs > 1_300, String(leader.unacknowledgedMs));
  assert.ok(!leader.isServing);
  log.isSilent = false;
  pass(200);
  assert.equal(leader.unacknowledgedMs, 0);
  assert.ok(leader.isServing);
});
