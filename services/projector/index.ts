// Projector: what tools and tests use of it. Other services know its tables and its progress only.

export { startProjector } from './app.ts';
export { projectorConfig } from './config.ts';
export { PROJECTOR_DEFAULTS, Projector } from './projector.ts';
