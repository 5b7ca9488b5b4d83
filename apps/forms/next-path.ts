// The page to open after a sign-in: a path of this terminal and nothing else.

export function nextPath(asked: unknown): string {
  const isOurs = typeof asked === 'string' && /^\/(?![/\\])/.test(asked);
  return isOurs ? asked : '/';
}
