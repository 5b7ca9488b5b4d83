// Projector: the exports for tools and tests. Other services know only its tables and its progress
// messages.

export { startProjector } from './app.ts';
export { projectorConfig } from './config.ts';
export { PROJECTOR_DEFAULTS, Projector } from './projector.ts';
