// Records an archive from given frames, like an archivist: chains and applies them, writes segments
// with checkpoints, and stores snapshots. Only tests import it.

import { join } from 'node:path';
import {
  appendCommand,
  CodecFault,
  type Command,
  type CommandFrame,
  type EventFrame,
  encodeCommandFrame,
  FrameWriter,
} from '../../core/messages/index.ts';
import {
  type Archive,
  FolderSnapshots,
  hashFrame,
  openArchive,
  SegmentOutput,
} from '../../infra/journal/index.ts';
import { Replica } from '../../infra/replica/index.ts';
import { drive, type FlowName } from '../../testing/flows/index.ts';

export class ArchiveRecorder {
  readonly replica = Replica.create();
  readonly archive: Archive;
  readonly #snapshots: FolderSnapshots;
  readonly #writer = new FrameWriter();
  #frames: Uint8Array[] = [];
  #output = new SegmentOutput();

  private constructor(archive: Archive, folder: string) {
    this.archive = archive;
    this.#snapshots = new FolderSnapshots(join(folder, 'snapshots'), (problem) => {
      throw problem;
    });
  }

  static async start(folder: string): Promise<ArchiveRecorder> {
    return new ArchiveRecorder(await openArchive(folder, 'append'), folder);
  }

  /** Appends the frame as the log's next one, regardless of its hash. */
  apply(planned: CommandFrame): EventFrame {
    const commands = planned.commands.filter((command) => this.#canBeWritten(command));
    const frame = { ...planned, commands, previousHash: this.replica.frameHash };
    const bytes = new Uint8Array(encodeCommandFrame(this.#writer, frame));
    const { encoded, events } = this.replica.apply(frame, hashFrame(bytes));
    this.#frames.push(bytes);
    this.#output.add(encoded.parts);
    return events;
  }

  /** Some flows also send commands that no log can contain, such as a negative user. */
  #canBeWritten(command: Command): boolean {
    try {
      this.#writer.reset();
      appendCommand(this.#writer, command);
      return true;
    } catch (fault) {
      if (fault instanceof CodecFault) return false;
      throw fault;
    }
  }

  /** Does nothing if there is no frame since the last segment. */
  async endSegment(): Promise<void> {
    if (this.#frames.length === 0) return;
    const outputHash = this.#output.outputHash();
    const checkpoint = { outputHash, stateHash: this.replica.stateHash() };
    await this.archive.appendSegment({ frames: this.#frames, checkpoint });
    this.#frames = [];
    this.#output = new SegmentOutput();
  }

  async keepSnapshot(): Promise<void> {
    const snapshot = this.replica.snapshot();
    await new Promise((done) => this.#snapshots.write(snapshot, done));
    await new Promise((done) => this.#snapshots.confirm(snapshot.info.sequence, done));
  }
}

export interface FlowPlan {
  readonly folder: string;
  readonly flow: FlowName;
  readonly seed: number;
  readonly commands: number;
  readonly framesPerSegment: number;
  /** Number of frames between snapshots; 0 for none. */
  readonly framesPerSnapshot: number;
  /** Called after each frame, for comparisons. */
  readonly onFrame?: (replica: Replica) => void;
}

export async function recordFlow(plan: FlowPlan): Promise<Archive> {
  const recorder = await ArchiveRecorder.start(plan.folder);
  const { replica } = recorder;
  const apply = (frame: CommandFrame) => recorder.apply(frame);
  for (const _ of drive({ ...plan, apply })) {
    plan.onFrame?.(replica);
    if (replica.sequence % plan.framesPerSegment === 0) await recorder.endSegment();
    const { framesPerSnapshot } = plan;
    if (framesPerSnapshot > 0 && replica.sequence % framesPerSnapshot === 0) {
      await recorder.keepSnapshot();
    }
  }
  await recorder.endSegment();
  return recorder.archive;
}
