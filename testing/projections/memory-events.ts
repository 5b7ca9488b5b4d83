// An in-memory EVENTS log that contains given messages and never fails.

import { MemoryLog, type MemoryLogConnection } from '../../infra/journal/memory-log.ts';
import { faultlessPath, type LogPath } from '../../infra/journal/memory-log-path.ts';
import { systemClock } from '../../infra/process/index.ts';
import { Random } from '../flows/index.ts';

export function memoryEvents(
  messages: readonly Uint8Array[],
  seed: number,
): { memory: MemoryLog; log: MemoryLogConnection; path: LogPath } {
  const memory = new MemoryLog(systemClock);
  for (const message of messages) memory.store(message);
  const random = new Random(seed);
  const path = faultlessPath(() => random.word() / 2 ** 32);
  path.timeoutMs = 10_000;
  return { memory, log: memory.connect(systemClock, path), path };
}
