// The versions of the engine's rules that this release can run. Every change of what the engine
// does gets the next version and takes effect with a logged SetRulesVersion, not by an upgrade.

/** Version of a log without SetRulesVersion. */
export const RULES_VERSION_MIN = 1;
export const RULES_VERSION_MAX = 3;

export function isRunnableVersion(version: number): boolean {
  return version >= RULES_VERSION_MIN && version <= RULES_VERSION_MAX;
}
