// Texts that the signer and approvers sign. Approvals of payments are rendered by the signer, from
// what it builds.

/** Signed by the signer: it will never sign this withdrawal. */
export function renounceText(exchange: string, withdrawal: number): string {
  return `rialto renounces withdrawal ${withdrawal}\nexchange ${exchange}\n`;
}

/** Signed by one approver. The policy's version prevents a second use after the stop ended. */
export function stopText(exchange: string, policyVersion: number): string {
  return `rialto stops the signer\nexchange ${exchange}, policy ${policyVersion}\n`;
}
