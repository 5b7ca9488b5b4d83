// Wire definitions for surveillance: routes, schemas and errors.

export { Finding, FindingDetail, FindingEvidence, SurveillanceRule } from './surveillance.ts';
export { surveillanceErrors } from './surveillance-errors.ts';
export { surveillanceRoutes } from './surveillance-routes.ts';
