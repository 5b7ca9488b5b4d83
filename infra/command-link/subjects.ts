// The subjects between gateways and sequencers. They start with the exchange's name, so that
// several exchanges can share a server.

export interface LinkSubjects {
  /** Batches of commands for the leader. */
  readonly commands: string;
  /** Heartbeats of the leader, many per second. */
  readonly leader: string;
  /** Heartbeats of the standbys. */
  readonly standby: string;
  /** The hand-over from a leader that shuts down to its successor. */
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
