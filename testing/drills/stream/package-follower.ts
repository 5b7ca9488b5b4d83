// Client that uses the published package, like traders' programs. The package checks the chain and
// the checksum itself; the drill counts the problems that it reports.

import { RialtoStream } from '../../../client/index.ts';
import { AccountBook } from './account-book.ts';
import type { FollowerTally } from './follower-tally.ts';

export class PackageFollower {
  readonly book = new AccountBook();
  readonly #stream: RialtoStream<'number'>;
  sequence: string | undefined;

  constructor(options: {
    readonly urls: readonly string[];
    readonly key: string;
    readonly secret: string;
    readonly tally: FollowerTally;
  }) {
    const { key, secret, tally, urls } = options;
    this.#stream = new RialtoStream({
      url: urls,
      key,
      secret,
      decimals: 'number',
      timings: { backoff: { firstMs: 100, maxMs: 1_000 } },
      onStatus: (status) => {
        if (status === 'waiting') tally.reconnects += 1;
      },
      onFault(_channel, problem) {
        if (problem === 'checksum mismatch') tally.checksumFailures += 1;
        else tally.gaps += 1;
        tally.examples.push(`the package: ${problem}`);
      },
    });
    this.#stream.account({
      onMessage: ({ action, messages, sequence }) => {
        tally.messages += 1;
        if (action === 'snapshot') tally.snapshots += 1;
        if (action === 'resumed') tally.resumed += 1;
        this.sequence = sequence;
        this.book.take(messages);
      },
    });
  }

  stop(): void {
    this.#stream.close();
  }
}
