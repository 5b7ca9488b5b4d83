// A small story in three segments with a known replay output. User 8 sells bitcoin to user 7, who
// withdraws some; a second and a third sequencer take over in the meantime. Only tests import it.

import type { Command } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import type { CommandWithoutId } from '../../testing/reference-models/index.ts';
import { ArchiveRecorder } from './archive-recorder-for-test.ts';

export const START_MS = Date.parse('2026-01-01T00:00:00Z');

interface StoryFrame {
  readonly epoch: number;
  /** Milliseconds since START_MS. */
  readonly afterMs: number;
  readonly commands: readonly (CommandWithoutId | Again)[];
}

/** A command sent a second time, by its number. */
interface Again {
  readonly again: number;
}

const [USDT, BTC] = [1, 2];
const BTC_USDT = 1;
const DEPOSITS = 1;
const WITHDRAWALS = 2;

const ORDER = {
  kind: 'PlaceOrder',
  key: 0,
  market: BTC_USDT,
  type: 'limit',
  timeInForce: 'GTC',
  selfTrade: 'cancel_newest',
  postOnly: false,
  stopTicks: 0,
  clientOrderId: '',
  note: '',
  trigger: 'stop',
  linkedOrder: 0,
  expiresMs: 0,
} as const;

// Prices are in cents, sizes in units of 0.0001 bitcoin.
const SEGMENTS: readonly (readonly StoryFrame[])[] = [
  [
    {
      epoch: 1,
      afterMs: 0,
      commands: [
        { kind: 'ListAsset', symbol: 'usdt', scale: 6, issuanceCapAtoms: 10n ** 15n },
        { kind: 'ListAsset', symbol: 'btc', scale: 8, issuanceCapAtoms: 10n ** 15n },
        {
          kind: 'ListMarket',
          base: BTC,
          quote: USDT,
          lotAtoms: 10_000n,
          tickMantissa: 1,
          tickScale: 2,
          minPriceTicks: 2,
          maxPriceTicks: 1_000_000,
          minSizeLots: 1,
          maxSizeLots: 1_000_000,
          referenceTicks: 10_000,
          status: 'full',
        },
        { kind: 'SetMarketFees', market: BTC_USDT, tier: 1, makerPpm: 1_000, takerPpm: 2_000 },
      ],
    },
    {
      epoch: 1,
      afterMs: 1_000,
      commands: [deposit(7, USDT, 1_000_000_000n, 1), deposit(8, BTC, 200_000_000n, 2)],
    },
    {
      epoch: 1,
      afterMs: 2_000,
      commands: [
        { ...ORDER, user: 8, side: 'sell', priceTicks: 10_000, sizeLots: 5_000 },
        {
          ...ORDER,
          user: 8,
          side: 'sell',
          priceTicks: 10_100,
          sizeLots: 5_000,
          clientOrderId: 'second',
        },
      ],
    },
  ],
  [
    {
      epoch: 2,
      afterMs: 3_000,
      commands: [{ ...ORDER, user: 7, side: 'buy', priceTicks: 10_100, sizeLots: 7_000 }],
    },
    {
      epoch: 2,
      afterMs: 4_000,
      commands: [
        { kind: 'AmendOrder', user: 8, order: 8, priceTicks: 0, sizeLots: 4_000, stopTicks: 0 },
        { kind: 'CancelOrder', user: 7, order: 8, byOperator: false },
        { kind: 'CancelOrder', user: 8, order: 8, byOperator: false },
      ],
    },
    // Stamped before the previous frame, so it has the previous frame's time.
    { epoch: 2, afterMs: 3_500, commands: [] },
  ],
  [
    {
      epoch: 2,
      afterMs: 10_000,
      commands: [
        {
          kind: 'OpenWithdrawal',
          channel: WITHDRAWALS,
          channelSequence: 1,
          withdrawal: 501,
          user: 7,
          asset: BTC,
          amountAtoms: 10_000_000n,
          feeAsset: BTC,
          feeAtoms: 50_000n,
          destination: '',
        },
        { ...ORDER, user: 7, side: 'sell', priceTicks: 10_000, sizeLots: 90_000 },
        { ...ORDER, user: 8, side: 'sell', priceTicks: 9_000, sizeLots: 1_000, stopTicks: 9_500 },
      ],
    },
    {
      epoch: 3,
      afterMs: 11_000,
      commands: [
        { ...ORDER, user: 7, side: 'buy', priceTicks: 9_000, sizeLots: 10_000 },
        {
          kind: 'CompleteWithdrawal',
          channel: WITHDRAWALS,
          channelSequence: 2,
          withdrawal: 501,
          reference: 'tx 1',
        },
        { kind: 'SettleFees', channel: DEPOSITS, channelSequence: 3, asset: BTC, user: 9 },
        { kind: 'SetMarketStatus', market: BTC_USDT, status: 'cancel-only', auctionEndsMs: 0 },
        { again: 9 },
      ],
    },
  ],
];

function deposit(
  user: number,
  asset: number,
  amountAtoms: bigint,
  channelSequence: number,
): CommandWithoutId {
  const position = { channel: DEPOSITS, channelSequence };
  return { kind: 'CreditDeposit', ...position, user, asset, amountAtoms, reference: `d${user}` };
}

/** Takes a snapshot after frame 4, inside the second segment. */
export async function recordStory(folder: string): Promise<void> {
  const recorder = await ArchiveRecorder.start(folder);
  const sent: Command[] = [];
  for (const frames of SEGMENTS) {
    for (const { epoch, afterMs, commands } of frames) {
      recorder.apply({
        sequence: recorder.replica.sequence + 1,
        epoch,
        timeMs: (START_MS + afterMs) as TimeMs,
        previousHash: new Uint8Array(32),
        commands: commands.map((body) => {
          const id = { source: 1, number: sent.length + 1 };
          const isAgain = 'again' in body;
          const command = isAgain
            ? sent[body.again - 1]
            : ({ ...body, ...id } as unknown as Command);
          sent.push(command);
          return command;
        }),
      });
      if (recorder.replica.sequence === 4) await recorder.keepSnapshot();
    }
    await recorder.endSegment();
  }
}
