// The subjects between gateways and sequencers. They start with the exchange's name, so
// several exchanges can share a server, and name the sender: NATS lets an identity publish batches
// and read results under its own name only.

export interface LinkSubjects {
  /** Batches of commands for the leader, from all senders. */
  readonly commands: string;
  /** Heartbeats of the leader, many per second. */
  readonly leader: string;
  /** Heartbeats of the standbys. */
  readonly standby: string;
  /** The hand-over from a leader that shuts down to its successor. */
  readonly handOver: string;
  /** Batches of one sender. */
  commandsFrom(sender: string): string;
  /** The sender of a batch that arrived on this subject; '' if the subject is for no batches. */
  senderOf(subject: string): string;
  /** Results and refusals for one session of a sender. */
  resultsFor(sender: string, source: number): string;
  /** The sender whose results have this subject; '' if the subject is for no results. */
  receiverOf(subject: string): string;
}

const RESULTS = /^([a-z-]+)\.\d{1,16}$/;

export function linkSubjects(exchange: string): LinkSubjects {
  const commands = `${exchange}.link.commands.`;
  const results = `${exchange}.link.results.`;
  return {
    commands: `${commands}>`,
    leader: `${exchange}.link.leader`,
    standby: `${exchange}.link.standby`,
    handOver: `${exchange}.link.hand-over`,
    commandsFrom: (sender) => `${commands}${sender}`,
    senderOf: (subject) => (subject.startsWith(commands) ? subject.slice(commands.length) : ''),
    resultsFor: (sender, source) => `${results}${sender}.${source}`,
    receiverOf: (subject) =>
      subject.startsWith(results) ? (RESULTS.exec(subject.slice(results.length))?.[1] ?? '') : '',
  };
}
