// Sends requests to a local chain one at a time: anvil can deadlock if it reads while it
// reorganizes. Every request of a test must use it.

const lanes = new Map<string, Promise<unknown>>();

/** Returns the node's answer as text. */
export function postInTurn(url: string, body: string): Promise<string> {
  const before = lanes.get(url) ?? Promise.resolve();
  const answer = before.then(() => post(url, body));
  const settled = answer.catch(() => {});
  lanes.set(url, settled);
  return answer;
}

async function post(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body })).text();
}
