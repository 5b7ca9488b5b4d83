// Logos of common assets: simple drawings on a circle of 32 units, in the usual colors.

export interface CoinLogo {
  readonly color: string;
  readonly path: string;
  /** Filled instead of drawn with lines. */
  readonly isFilled?: boolean;
}

const DOLLAR =
  'M20.5 11.5' +
  'c-.8-1.6-2.4-2.3-4.5-2.3-2.6 0-4.5 1.2-4.5 3.2 0 4.4 9.3 2.4 9.3 7 ' +
  '0 2.2-2 3.4-4.8 3.4-2.4 0-4.2-.9-5-2.6' +
  'M16 6.5v19';

export const COIN_LOGOS: Readonly<Record<string, CoinLogo>> = {
  btc: {
    color: '#e8891c',
    path:
      'M12 8v16M12 8h5.5a3.8 3.8 0 0 1 0 7.6H12M12 15.6h6.5a4.2 4.2 0 0 1 0 8.4H12' +
      'M14.5 5.5V8M14.5 24v2.5',
  },
  eth: {
    color: '#5f78d6',
    path: 'M16 5 8.8 16.7 16 21l7.2-4.3zM8.8 18.6 16 27l7.2-8.4L16 22.9z',
    isFilled: true,
  },
  usdt: {
    color: '#2a9d80',
    path:
      'M9 9.5h14M16 9.5V24M7.5 15.5c0-1.6 3.8-2.5 8.5-2.5s8.5.9 8.5 2.5S20.7 18 16 18' +
      's-8.5-.9-8.5-2.5z',
  },
  usdc: { color: '#2f6fc4', path: DOLLAR },
  usd: { color: '#3f8f4f', path: DOLLAR },
  eur: {
    color: '#2d57b0',
    path: 'M22.5 10.5A7.5 7.5 0 0 0 10.5 16a7.5 7.5 0 0 0 12 5.5M8 14h10M8 18h9',
  },
  gbp: {
    color: '#7a4bb0',
    path: 'M21 11.5c-.4-2.3-2-3.5-4.2-3.5-3 0-4.6 2.2-3.8 5.2.9 3.6 1.2 7.3-2.5 10.3H22M10 16.5h8',
  },
  rlt: { color: '#3d6fc0', path: 'M6.5 20c2-6.5 5.6-9.5 9.5-9.5s7.5 3 9.5 9.5M6.5 23h19' },
  sol: {
    color: '#7d4fd6',
    path: 'M11 10h13l-3 3H8zM8 14.5h13l3 3H11zM11 19h13l-3 3H8z',
    isFilled: true,
  },
  xrp: {
    color: '#4a5560',
    path: 'M9 8.5l4.3 4.2a3.8 3.8 0 0 0 5.4 0L23 8.5M9 23.5l4.3-4.2a3.8 3.8 0 0 1 5.4 0l4.3 4.2',
  },
  ltc: { color: '#56719c', path: 'M14.5 7 11 23.5h11M9.5 18l9-4' },
  doge: { color: '#b08f2a', path: 'M12 8h4.5a8 8 0 0 1 0 16H12zM9 16h8' },
  ada: {
    color: '#2a5bd0',
    path:
      'M16 8.5v.1M16 23.5v.1M9.5 12.2v.1M22.5 12.2v.1M9.5 19.8v.1M22.5 19.8v.1M16 13' +
      'a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  },
  trx: {
    color: '#c8352f',
    path: 'M7.5 9 20 11l4.5 4.5L15 25zM20 11l-6 4.5L15 25M7.5 9l6.5 6.5 10.5 0',
  },
  bnb: {
    color: '#b8860b',
    path:
      'M16 7l3 3-3 3-3-3zM10 13l3 3-3 3-3-3zM22 13l3 3-3 3-3-3zM16 13l3 3-3 3-3-3zM16 19' +
      'l3 3-3 3-3-3z',
    isFilled: true,
  },
  ton: { color: '#2a86c8', path: 'M8.5 10h15L16 23.5zM16 10v13.5' },
};
