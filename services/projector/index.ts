// Projector: what tools and tests use of it. Other services know its tables and its progress only.

export { type ProjectorApp, startProjector } from './app.ts';
export { type ProjectorConfig, projectorConfig } from './config.ts';
export { type Cursor, completeFrame } from './cursor.ts';
export * from './projector.ts';
