// Trading: orders, quotes and conversions, and the dead man's switch.

export { ORDER_MEMORY_DEFAULTS, OrderMemory } from './order-memory.ts';
