// Bugs on the path between a command and its answer, each made by one edit of the sources. The
// simulator must find every one of them, or its schedules do not cover enough.

import type { Fault } from '../drills/mutations/fault.ts';

export const SEEDED_BUGS: readonly Fault[] = [
  {
    name: 'results are published before the acknowledgement',
    file: 'services/sequencer/leader.ts',
    find: 'this.#writer.append(message);',
    replace: `this.#writer.append(message);
    for (const told of this.#resultsOf(this.#made[this.#made.length - 1])) {
      const { message, sender, source } = told;
      this.#options.bus.publish(this.#options.subjects.resultsFor(sender, source), message);
    }`,
  },
  {
    name: 'a writer treats a conflict as an acknowledgement',
    file: 'infra/journal/log-writer.ts',
    find: "if (outcome === 'stored') {",
    replace: "if (outcome !== 'unknown') {",
  },
  {
    name: 'a reconciling writer accepts any message in its place as its own',
    file: 'infra/journal/log-writer.ts',
    find: 'else if (equalBytes(message, this.#pending[0].message)) this.#release();',
    replace: 'else if (message.length > 0) this.#release();',
  },
  {
    name: 'the log accepts a message at any position',
    file: 'infra/journal/memory-log.ts',
    find: "if (sequence !== this.last + 1) return 'conflict';",
    replace: '',
  },
  {
    name: 'a snapshot forgets the command ids',
    file: 'core/engine/snapshot.ts',
    find: '  writeWindow(writer, exchange);',
    replace: '  writer.integer(0);',
  },
  {
    name: 'a command that was sent and not answered is reported as not taken',
    file: 'infra/command-link/command-client.ts',
    find: 'const isOpen = pending.isUncertain || pending.batch !== 0;',
    replace: 'const isOpen = pending.isUncertain;',
  },
  {
    name: 'a refusal is certain although an earlier copy may have been accepted',
    file: 'infra/command-link/command-client.ts',
    find: 'if (pending.batch !== 0) pending.isUncertain = true;',
    replace: '',
  },
  {
    name: 'a retry of any age is accepted',
    file: 'services/sequencer/intake.ts',
    find: "if (last > batch.floor + memory.commandWindow) return 'too_old';",
    replace: '',
  },
  {
    name: 'a refused batch is accepted when it arrives again',
    file: 'services/sequencer/leader.ts',
    find: 'if (!this.#seen.isNew(batch)) return;',
    replace: '',
  },
  {
    name: 'an overtaken batch is accepted twice',
    file: 'services/sequencer/seen-batches.ts',
    find: 'return { sender, last, bits: (bits | (1 << steps)) >>> 0 };',
    replace: 'return { sender, last, bits };',
  },
  {
    name: 'a refused batch of events is treated as stored',
    file: 'infra/journal/event-writer.ts',
    find: "if (outcome === 'stored') this.#moveTo(",
    replace: "if (outcome !== 'unknown') this.#moveTo(",
  },
  {
    name: 'a torn frame is applied',
    file: 'infra/journal/sealed-frame.ts',
    find: 'return equalBytes(frameHash, message.subarray(frame.length)) ?',
    replace: 'return frame.length > 0 ?',
  },
  {
    name: 'a repeated command is answered as if it were new',
    file: 'services/sequencer/frame-results.ts',
    find: 'row.command = exception.original;',
    replace: '',
  },
];
