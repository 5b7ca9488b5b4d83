// Exports for tools and tests. Other services know only the projector's tables and its progress
// messages.

export { startProjector } from './app.ts';
export { projectorConfig } from './config.ts';
export { PROJECTOR_DEFAULTS, Projector } from './projector.ts';
