// A command that came again changed nothing: its first outcome stands.

export function commandRepeated(): void {}
