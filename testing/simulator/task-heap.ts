// Binary heap of tasks: earliest first, then in the order of scheduling.

/** Order of tasks: by time, then by the order of scheduling. */
export interface Scheduled {
  readonly timeMs: number;
  readonly order: number;
}

export class TaskHeap<Task extends Scheduled> {
  readonly #tasks: Task[] = [];

  peek(): Task | undefined {
    return this.#tasks[0];
  }

  push(task: Task): void {
    const tasks = this.#tasks;
    let at = tasks.length;
    tasks.push(task);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(task, tasks[above])) break;
      tasks[at] = tasks[above];
      at = above;
    }
    tasks[at] = task;
  }

  pop(): Task | undefined {
    const tasks = this.#tasks;
    const earliest = tasks[0];
    const last = tasks.pop();
    if (last === undefined || tasks.length === 0) return earliest;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= tasks.length) break;
      if (below + 1 < tasks.length && isBefore(tasks[below + 1], tasks[below])) below++;
      if (!isBefore(tasks[below], last)) break;
      tasks[at] = tasks[below];
      at = below;
    }
    tasks[at] = last;
    return earliest;
  }
}

function isBefore(one: Scheduled, other: Scheduled): boolean {
  return one.timeMs === other.timeMs ? one.order < other.order : one.timeMs < other.timeMs;
}
