// Messages for full order books: first a snapshot, then changes. Prices and sizes are texts,
// because the checksum covers their characters.

import { oneOf, Timestamp, Type } from '../wire/index.ts';
import { type StreamMessage, StreamTime } from './public-messages.ts';

const Price = Type.String({ description: 'A plain decimal.' });
const Size = Type.String({ description: 'A plain decimal.' });
const OrderId = Type.String({ format: 'uuid' });

const sequence = {
  sequence: Type.Integer({ description: 'Increases from message to message, with gaps.' }),
  timestamp: Timestamp,
};
const previous = {
  previous: Type.Integer({ description: 'The sequence of the previous message.' }),
};
const checksum = {
  checksum: Type.Integer({
    minimum: 0,
    maximum: 0xffff_ffff,
    description: 'CRC-32 of the ten best levels of both sides, after this message.',
  }),
};

const strict = { additionalProperties: false };
const ofMarket = { symbol: Type.String(), time: StreamTime };

const levels = (description: string) => Type.Array(Type.Tuple([Price, Size]), { description });

export const LevelsMessage = Type.Object(
  {
    topic: oneOf(['orderbook_l2']),
    action: oneOf(['partial']),
    ...ofMarket,
    data: Type.Object(
      { ...sequence, bids: levels('Best first.'), asks: levels('Best first.'), ...checksum },
      { title: 'Levels', ...strict },
    ),
  },
  { title: 'LevelsMessage', ...strict },
);

export const LevelChangesMessage = Type.Object(
  {
    topic: oneOf(['orderbook_l2']),
    action: oneOf(['update']),
    ...ofMarket,
    data: Type.Object(
      {
        ...previous,
        ...sequence,
        bids: levels('The new total of each price that changed; 0 when it is gone.'),
        asks: levels('The new total of each price that changed; 0 when it is gone.'),
        ...checksum,
      },
      { title: 'LevelChanges', ...strict },
    ),
  },
  { title: 'LevelChangesMessage', ...strict },
);

const queue = Type.Array(Type.Tuple([Price, Size, OrderId]), {
  description: 'Best first; at one price in the order of execution.',
});

export const BookOrdersMessage = Type.Object(
  {
    topic: oneOf(['orders_l3']),
    action: oneOf(['partial']),
    ...ofMarket,
    data: Type.Object(
      { ...sequence, bids: queue, asks: queue },
      { title: 'BookOrders', ...strict },
    ),
  },
  { title: 'BookOrdersMessage', ...strict },
);

export const BookOrderChangesMessage = Type.Object(
  {
    topic: oneOf(['orders_l3']),
    action: oneOf(['update']),
    ...ofMarket,
    data: Type.Object(
      {
        ...previous,
        ...sequence,
        closed: Type.Array(OrderId, { description: 'Apply first: these orders are removed.' }),
        changed: Type.Array(Type.Tuple([OrderId, Size]), {
          description: 'Then: their remaining sizes; they keep their place.',
        }),
        opened: Type.Array(Type.Tuple([oneOf(['buy', 'sell']), Price, Size, OrderId]), {
          description: 'Last: each goes behind all others at its price.',
        }),
      },
      { title: 'BookOrderChanges', ...strict },
    ),
  },
  { title: 'BookOrderChangesMessage', ...strict },
);

const ids = ['00000000-0000-8107-8000-000000000000', '00000000-0000-8109-8000-000000000000'];
const head = { symbol: 'btc-usdt', time: 1_709_251_170 };
const timestamp = '2024-02-29T23:59:30.005Z';

export const streamLevelMessages = {
  levels: {
    schema: LevelsMessage,
    summary: 'Level 2: the total at every price; the first message, and after a gap.',
    example: {
      topic: 'orderbook_l2',
      action: 'partial',
      ...head,
      data: {
        sequence: 40,
        timestamp,
        bids: [
          ['60000', '0.5'],
          ['59999.5', '1.25'],
        ],
        asks: [['60000.5', '0.00000249']],
        checksum: 1_880_646_057,
      },
    },
  },
  levelChanges: {
    schema: LevelChangesMessage,
    summary: 'Level 2: the prices whose total changed.',
    example: {
      topic: 'orderbook_l2',
      action: 'update',
      ...head,
      data: {
        previous: 40,
        sequence: 43,
        timestamp,
        bids: [['60000', '0']],
        asks: [['60001', '2']],
        checksum: 2_346_741_966,
      },
    },
  },
  bookOrders: {
    schema: BookOrdersMessage,
    summary: 'Level 3: every order in the book; the first message, and after a gap.',
    example: {
      topic: 'orders_l3',
      action: 'partial',
      ...head,
      data: { sequence: 40, timestamp, bids: [['60000', '0.5', ids[0]]], asks: [] },
    },
  },
  bookOrderChanges: {
    schema: BookOrderChangesMessage,
    summary: 'Level 3: the orders that changed.',
    example: {
      topic: 'orders_l3',
      action: 'update',
      ...head,
      data: {
        previous: 40,
        sequence: 43,
        timestamp,
        closed: [],
        changed: [[ids[0], '0.25']],
        opened: [['sell', '60001', '2', ids[1]]],
      },
    },
  },
} as const satisfies Record<string, StreamMessage>;
