// One request of the contract test: a change to the valid sample, and the expected response.

import type { Sample } from './route-samples.ts';

export interface ContractCase {
  readonly what: string;
  /** Returns the modified sample. */
  change(sample: Sample): Sample;
  readonly status: number;
  /** Text that the response must contain. */
  readonly says?: string;
}

export const query = (more: Sample['query']) => (sample: Sample) => ({
  ...sample,
  query: { ...sample.query, ...more },
});
export const body = (more: Sample['body']) => (sample: Sample) => ({
  ...sample,
  body: { ...sample.body, ...more },
});

export function refused(what: string, change: ContractCase['change'], says?: string): ContractCase {
  return { what, change, status: 400, ...(says !== undefined && { says }) };
}

/** Returns the sample without a query or body field. */
export function without(sample: Sample, field: string): Sample {
  const left = (values: object | undefined) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => name !== field));
  return {
    ...(sample.query !== undefined && { query: left(sample.query) }),
    ...(sample.body !== undefined && { body: left(sample.body) }),
  };
}
