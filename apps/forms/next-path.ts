// Page to open after signing in: only a path within this terminal.

export function nextPath(asked: unknown): string {
  const isOurs = typeof asked === 'string' && /^\/(?![/\\])/.test(asked);
  return isOurs ? asked : '/';
}
