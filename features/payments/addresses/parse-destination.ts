// Parses destinations, with one parser per network. Returns one canonical spelling per destination,
// so texts can be compared, or undefined if the network cannot pay that text. Short parsers are in
// this file.

import { base58 } from '@scure/base';
import { parseEvmAddress } from '../../../infra/custody-file/index.ts';
import { parseBitcoin } from './bitcoin-address.ts';
import { decodeChecked, decodeOrUndefined, isZero } from './checked-base58.ts';
import { type Destination, splitTag } from './destination.ts';
import { parseTon } from './ton-address.ts';
import { parseXrp } from './xrp-address.ts';

/** Transfers to another user of this exchange. The address is an email address. */
export const EMAIL_NETWORK = 'email';

type Parser = (text: string) => Destination | undefined;

interface NetworkForm {
  readonly networks: readonly string[];
  readonly parse: Parser;
}

/** Ethereum and other EVM chains. */
const EVM_NETWORKS =
  'eth bnb bsc matic pol polygon arb arbitrum op optimism base avax ftm celo sepolia holesky hoodi';

const FORMS: readonly NetworkForm[] = [
  {
    networks: EVM_NETWORKS.split(' '),
    parse: withoutTag(parseEvmAddress),
  },
  {
    networks: ['btc', 'bitcoin'],
    parse: withoutTag((text) => parseBitcoin(text, 'main')),
  },
  {
    networks: ['btc-testnet', 'btc-signet'],
    parse: withoutTag((text) => parseBitcoin(text, 'test')),
  },
  {
    networks: ['btc-regtest'],
    parse: withoutTag((text) => parseBitcoin(text, 'regtest')),
  },
  {
    networks: ['trx', 'tron', 'trx-shasta', 'trx-nile'],
    parse: withoutTag(parseTron),
  },
  {
    networks: ['xrp', 'ripple'],
    parse: (text) => parseXrp(splitTag(text), 'main'),
  },
  {
    networks: ['xrp-testnet'],
    parse: (text) => parseXrp(splitTag(text), 'test'),
  },
  {
    networks: ['sol', 'solana', 'sol-devnet'],
    parse: withoutTag(parseSolana),
  },
  { networks: ['ton'], parse: (text) => parseTon(splitTag(text), 'main') },
  {
    networks: ['ton-testnet'],
    parse: (text) => parseTon(splitTag(text), 'test'),
  },
  { networks: [EMAIL_NETWORK], parse: parseEmail },
];

const FORM_OF = new Map(FORMS.flatMap((form) => form.networks.map((name) => [name, form])));

/** Longer than any address; limits the work of the parsers. */
const TEXT = /^[\x21-\x7e]{1,256}$/;
const EMAIL = /^[^@]+@[^@]+\.[^@.]+$/;

/**
 * Returns undefined if the text is not a destination in this network. Networks without a parser
 * accept any text that some chain could use, and the full text is the address.
 */
export function parseDestination(network: string, text: string): Destination | undefined {
  if (!TEXT.test(text)) return undefined;
  const form = FORM_OF.get(network.toLowerCase());
  return form === undefined ? { address: text, tag: '' } : form.parse(text);
}

function withoutTag(parse: (text: string) => string | undefined): Parser {
  return (text) => {
    const address = parse(text);
    return address === undefined ? undefined : { address, tag: '' };
  };
}

const TRON_PREFIX = 0x41;

/** Parses Base58Check of the byte 0x41 and 20 bytes. TRON's test chains use the same form. */
function parseTron(text: string): string | undefined {
  const bytes = decodeChecked('bitcoin', text);
  if (bytes?.length !== 21 || bytes[0] !== TRON_PREFIX) return undefined;
  return isZero(bytes.subarray(1)) ? undefined : text;
}

/**
 * Parses 32 bytes in Base58, without a checksum. Programs own addresses too, so a point off the
 * curve is valid.
 */
function parseSolana(text: string): string | undefined {
  const bytes = decodeOrUndefined(base58, text);
  return bytes?.length === 32 && !isZero(bytes) ? text : undefined;
}

function parseEmail(text: string): Destination | undefined {
  return EMAIL.test(text) ? { address: text.toLowerCase(), tag: '' } : undefined;
}
