// Networks as clients name them, ignoring case and surrounding spaces.

/** Returns the network as the coin spells it, or undefined if the coin does not have it. */
export function listedNetwork(networks: readonly string[], given: string): string | undefined {
  const wanted = given.trim().toLowerCase();
  return networks.find((name) => name.toLowerCase() === wanted);
}
