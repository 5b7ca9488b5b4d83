// Roles of PostgreSQL: one for each service, and its rights as data.

export {
  applyGrants,
  type ExchangeSchemas,
  hasRoles,
  LOGIN_ROLES,
  RoleFault,
  roleName,
} from './apply-grants.ts';
export {
  COLUMN_GRANTS,
  DATABASE_ROLES,
  type DatabaseRole,
  PROJECTION_GRANTS,
  REGISTRY_GRANTS,
  ROW_ROLES,
} from './grants.ts';
export { MOVE_RULES, ROW_RULES } from './row-rules.ts';
