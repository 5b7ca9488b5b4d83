// Faults of a node. None of them says anything about the chain: the caller retries later, or asks
// the other node.

/** The node is unreachable, answered too much or too late, or its answer is wrong. */
export class NodeFault extends Error {
  override readonly name = 'NodeFault';
  /** The node does not support the method. */
  readonly isMethodMissing: boolean;

  constructor(message: string, { isMethodMissing = false } = {}) {
    super(message);
    this.isMethodMissing = isMethodMissing;
  }
}

/** Two nodes give different answers about a final block. */
export class NodesDisagree extends Error {
  override readonly name = 'NodesDisagree';
  readonly height: number;
  /** The answer of each node, in their order. */
  readonly answers: readonly string[];

  constructor(height: number, answers: readonly string[]) {
    super(`the nodes disagree about block ${height}: ${answers.join(' and ')}`);
    this.height = height;
    this.answers = answers;
  }
}
