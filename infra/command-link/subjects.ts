// The subjects on which gateways and sequencers speak. An exchange has a name, so that several
// may share a server.

export interface LinkSubjects {
  /** Batches of commands, to whoever leads. */
  readonly commands: string;
  /** From the leader to everyone, many times a second. */
  readonly leader: string;
  /** From each standby to the leader. */
  readonly standby: string;
  /** From a leader that goes to the standby that shall come. */
  readonly handOver: string;
  /** Results and refusals for one gateway session. */
  resultsFor(source: number): string;
  isResults(subject: string): boolean;
}

const SOURCE = /^\d{1,16}$/;

export function linkSubjects(exchange: string): LinkSubjects {
  const results = `${exchange}.link.results.`;
  return {
    commands: `${exchange}.link.commands`,
    leader: `${exchange}.link.leader`,
    standby: `${exchange}.link.standby`,
    handOver: `${exchange}.link.hand-over`,
    resultsFor: (source) => `${results}${source}`,
    isResults: (subject) =>
      subject.startsWith(results) && SOURCE.test(subject.slice(results.length)),
  };
}
