// A refused command changed nothing, so there is nothing to keep: its sender has been told.

export function commandRefused(): void {}
