// Addresses of chains: how they are written, which network uses which form, and whether one is
// valid. Pure: nothing here asks a chain whether somebody has the key.

export { type Destination, destinationText } from './destination.ts';
export { EMAIL_NETWORK, parseDestination } from './parse-destination.ts';
